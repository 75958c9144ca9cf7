//! JSON-RPC: what kind of message it is, and where its members are.
//!
//! Only the envelope is judged here; what a method demands is the model's business.

use core::ops::ControlFlow;

use crate::Revision;
use crate::model::Fact;
use crate::rules::{Rule, inline};
use crate::syntax::{Kind, Node};
use crate::violation::{Detail, Owner, Sink, Violation};

/// What a message is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MessageKind {
    /// Has a method and an id.
    Request,
    /// Has a method and no id.
    Notification,
    /// Has a result.
    Response,
    /// Has an error.
    Error,
    /// An array of messages.
    Batch,
    /// None of these, or not JSON.
    Unreadable,
}

impl MessageKind {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Notification => "notification",
            Self::Response => "response",
            Self::Error => "error",
            Self::Batch => "batch",
            Self::Unreadable => "unreadable",
        }
    }
}

/// The members of a message, as positions on its tape. Of repeated ones the last counts, as most receivers read it.
#[derive(Clone, Copy)]
pub struct Envelope<'a> {
    /// What it is.
    pub kind: MessageKind,
    root: Node<'a>,
    version: u32,
    id: u32,
    method: u32,
    params: u32,
    result: u32,
    error: u32,
}

/// The position of a member that is not there.
const ABSENT: u32 = u32::MAX;

impl<'a> Envelope<'a> {
    /// Finds the members of an object and decides what it is, without judging.
    #[inline]
    #[must_use]
    pub fn read(root: Node<'a>) -> Self {
        let kind = MessageKind::Unreadable;
        let mut found = Self {
            kind,
            root,
            version: ABSENT,
            id: ABSENT,
            method: ABSENT,
            params: ABSENT,
            result: ABSENT,
            error: ABSENT,
        };
        for (key, value) in root.members() {
            let member = match key.token().text_len() {
                2 if key.is_text("id") => &mut found.id,
                5 if key.is_text("error") => &mut found.error,
                6 if key.is_text("method") => &mut found.method,
                6 if key.is_text("params") => &mut found.params,
                6 if key.is_text("result") => &mut found.result,
                7 if key.is_text("jsonrpc") => &mut found.version,
                _ if key.token().complex => match &*key.text().unwrap_or_default() {
                    "id" => &mut found.id,
                    "error" => &mut found.error,
                    "method" => &mut found.method,
                    "params" => &mut found.params,
                    "result" => &mut found.result,
                    "jsonrpc" => &mut found.version,
                    _ => continue,
                },
                _ => continue,
            };
            *member = value.index();
        }
        found.kind = if found.method != ABSENT {
            if found.id != ABSENT { MessageKind::Request } else { MessageKind::Notification }
        } else if found.result != ABSENT {
            MessageKind::Response
        } else if found.error != ABSENT {
            MessageKind::Error
        } else if root.kind() == Kind::Array {
            MessageKind::Batch
        } else {
            MessageKind::Unreadable
        };
        found
    }

