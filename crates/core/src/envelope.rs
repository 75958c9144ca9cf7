//! JSON-RPC: the kind of a message and the positions of its members.
//!
//! Only the envelope is checked here; the model checks params and results.

use core::ops::ControlFlow;

use crate::Revision;
use crate::catalogue::{Detail, Level, Owner, Rule, Sink, Violation, inline};
use crate::model::Fact;
pub(crate) use crate::model::MessageKind;
use crate::syntax::{Head, Kind, Node, Token};

/// The members of a message, as positions on its tape. Of repeated members the last counts, as most
/// receivers read it.
#[derive(Clone, Copy)]
pub struct Envelope<'a> {
    /// The kind of the message.
    pub kind: MessageKind,
    root: Node<'a>,
    members: [Position; Member::COUNT],
    /// The members that the scanner has already checked.
    seen: Seen,
    /// The digits of the id, if the scanner found them: the first in the lowest byte; else zero.
    digits: u64,
}

/// The members of a message that the scanner has already checked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Nothing,
    /// The first members.
    Beginning,
    /// All members, except those of an error object.
    All,
}

/// A member of a message.
#[derive(Clone, Copy)]
pub(crate) enum Member {
    Version,
    Id,
    Method,
    Params,
    Result,
    Error,
    /// `code` of the error object; read only if the message is an error, as are the next two.
    Code,
    /// `message` of the error object.
    Text,
    /// `data` of the error object.
    Data,
    /// A member that JSON-RPC does not define; its position is only a place to write to.
    Other,
}

impl Member {
    const COUNT: usize = Self::Other as usize + 1;

    /// The member whose key is at a token of the message.
    #[inline(always)]
    fn at(index: u32, key: &Token, message: &Node<'_>) -> Self {
        let head = head(key, message.bytes());
        match head {
            _ if head == word(*b"\"jsonrpc") && key.text_len() == 7 => Self::Version,
            _ if head & 0xffff_ffff == word(*b"\"id\"\0\0\0\0") => Self::Id,
            _ if head == word(*b"\"method\"") => Self::Method,
            _ if head == word(*b"\"params\"") => Self::Params,
            _ if head == word(*b"\"result\"") => Self::Result,
            _ if head << 8 == word(*b"\0\"error\"") => Self::Error,
            _ => {
                let names = [
                    ("jsonrpc", Self::Version),
                    ("id", Self::Id),
                    ("method", Self::Method),
                    ("params", Self::Params),
                    ("result", Self::Result),
                    ("error", Self::Error),
                ];
                Self::otherwise_named(index, message, &names)
            }
        }
    }

    /// The same for a key of the error object.
    #[inline(always)]
    fn in_error_at(index: u32, key: &Token, message: &Node<'_>) -> Self {
        let head = head(key, message.bytes());
        match head {
            _ if head << 16 == word(*b"\0\0\"code\"") => Self::Code,
            _ if head == word(*b"\"message") && key.text_len() == 7 => Self::Text,
            _ if head << 16 == word(*b"\0\0\"data\"") => Self::Data,
            _ => {
                let names = [
                    ("code", Self::Code),
                    ("message", Self::Text),
                    ("data", Self::Data),
                ];
                Self::otherwise_named(index, message, &names)
            }
        }
    }

    /// The member of a key that has escapes, is at the end of the message, or is not defined by
    /// JSON-RPC.
    #[inline(never)]
    fn otherwise_named(index: u32, message: &Node<'_>, names: &[(&str, Self)]) -> Self {
        let key = message.at(index);
        names
            .iter()
            .find(|(name, _)| key.is_text(name))
            .map_or(Self::Other, |(_, member)| *member)
    }
}

/// The position of a member on the tape, if it is there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Position(u32);

impl Position {
    pub(crate) const ABSENT: Self = Self(u32::MAX);

    #[inline(always)]
    pub(crate) fn get(self) -> Option<u32> {
        (self != Self::ABSENT).then_some(self.0)
    }

    /// The token of the member.
    #[inline(always)]
    fn token(self, tokens: &[Token]) -> Option<&Token> {
        // No tape has a token at the position that stands for an absent member.
        tokens.get(self.0 as usize)
    }

    #[inline(always)]
    fn is(self, kind: Kind, tokens: &[Token]) -> bool {
        self.token(tokens).is_some_and(|token| token.kind == kind)
    }
}

/// The opening quote of a key and the next seven bytes. They identify a member: with its quotes,
/// only one name of JSON-RPC is longer.
#[inline(always)]
fn head(key: &Token, bytes: &[u8]) -> u64 {
    let start = key.start as usize;
    let head = bytes.get(start..start + 8).and_then(<[u8]>::first_chunk);
    head.map_or(0, |head| u64::from_le_bytes(*head))
}

