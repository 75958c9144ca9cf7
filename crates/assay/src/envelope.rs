//! JSON-RPC: what kind of message it is, and where its members are.
//!
//! Only the envelope is judged here; what a method demands is the model's business.

use core::ops::ControlFlow;

use crate::Revision;
use crate::model::Fact;
use crate::rules::{Rule, inline};
use crate::syntax::{Kind, Node, Token};
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
    /// The last member that JSON-RPC does not know; only a place to write to.
    other: u32,
}

/// Eight bytes as a word.
const fn word(bytes: [u8; 8]) -> u64 {
    u64::from_le_bytes(bytes)
}

/// The position of a member that is not there.
const ABSENT: u32 = u32::MAX;

impl<'a> Envelope<'a> {
    /// Finds the members of an object and decides what it is, without judging.
    #[inline(always)]
    #[must_use]
    pub fn read(root: Node<'a>) -> Self {
        let (tokens, bytes) = (root.tokens(), root.bytes());
        let mut found = Self {
            kind: MessageKind::Unreadable,
            root,
            version: ABSENT,
            id: ABSENT,
            method: ABSENT,
            params: ABSENT,
            result: ABSENT,
            error: ABSENT,
            other: ABSENT,
        };
        let end = if root.kind() == Kind::Object {
            root.end()
        } else {
            0
        };
        let mut at = root.index() + 1;
        while at < end {
            let (Some(key), Some(value)) = (tokens.get(at as usize), tokens.get(at as usize + 1))
            else {
                break;
            };
            // The opening quote and seven bytes more decide: with its quotes, no name of JSON-RPC but one is longer.
            let head = bytes
                .get(key.start as usize..)
                .and_then(<[u8]>::first_chunk)
                .map_or(0, |head| u64::from_le_bytes(*head));
            let member = match head {
                _ if head == word(*b"\"method\"") => &mut found.method,
                _ if head == word(*b"\"params\"") => &mut found.params,
                _ if head == word(*b"\"result\"") => &mut found.result,
                _ if head == word(*b"\"jsonrpc") && key.text_len() == 7 => &mut found.version,
                _ if head & 0xffff_ffff == word(*b"\"id\"\0\0\0\0") => &mut found.id,
                _ if head << 8 == word(*b"\0\"error\"") => &mut found.error,
                _ => found.other_member(root.at(at)),
            };
            *member = at + 1;
            at = value.past(at + 1);
        }
        found.kind = if found.method != ABSENT {
            if found.id == ABSENT {
                MessageKind::Notification
            } else {
                MessageKind::Request
            }
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

    /// Where a member goes whose name has escapes, stands at the very end, or means nothing to JSON-RPC.
    #[inline(never)]
    fn other_member(&mut self, key: Node<'a>) -> &mut u32 {
        match key {
            _ if key.is_text("id") => &mut self.id,
            _ if key.is_text("error") => &mut self.error,
            _ if key.is_text("method") => &mut self.method,
            _ if key.is_text("params") => &mut self.params,
            _ if key.is_text("result") => &mut self.result,
            _ if key.is_text("jsonrpc") => &mut self.version,
            _ => &mut self.other,
        }
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

    /// Whether nothing is wrong with the envelope: the path of valid messages.
    #[inline(always)]
    pub(crate) fn is_sound(&self) -> bool {
        let (tokens, bytes) = (self.root.tokens(), self.root.bytes());
        let token = |index: u32| tokens.get(index as usize);
        let is_object = |index| token(index).is_some_and(|token| token.kind == Kind::Object);
        token(self.version).is_some_and(|version| version.is_plain(bytes, "2.0"))
            && match self.kind {
                MessageKind::Request | MessageKind::Notification => {
                    (self.id == ABSENT || token(self.id).is_some_and(is_id))
                        && token(self.method).is_some_and(|method| method.kind == Kind::String)
                        && (self.params == ABSENT || is_object(self.params))
                        && self.result == ABSENT
                        && self.error == ABSENT
                }
                MessageKind::Response => {
                    token(self.id).is_some_and(is_id)
                        && is_object(self.result)
                        && self.error == ABSENT
                }
                MessageKind::Error => {
                    token(self.id).is_some_and(is_id)
                        && is_object(self.error)
                        && self.has_code_and_message()
                }
                _ => false,
            }
    }

    fn has_code_and_message(&self) -> bool {
        self.error_member("code").is_some_and(Node::is_integer)
            && self
                .error_member("message")
                .is_some_and(|message| message.kind() == Kind::String)
    }

    /// A member of the error object.
    #[inline(always)]
    pub(crate) fn error_member(&self, name: &str) -> Option<Node<'a>> {
        member_of(self.error()?, name)
    }

    /// Says what is wrong with the envelope under a revision, if anything.
    pub(crate) fn check(&self, revision: Revision, sink: &mut dyn Sink) -> ControlFlow<()> {
        if self.is_sound() {
            ControlFlow::Continue(())
        } else {
            self.explain(revision, sink)
        }
    }

    fn explain(&self, revision: Revision, sink: &mut dyn Sink) -> ControlFlow<()> {
        match self.version() {
            None => missing(
                &inline::VERSION_MEMBER,
                self.root(),
                "jsonrpc",
                Owner::Message,
                sink,
            )?,
            Some(version) if !version.is_text("2.0") => {
                raise(&inline::VERSION_MEMBER, version, Detail::Plain, sink)?;
            }
            Some(_) => {}
        }
        match self.kind {
            MessageKind::Request | MessageKind::Notification => self.explain_call(sink),
            MessageKind::Response | MessageKind::Error => self.explain_answer(revision, sink),
            MessageKind::Batch | MessageKind::Unreadable => {
                raise(&inline::KNOWN_KIND, self.root(), Detail::Plain, sink)
            }
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
                raise(
                    &inline::NOT_TWO_KINDS,
                    member,
                    Detail::Unexpected { member: name },
                    sink,
                )?;
            }
        }
        ControlFlow::Continue(())
    }

    fn explain_answer(&self, revision: Revision, sink: &mut dyn Sink) -> ControlFlow<()> {
        let failed = self.kind == MessageKind::Error;
        match self.id() {
            Some(id) if failed => explain_id(id, &inline::ERROR_ID_NOT_NULL, sink)?,
            Some(id) => explain_id(id, &inline::ID_TYPE, sink)?,
            None if !failed => missing(
                &inline::RESULT_HAS_ID,
                self.root(),
                "id",
                Owner::Message,
                sink,
            )?,
            None if !revision.has(Fact::ErrorWithoutId) => {
                missing(
                    &inline::ERROR_ID_REQUIRED,
                    self.root(),
                    "id",
                    Owner::Message,
                    sink,
                )?;
            }
            None => {}
        }
        if let Some(result) = self.result().filter(|result| result.kind() != Kind::Object) {
            expected(&inline::RESULT_OBJECT, result, "an object", sink)?;
        }
        let Some(error) = self.error() else {
            return ControlFlow::Continue(());
        };
        if self.result().is_some() {
            raise(
                &inline::RESULT_XOR_ERROR,
                error,
                Detail::Unexpected { member: "error" },
                sink,
            )?;
        }
        if error.kind() != Kind::Object {
            return expected(&inline::ERROR_OBJECT, error, "an object", sink);
        }
        match error.get("code") {
            None => missing(
                &inline::ERROR_CODE_INTEGER,
                error,
                "code",
                Owner::Error,
                sink,
            )?,
            Some(code) if !code.is_integer() => {
                expected(&inline::ERROR_CODE_INTEGER, code, "an integer", sink)?;
            }
            Some(_) => {}
        }
        match error.get("message") {
            None => missing(
                &inline::ERROR_MESSAGE_STRING,
                error,
                "message",
                Owner::Error,
                sink,
            ),
            Some(text) if text.kind() != Kind::String => {
                expected(&inline::ERROR_MESSAGE_STRING, text, "a string", sink)
            }
            Some(_) => ControlFlow::Continue(()),
        }
    }
}

/// A string, or an integer that every peer can represent. Others are looked at by [`explain_id`].
#[inline]
fn is_id(token: &Token) -> bool {
    match token.kind {
        Kind::String => true,
        // Fifteen digits stay below 2^53.
        Kind::Number => !token.complex && token.end - token.start <= 15,
        _ => false,
    }
}

fn explain_id(id: Node<'_>, if_null: &'static Rule, sink: &mut dyn Sink) -> ControlFlow<()> {
    match id.kind() {
        Kind::Null => raise(
            if_null,
            id,
            Detail::EnvelopeType {
                expected: "a string or an integer",
                found: Kind::Null,
            },
            sink,
        ),
        Kind::Number if !id.is_integer() => {
            raise(&inline::ID_NOT_FRACTIONAL, id, Detail::Plain, sink)
        }
        Kind::Number if !id.is_exact_integer() => {
            raise(&inline::INTEGER_PRECISION, id, Detail::Plain, sink)
        }
        Kind::String | Kind::Number => ControlFlow::Continue(()),
        _ => expected(&inline::ID_TYPE, id, "a string or an integer", sink),
    }
}

/// The same as [`Node::get`], compiled anew for each name.
#[inline(always)]
pub(crate) fn member_of<'a>(object: Node<'a>, name: &str) -> Option<Node<'a>> {
    let (tokens, bytes) = (object.tokens(), object.bytes());
    let end = if object.kind() == Kind::Object {
        object.end() as usize
    } else {
        0
    };
    let mut at = object.index() as usize + 1;
    let mut found = None;
    while at < end {
        let Some([key, value]) = tokens.get(at..).and_then(<[Token]>::first_chunk) else {
            break;
        };
        if key.is_plain(bytes, name) || (key.complex && object.at(at as u32).is_text(name)) {
            found = Some(object.at(at as u32 + 1));
        }
        at = value.past(at as u32 + 1) as usize;
    }
    found
}

pub(crate) fn raise(
    rule: &'static Rule,
    at: Node<'_>,
    detail: Detail,
    sink: &mut dyn Sink,
) -> ControlFlow<()> {
    sink.push(Violation::new(rule, at.span(), Some(at.index()), detail))
}

fn expected(
    rule: &'static Rule,
    at: Node<'_>,
    expected: &'static str,
    sink: &mut dyn Sink,
) -> ControlFlow<()> {
    raise(
        rule,
        at,
        Detail::EnvelopeType {
            expected,
            found: at.kind(),
        },
        sink,
    )
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