    /// The whole message.
    #[inline]
    #[must_use]
    pub fn root(&self) -> Node<'a> {
        self.root
    }

    /// `jsonrpc`
    #[inline]
    #[must_use]
    pub fn version(&self) -> Option<Node<'a>> {
        self.member(self.version)
    }

    /// `id`
    #[inline]
    #[must_use]
    pub fn id(&self) -> Option<Node<'a>> {
        self.member(self.id)
    }

    /// `method`
    #[inline]
    #[must_use]
    pub fn method(&self) -> Option<Node<'a>> {
        self.member(self.method)
    }

    /// `params`
    #[inline]
    #[must_use]
    pub fn params(&self) -> Option<Node<'a>> {
        self.member(self.params)
    }

    /// `result`
    #[inline]
    #[must_use]
    pub fn result(&self) -> Option<Node<'a>> {
        self.member(self.result)
    }

    /// `error`
    #[inline]
    #[must_use]
    pub fn error(&self) -> Option<Node<'a>> {
        self.member(self.error)
    }

    #[inline]
    fn member(&self, index: u32) -> Option<Node<'a>> {
        (index != ABSENT).then(|| self.root.at(index))
    }

    /// Whether it has a method.
    #[must_use]
    pub fn is_call(&self) -> bool {
        matches!(self.kind, MessageKind::Request | MessageKind::Notification)
    }

    /// Judges the envelope under a revision.
    #[inline]
    pub(crate) fn check(&self, revision: Revision, sink: &mut dyn Sink) -> ControlFlow<()> {
        // The path of valid messages: one look at each member, and nothing to say.
        let version = self.version().is_some_and(|version| version.is_text("2.0"));
        let sound = version
            && match self.kind {
                MessageKind::Request | MessageKind::Notification => {
                    self.id().is_none_or(is_id)
                        && self.method().is_some_and(|method| method.kind() == Kind::String)
                        && self.params().is_none_or(|params| params.kind() == Kind::Object)
                        && self.result().is_none()
                        && self.error().is_none()
                }
                MessageKind::Response => {
                    self.id().is_some_and(is_id)
                        && self.result().is_some_and(|result| result.kind() == Kind::Object)
                        && self.error().is_none()
                }
                _ => false,
            };
        if sound { ControlFlow::Continue(()) } else { self.explain(revision, sink) }
    }

    fn explain(&self, revision: Revision, sink: &mut dyn Sink) -> ControlFlow<()> {
        match self.version() {
            None => missing(&inline::VERSION_MEMBER, self.root(), "jsonrpc", Owner::Message, sink)?,
            Some(version) if !version.is_text("2.0") => raise(&inline::VERSION_MEMBER, version, Detail::Plain, sink)?,
            Some(_) => {}
        }
        match self.kind {
            MessageKind::Request | MessageKind::Notification => self.explain_call(sink),
            MessageKind::Response | MessageKind::Error => self.explain_answer(revision, sink),
            MessageKind::Batch | MessageKind::Unreadable => raise(&inline::KNOWN_KIND, self.root(), Detail::Plain, sink),
        }
    }

    fn explain_call(&self, sink: &mut dyn Sink) -> ControlFlow<()> {
        if let Some(id) = self.id() {
            explain_id(id, &inline::REQUEST_ID_NOT_NULL, sink)?;
        }
        if let Some(method) = self.method().filter(|method| method.kind() != Kind::String) {
            expected(&inline::METHOD_STRING, method, "a string", sink)?;
        }
        if let Some(params) = self.params().filter(|params| params.kind() != Kind::Object) {
            expected(&inline::PARAMS_OBJECT, params, "an object", sink)?;
        }
        for (member, name) in [(self.result(), "result"), (self.error(), "error")] {
            if let Some(member) = member {
                raise(&inline::NOT_TWO_KINDS, member, Detail::Unexpected { member: name }, sink)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn explain_answer(&self, revision: Revision, sink: &mut dyn Sink) -> ControlFlow<()> {
        let failed = self.kind == MessageKind::Error;
        match self.id() {
            Some(id) if failed => explain_id(id, &inline::ERROR_ID_NOT_NULL, sink)?,
            Some(id) => explain_id(id, &inline::ID_TYPE, sink)?,
            None if !failed => missing(&inline::RESULT_HAS_ID, self.root(), "id", Owner::Message, sink)?,
            None if !revision.has(Fact::ErrorWithoutId) => {
                missing(&inline::ERROR_ID_REQUIRED, self.root(), "id", Owner::Message, sink)?;
            }
            None => {}
        }
        if let Some(result) = self.result().filter(|result| result.kind() != Kind::Object) {
            expected(&inline::RESULT_OBJECT, result, "an object", sink)?;
        }
        let Some(error) = self.error() else { return ControlFlow::Continue(()) };
        if self.result().is_some() {
            raise(&inline::RESULT_XOR_ERROR, error, Detail::Unexpected { member: "error" }, sink)?;
        }
        if error.kind() != Kind::Object {
            return expected(&inline::ERROR_OBJECT, error, "an object", sink);
        }
        match error.get("code") {
            None => missing(&inline::ERROR_CODE_INTEGER, error, "code", Owner::Error, sink)?,
            Some(code) if !code.is_integer() => expected(&inline::ERROR_CODE_INTEGER, code, "an integer", sink)?,
            Some(_) => {}
        }
        match error.get("message") {
            None => missing(&inline::ERROR_MESSAGE_STRING, error, "message", Owner::Error, sink),
            Some(text) if text.kind() != Kind::String => {
                expected(&inline::ERROR_MESSAGE_STRING, text, "a string", sink)
            }
            Some(_) => ControlFlow::Continue(()),
        }
    }
}

/// A string, or an integer that every peer can represent. Others are looked at by [`explain_id`].
#[inline]
fn is_id(id: Node<'_>) -> bool {
    let token = id.token();
    match token.kind {
        Kind::String => true,
        // Fifteen digits stay below 2^53.
        Kind::Number => !token.complex && token.end - token.start <= 15,
        _ => false,
    }
}

fn explain_id(id: Node<'_>, if_null: &'static Rule, sink: &mut dyn Sink) -> ControlFlow<()> {
    match id.kind() {
        Kind::String => ControlFlow::Continue(()),
        Kind::Null => raise(if_null, id, Detail::EnvelopeType { expected: "a string or an integer", found: Kind::Null }, sink),
        Kind::Number if !id.is_integer() => raise(&inline::ID_NOT_FRACTIONAL, id, Detail::Plain, sink),
        Kind::Number if !id.is_exact_integer() => raise(&inline::INTEGER_PRECISION, id, Detail::Plain, sink),
        Kind::Number => ControlFlow::Continue(()),
        _ => expected(&inline::ID_TYPE, id, "a string or an integer", sink),
    }
}

pub(crate) fn raise(rule: &'static Rule, at: Node<'_>, detail: Detail, sink: &mut dyn Sink) -> ControlFlow<()> {
    sink.push(Violation::new(rule, at.span(), Some(at.index()), detail))
}

fn expected(rule: &'static Rule, at: Node<'_>, expected: &'static str, sink: &mut dyn Sink) -> ControlFlow<()> {
    raise(rule, at, Detail::EnvelopeType { expected, found: at.kind() }, sink)
}

fn missing(
    rule: &'static Rule,
    at: Node<'_>,
    member: &'static str,
    owner: Owner,
    sink: &mut dyn Sink,
) -> ControlFlow<()> {
    raise(rule, at, Detail::Missing { member, owner }, sink)
}