/// Eight bytes as a word.
const fn word(bytes: [u8; 8]) -> u64 {
    u64::from_le_bytes(bytes)
}

impl<'a> Envelope<'a> {
    /// Finds the members of an object and its kind, without checking them.
    #[must_use]
    pub fn read(root: Node<'a>) -> Self {
        let mut envelope = Self::unread(root);
        envelope.find_members(&Head::UNSEEN);
        envelope
    }

    /// An envelope without members.
    #[inline(always)]
    pub(crate) fn unread(root: Node<'a>) -> Self {
        Self {
            kind: MessageKind::Unreadable,
            root,
            members: [Position::ABSENT; Member::COUNT],
            seen: Seen::Nothing,
            digits: 0,
        }
    }

    /// Finds the members; `head` has those that the scanner already found.
    #[inline(always)]
    pub(crate) fn find_members(&mut self, head: &Head) {
        let object = self.root.index();
        let mut first = object + 1;
        if let Some(last) = head.tokens.checked_sub(1) {
            for (member, seen) in self.members.iter_mut().zip(&head.members) {
                *member = Position(*seen);
            }
            self.digits = head.id;
            let tokens = self.root.tokens();
            let token = tokens.get(last as usize);
            first = token.map_or(0, |token| token.past(last));
            self.seen = if first as usize == tokens.len() {
                Seen::All
            } else {
                Seen::Beginning
            };
        }
        if self.seen != Seen::All {
            self.record_members(object, first, Member::at);
        }
        self.kind = if self.has(Member::Method) {
            if self.has(Member::Id) {
                MessageKind::Request
            } else {
                MessageKind::Notification
            }
        } else if self.has(Member::Result) {
            MessageKind::Response
        } else if self.has(Member::Error) {
            self.find_error_members();
            MessageKind::Error
        } else if self.root.kind() == Kind::Array {
            MessageKind::Batch
        } else {
            MessageKind::Unreadable
        };
    }

    #[inline(never)]
    fn find_error_members(&mut self) {
        if let Some(error) = self.position(Member::Error).get() {
            self.record_members(error, error + 1, Member::in_error_at);
        }
    }

    /// Records the positions of the members of an object, from a key on.
    #[inline(always)]
    fn record_members(
        &mut self,
        object: u32,
        first: u32,
        named: impl Fn(u32, &Token, &Node<'_>) -> Member,
    ) {
        let tokens = self.root.tokens();
        let end = match tokens.get(object as usize) {
            Some(token) if token.kind == Kind::Object => token.past(object),
            _ => 0,
        };
        let all = tokens.get(first as usize..end as usize);
        let mut rest = all.unwrap_or_default();
        while let [key, value, others @ ..] = rest {
            let at = end - rest.len() as u32;
            self.members[named(at, key, &self.root) as usize] = Position(at + 1);
            let Some(next) = others.get(value.inside() as usize..) else {
                break;
            };
            rest = next;
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
        self.member(Member::Version)
    }

    /// `id`
    #[inline]
    #[must_use]
    pub fn id(&self) -> Option<Node<'a>> {
        self.member(Member::Id)
    }

    /// `method`
    #[inline]
    #[must_use]
    pub fn method(&self) -> Option<Node<'a>> {
        self.member(Member::Method)
    }

