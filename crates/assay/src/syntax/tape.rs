//! The flat list of tokens that a message becomes.

use super::node::Node;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    /// `null`
    Null,
    /// `true`
    True,
    /// `false`
    False,
    /// A number.
    Number,
    /// A string value.
    String,
    /// `[ ... ]`
    Array,
    /// `{ ... }`
    Object,
    /// The name of a member; its value is the next token.
    Key,
}

/// A token: where it stands and what it is. Offsets count bytes of the message; strings include their quotes.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// For a container the index past its last token, for a key its hash.
    pub(crate) link: u32,
    /// What it is.
    pub kind: Kind,
    /// For a string or key: has escapes. For a number: has a fraction or an exponent.
    pub(crate) complex: bool,
}

/// The tokens of one message, in order. Reused from message to message, so that a warm tape allocates nothing.
#[derive(Default, Debug)]
pub struct Tape {
    pub(super) tokens: Vec<Token>,
    /// Containers that are open while scanning.
    pub(super) stack: Vec<Open>,
    /// Keys that may repeat an earlier one: (object, key).
    pub(super) suspects: Vec<(u32, u32)>,
    /// Scratch for large objects with suspects.
    pub(super) keys: Vec<u32>,
    /// Keys that do repeat an earlier one, in order.
    pub(super) repeated: Vec<u32>,
    /// The first `\u` escape of half a surrogate pair.
    pub(super) lone_surrogate: Option<(u32, u32)>,
    /// Scratch for keys with escapes.
    pub(super) decoded: Vec<u8>,
}

/// A container that is open while scanning.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub(super) token: u32,
    pub(super) in_object: bool,
    /// One bit for each key hash seen so far.
    pub(super) seen: u64,
}

impl Tape {
    /// An empty tape.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn clear(&mut self) {
        self.tokens.clear();
        self.stack.clear();
        self.suspects.clear();
        self.repeated.clear();
        self.lone_surrogate = None;
    }

    /// The tokens.
    #[inline]
    #[must_use]
    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// Keys that repeat an earlier one of the same object.
    #[must_use]
    pub fn repeated_keys(&self) -> &[u32] {
        &self.repeated
    }

    /// The first `\u` escape that is half a surrogate pair.
    #[must_use]
    pub fn lone_surrogate(&self) -> Option<(u32, u32)> {
        self.lone_surrogate
    }

    /// The whole value, if the scan succeeded; `bytes` are those that were scanned.
    #[must_use]
    pub fn root<'a>(&'a self, bytes: &'a [u8]) -> Option<Node<'a>> {
        (!self.tokens.is_empty()).then(|| self.node(bytes, 0))
    }

    /// The value at a token.
    #[inline]
    #[must_use]
    pub fn node<'a>(&'a self, bytes: &'a [u8], token: u32) -> Node<'a> {
        Node::new(&self.tokens, bytes, token)
    }
}
