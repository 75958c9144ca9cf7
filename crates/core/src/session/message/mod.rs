//! The view of a message, or of a part of an HTTP exchange, that rules and state hooks get, and
//! readers of its members.
//!
//! A view contains the request that the message answers, so it is part of the session.

mod digest;
mod inputs;
mod known_id;
mod memo;
mod moment;
mod schemas;

pub(crate) use self::digest::Digester;
pub(crate) use self::inputs::{
    Input, input_keys, input_requests, input_responses, inputs, wants_input,
};
pub(crate) use self::known_id::KnownId;
pub(crate) use self::memo::Memo;
pub(crate) use self::moment::Moment;
pub(crate) use self::schemas::{defer, load, mentions_headers, mentions_patterns, published};
use super::OpenRequest;
use crate::catalogue::Policy;
use crate::envelope::MessageKind;
use crate::exchange::Exchange;
use crate::frame::{Frame, Http, Part};
use crate::model::Fact;
use crate::registry::SchemaRegistry;
use crate::syntax::{KeyHash, Kind, Node};
use crate::{Direction, Party, Revision};

/// A message in its context, as rules and state hooks get it.
#[derive(Clone, Copy)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "facts that do not depend on each other"
)]
pub(crate) struct Message<'a> {
    pub(crate) exchange: &'a Exchange<'a>,
    pub(crate) frame: &'a Frame<'a>,
    pub(crate) policy: &'a Policy,
    /// Compiled schemas of tools.
    pub(crate) registry: &'a SchemaRegistry,
    /// Values that were computed for it.
    pub(crate) memo: &'a Memo,
    /// The open request that it answers.
    pub(crate) request: Option<&'a OpenRequest>,
    /// The number of messages and parts of HTTP exchanges before it.
    pub(crate) order: u64,
    /// The set of key hashes in the message, one bit for each hash.
    pub(crate) key_hashes: u64,
    /// Whether it is an item of a batch.
    pub(crate) batched: bool,
    /// Whether JSON, envelope and shape are without fault. Rules about params and results run only
    /// then.
    pub(crate) sound: bool,
    /// Whether its content is reliable although it may not be sound: at most the JSON-RPC version
    /// is wrong.
    pub(crate) reliable: bool,
    /// Whether only a part of it could be read.
    pub(crate) is_partial: bool,
}

impl<'a> Message<'a> {
    /// Its moment in the session.
    #[inline]
    pub(crate) fn now(&self) -> Moment {
        Moment::of(self.frame, self.order)
    }

    /// `params`, if it is an object.
    #[inline]
    pub(crate) fn params(&self) -> Option<Node<'a>> {
        self.exchange
            .envelope
            .params()
            .filter(|params| params.kind() == Kind::Object)
    }

    /// `result`, if it is an object.
    #[inline]
    pub(crate) fn result(&self) -> Option<Node<'a>> {
        self.exchange
            .envelope
            .result()
            .filter(|result| result.kind() == Kind::Object)
    }

    /// Whether a key of this name may be in the message. Most names that rules look up are absent,
    /// and this test costs almost nothing.
    #[inline(always)]
    pub(crate) fn mentions(&self, name: &str) -> bool {
        KeyHash::of(name.as_bytes()).is_in(self.key_hashes)
    }

    /// A member of `params`.
    #[inline(always)]
    pub(crate) fn param(&self, name: &str) -> Option<Node<'a>> {
        if self.mentions(name) {
            self.params()?.get(name)
        } else {
            None
        }
    }

    /// A member of `result`.
    #[inline(always)]
    pub(crate) fn in_result(&self, name: &str) -> Option<Node<'a>> {
        if self.mentions(name) {
            self.result()?.get(name)
        } else {
            None
        }
    }

    /// The member `_meta` of params or result, if it is an object.
    #[inline(always)]
    pub(crate) fn meta(&self) -> Option<Node<'a>> {
        if self.mentions("_meta") {
            self.some_meta()
        } else {
            None
        }
    }

    #[inline(never)]
    fn some_meta(&self) -> Option<Node<'a>> {
        self.params()
            .or_else(|| self.result())?
            .get("_meta")
            .filter(|meta| meta.kind() == Kind::Object)
    }

    /// The id as it was sent.
    #[inline]
    pub(crate) fn id(&self) -> Option<Node<'a>> {
        self.exchange.envelope.id()
    }

    /// The whole message.
    #[inline]
    pub(crate) fn root(&self) -> Node<'a> {
        self.exchange.envelope.root()
    }

    /// The method as it was sent, or the whole message if it has none.
    pub(crate) fn method_or_root(&self) -> Node<'a> {
        self.exchange.method_node().unwrap_or(self.root())
    }

    /// The code of an error.
    pub(crate) fn error_code(&self) -> Option<i64> {
        self.exchange.envelope.error_code().and_then(Node::as_i64)
    }

    /// The code of an error, unless a profile sets its level.
    pub(crate) fn code_of_protocol(&self) -> Option<i64> {
        let profile = self.policy.dialect();
        self.error_code()
            .filter(|code| !profile.is_some_and(|profile| profile.decides_code(*code)))
    }

    /// The kind of the message.
    #[inline]
    pub(crate) fn kind(&self) -> MessageKind {
        self.exchange.envelope.kind
    }

    /// The revision that it is checked under.
    #[inline]
    pub(crate) fn revision(&self) -> Revision {
        self.exchange.revision
    }

    /// Whether the revision has a fact.
    #[inline]
    pub(crate) fn has(&self, fact: Fact) -> bool {
        self.exchange.revision.has(fact)
    }

    /// The direction, if it is known.
    #[inline]
    pub(crate) fn direction(&self) -> Option<Direction> {
        self.exchange.direction
    }

    /// The sender, if it is known.
    #[inline]
    pub(crate) fn sender(&self) -> Option<Party> {
        self.exchange.direction.map(Direction::sender)
    }

    /// The name of the method that it calls or answers, if the model has it.
    #[inline]
    pub(crate) fn method(&self) -> Option<&'static str> {
        self.exchange.method.map(|method| method.name)
    }
}

/// A part of an HTTP exchange, with the message in it if there is one.
#[derive(Clone, Copy)]
pub(crate) struct Transfer<'a> {
    pub(crate) http: &'a Http<'a>,
    /// The message that it carries, if it could be read and is an object.
    pub(crate) message: Option<&'a Message<'a>>,
    /// The bytes of the body or of the event's data, readable or not; empty if there is none.
    pub(crate) body: &'a [u8],
    pub(crate) frame: &'a Frame<'a>,
    pub(crate) policy: &'a Policy,
    /// The revision that it is checked under.
    pub(crate) revision: Revision,
    pub(crate) now: Moment,
}

impl Transfer<'_> {
    /// Whether it is the end of a stream, and this party is known to have ended it.
    pub(crate) fn ended_by(&self, party: Party) -> bool {
        matches!(self.http.part, Part::End { by: Some(by) } if by == party)
    }
}