    /// `params`
    #[inline]
    #[must_use]
    pub fn params(&self) -> Option<Node<'a>> {
        self.member(Member::Params)
    }

    /// `result`
    #[inline]
    #[must_use]
    pub fn result(&self) -> Option<Node<'a>> {
        self.member(Member::Result)
    }

    /// `error`
    #[inline]
    #[must_use]
    pub fn error(&self) -> Option<Node<'a>> {
        self.member(Member::Error)
    }

    /// `code` of the error object, if the message is an error.
    #[inline]
    pub(crate) fn error_code(&self) -> Option<Node<'a>> {
        self.member(Member::Code)
    }

    /// `data` of the error object, if the message is an error.
    #[inline]
    pub(crate) fn error_data(&self) -> Option<Node<'a>> {
        self.member(Member::Data)
    }

    /// The position of a member.
    #[inline(always)]
    pub(crate) fn position(&self, member: Member) -> Position {
        self.members[member as usize]
    }

    #[inline(always)]
    fn member(&self, member: Member) -> Option<Node<'a>> {
        Some(self.root.at(self.position(member).get()?))
    }

    /// The token of a member.
    #[inline(always)]
    pub(crate) fn token(&self, member: Member) -> Option<&'a Token> {
        self.position(member).token(self.root.tokens())
    }

    /// The digits of the id, if the scanner found them: the first in the lowest byte.
    #[inline(always)]
    pub(crate) fn known_id(&self) -> Option<u64> {
        // A repeated id has another position.
        (self.digits != 0 && self.position(Member::Id) == Position(4)).then_some(self.digits)
    }

    /// The bytes of the message.
    #[inline(always)]
    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.root.bytes()
    }

    #[inline(always)]
    pub(crate) fn has(&self, member: Member) -> bool {
        self.position(member) != Position::ABSENT
    }

    /// Whether it has a method.
    #[inline(always)]
    #[must_use]
    pub fn is_call(&self) -> bool {
        matches!(self.kind, MessageKind::Request | MessageKind::Notification)
    }

    /// Whether the envelope is without fault: the path of valid messages.
    #[inline(always)]
    pub(crate) fn is_sound(&self) -> bool {
        let (tokens, bytes) = (self.root.tokens(), self.root.bytes());
        let token = |member| self.token(member);
        let is_object = |member| self.position(member).is(Kind::Object, tokens);
        let version = || token(Member::Version).is_some_and(|version| is_2_0(version, bytes));
        let is_id = || self.known_id().is_some() || token(Member::Id).is_some_and(is_id);
        if self.seen == Seen::All && self.kind != MessageKind::Error {
            return true;
        }
        // The scanner has checked it, unless it is repeated, which moves the position.
        ((self.seen != Seen::Nothing && self.position(Member::Version) == Position(2)) || version())
            && match self.kind {
                MessageKind::Request | MessageKind::Notification => {
                    (self.kind == MessageKind::Notification || is_id())
                        && self.position(Member::Method).is(Kind::String, tokens)
                        && (!self.has(Member::Params) || is_object(Member::Params))
                        && !self.has(Member::Result)
                        && !self.has(Member::Error)
                }
                MessageKind::Response => {
                    is_id() && is_object(Member::Result) && !self.has(Member::Error)
                }
                MessageKind::Error => {
                    is_id()
                        && is_object(Member::Error)
                        && token(Member::Code).is_some_and(|code| self.is_integer(code))
                        && self.position(Member::Text).is(Kind::String, tokens)
                }
                MessageKind::Batch | MessageKind::Unreadable | MessageKind::Empty => false,
            }
    }

    /// Whether the code of an error is an integer, in any notation.
    #[inline(always)]
    fn is_integer(&self, code: &Token) -> bool {
        code.kind == Kind::Number
            && (!code.complex || self.error_code().is_some_and(Node::is_integer))
    }

    /// Reports the faults of the envelope under a revision.
    pub(crate) fn check(&self, revision: Revision, sink: &mut dyn Sink) -> ControlFlow<()> {
        if self.is_sound() {
            ControlFlow::Continue(())
        } else {
            self.explain(revision, sink)
        }
    }

    fn explain(&self, revision: Revision, sink: &mut dyn Sink) -> ControlFlow<()> {
        match self.version() {
            // A value that is no message lacks the version, too: that is one fault.
            None if self.kind == MessageKind::Unreadable => {}
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
            MessageKind::Batch | MessageKind::Unreadable | MessageKind::Empty => {
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

    /// Whether it refuses something whose id could not be read, in a revision whose errors must
    /// have one: plain JSON-RPC demands null there.
    fn names_nothing(&self, revision: Revision) -> bool {
        let code = self.error_code().and_then(Node::as_i64);
        matches!(code, Some(-32700 | -32600)) && !revision.has(Fact::ErrorWithoutId)
    }

    fn explain_answer(&self, revision: Revision, sink: &mut dyn Sink) -> ControlFlow<()> {
        let failed = self.kind == MessageKind::Error;
        match self.id() {
            Some(id) if failed && id.kind() == Kind::Null => {
                let detail = Detail::EnvelopeType {
                    expected: "a string or an integer",
                    found: Kind::Null,
                };
                let (span, token) = (id.span(), Some(id.index()));
                let null = Violation::new(&inline::ERROR_ID_NOT_NULL, span, token, detail);
                let at_most = if self.names_nothing(revision) {
                    Level::Note
                } else {
                    Level::Error
                };
                sink.push(Violation { at_most, ..null })?;
            }
            Some(id) if failed => explain_id(id, &inline::ID_TYPE, sink)?,
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

/// Whether it is the string `2.0`, without escapes.
#[inline(always)]
fn is_2_0(token: &Token, bytes: &[u8]) -> bool {
    let start = token.start as usize;
    // Five bytes with its quotes; nothing else begins with a quote.
    token.end - token.start == 5
        && bytes
            .get(start..start + 4)
            .is_some_and(|head| head == b"\"2.0")
}

/// A string, or an integer that every peer can represent. [`explain_id`] checks all others.
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

#[cfg(test)]
mod tests;
