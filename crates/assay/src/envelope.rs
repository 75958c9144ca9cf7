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

/// The members of a message. Of repeated ones the last counts, as most receivers read it.
#[derive(Clone, Copy)]
pub struct Envelope<'a> {
    /// What it is.
    pub kind: MessageKind,
    /// The whole message.
    pub root: Node<'a>,
    /// `jsonrpc`
    pub version: Option<Node<'a>>,
    /// `id`
    pub id: Option<Node<'a>>,
    /// `method`
    pub method: Option<Node<'a>>,
    /// `params`
    pub params: Option<Node<'a>>,
    /// `result`
    pub result: Option<Node<'a>>,
    /// `error`
    pub error: Option<Node<'a>>,
}

impl<'a> Envelope<'a> {
    /// Finds the members of an object and decides what it is, without judging.
    #[inline]
    #[must_use]
    pub fn read(root: Node<'a>) -> Self {
        let (mut version, mut id, mut method) = (None, None, None);
        let (mut params, mut result, mut error) = (None, None, None);
        for (key, value) in root.members() {
            let decoded;
            let name = match key.plain() {
                Some(name) => name,
                None => {
                    decoded = key.text().unwrap_or_default();
                    decoded.as_bytes()
                }
            };
            let member = match name {
                b"jsonrpc" => &mut version,
                b"id" => &mut id,
                b"method" => &mut method,
                b"params" => &mut params,
                b"result" => &mut result,
                b"error" => &mut error,
                _ => continue,
            };
            *member = Some(value);
        }
        let kind = match (method, id, result, error) {
            _ if root.kind() == Kind::Array => MessageKind::Batch,
            (Some(_), Some(_), ..) => MessageKind::Request,
            (Some(_), None, ..) => MessageKind::Notification,
            (None, _, Some(_), _) => MessageKind::Response,
            (None, _, None, Some(_)) => MessageKind::Error,
            (None, _, None, None) => MessageKind::Unreadable,
        };
        Self { kind, root, version, id, method, params, result, error }
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
        let version = self.version.is_some_and(|version| version.plain() == Some(b"2.0"));
        let sound = version
            && match self.kind {
                MessageKind::Request | MessageKind::Notification => {
                    self.id.is_none_or(is_id)
                        && self.method.is_some_and(|method| method.kind() == Kind::String)
                        && self.params.is_none_or(|params| params.kind() == Kind::Object)
                        && self.result.is_none()
                        && self.error.is_none()
                }
                MessageKind::Response => {
                    self.id.is_some_and(is_id)
                        && self.result.is_some_and(|result| result.kind() == Kind::Object)
                        && self.error.is_none()
                }
                _ => false,
            };
        if sound { ControlFlow::Continue(()) } else { self.explain(revision, sink) }
    }

    fn explain(&self, revision: Revision, sink: &mut dyn Sink) -> ControlFlow<()> {
        match self.version {
            None => missing(&inline::VERSION_MEMBER, self.root, "jsonrpc", Owner::Message, sink)?,
            Some(version) if !version.is_text("2.0") => raise(&inline::VERSION_MEMBER, version, Detail::Plain, sink)?,
            Some(_) => {}
        }
        match self.kind {
            MessageKind::Request | MessageKind::Notification => self.explain_call(sink),
            MessageKind::Response | MessageKind::Error => self.explain_answer(revision, sink),
            MessageKind::Batch | MessageKind::Unreadable => raise(&inline::KNOWN_KIND, self.root, Detail::Plain, sink),
        }
    }

    fn explain_call(&self, sink: &mut dyn Sink) -> ControlFlow<()> {
        if let Some(id) = self.id {
            explain_id(id, &inline::REQUEST_ID_NOT_NULL, sink)?;
        }
        if let Some(method) = self.method.filter(|method| method.kind() != Kind::String) {
            expected(&inline::METHOD_STRING, method, "a string", sink)?;
        }
        if let Some(params) = self.params.filter(|params| params.kind() != Kind::Object) {
            expected(&inline::PARAMS_OBJECT, params, "an object", sink)?;
        }
        for (member, name) in [(self.result, "result"), (self.error, "error")] {
            if let Some(member) = member {
                raise(&inline::NOT_TWO_KINDS, member, Detail::Unexpected { member: name }, sink)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn explain_answer(&self, revision: Revision, sink: &mut dyn Sink) -> ControlFlow<()> {
        let failed = self.kind == MessageKind::Error;
        match self.id {
            Some(id) if failed => explain_id(id, &inline::ERROR_ID_NOT_NULL, sink)?,
            Some(id) => explain_id(id, &inline::ID_TYPE, sink)?,
            None if !failed => missing(&inline::RESULT_HAS_ID, self.root, "id", Owner::Message, sink)?,
            None if !revision.has(Fact::ErrorWithoutId) => {
                missing(&inline::ERROR_ID_REQUIRED, self.root, "id", Owner::Message, sink)?;
            }
            None => {}
        }
        if let Some(result) = self.result.filter(|result| result.kind() != Kind::Object) {
            expected(&inline::RESULT_OBJECT, result, "an object", sink)?;
        }
        let Some(error) = self.error else { return ControlFlow::Continue(()) };
        if self.result.is_some() {
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
