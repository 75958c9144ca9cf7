//! The flat list of tokens that a message becomes.

use super::begin::Begun;
use super::fault::{Fault, FaultKind};
use super::head::Head;
use super::limits::ScanLimits;
use super::look::Look;
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
#[repr(C)]
pub struct Token {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// What it is.
    pub kind: Kind,
    /// For a string or key: has escapes. For a number: has a fraction or an exponent. For an object: may have a key twice.
    pub complex: bool,
    /// No gap, so that the second half of a token is written as one word.
    pub(super) zero: u16,
    /// For a value how many tokens are in it: none, unless it is a container. For a key what it looks like.
    pub(super) inside: u32,
}

impl Token {
    /// How many tokens are in this value.
    #[inline(always)]
    #[must_use]
    pub fn inside(self) -> u32 {
        self.inside
    }

    /// What this key looks like.
    #[inline(always)]
    #[must_use]
    pub fn look(self) -> Look {
        Look(self.inside)
    }

    /// The index past this value and all that is in it; `index` is its own.
    #[inline]
    #[must_use]
    pub fn past(self, index: u32) -> u32 {
        // Tokens are counted in 32 bits: it cannot wrap.
        index.wrapping_add(self.inside).wrapping_add(1)
    }

    /// The length of a string or key as it was sent, without its quotes.
    #[inline(always)]
    #[must_use]
    pub fn text_len(self) -> u32 {
        // At least two quotes; wrapping costs nothing, and a number of one digit matches no name either.
        (self.end - self.start).wrapping_sub(2)
    }

    /// Whether it is a string or key without escapes that has this text.
    #[inline(always)]
    #[must_use]
    pub fn is_plain(self, bytes: &[u8], text: &str) -> bool {
        let start = self.start as usize + 1;
        !self.complex
            && self.text_len() as usize == text.len()
            && matches!(self.kind, Kind::String | Kind::Key)
            && bytes
                .get(start..start + text.len())
                .is_some_and(|found| equal(found, text.as_bytes()))
    }
}

/// Equality of two short texts of the same length, without a call.
#[inline(always)]
fn equal(left: &[u8], right: &[u8]) -> bool {
    // The first and the last bytes meet or overlap up to twice as many.
    if let (Some(left_head), Some(right_head)) =
        (left.first_chunk::<16>(), right.first_chunk::<16>())
    {
        return left_head == right_head
            && left.last_chunk::<16>() == right.last_chunk::<16>()
            && (left.len() <= 32 || left == right);
    }
    if let (Some(left_head), Some(right_head)) = (left.first_chunk::<8>(), right.first_chunk::<8>())
    {
        return left_head == right_head && left.last_chunk::<8>() == right.last_chunk::<8>();
    }
    if let (Some(left_head), Some(right_head)) = (left.first_chunk::<4>(), right.first_chunk::<4>())
    {
        return left_head == right_head && left.last_chunk::<4>() == right.last_chunk::<4>();
    }
    left.len() == right.len() && left.iter().zip(right).all(|(left, right)| left == right)
}

/// The tokens of one message, in order. Reused from message to message, so that a warm tape allocates nothing.
#[derive(Default, Debug)]
pub struct Tape {
    /// The first `len` are in use; the rest are there to be written.
    pub(super) tokens: Vec<Token>,
    pub(super) len: usize,
    /// A bit for each look that a key of the message has.
    pub(super) looks: u64,
    /// What was seen of the envelope at the beginning.
    pub(super) head: Head,
    /// How far the scan came before its loop.
    pub(super) begun: Begun,
    /// The containers around the innermost open one while scanning, with a bit for each key hash seen in them.
    pub(super) stack: Vec<(Open, u64)>,
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
    /// The bracket that closes it.
    pub(super) closer: u8,
}

impl Open {
    /// The object at the beginning.
    pub(super) const OBJECT: Self = Self {
        token: 0,
        closer: b'}',
    };

    #[inline(always)]
    pub(super) fn is_object(self) -> bool {
        // There are only two. To ask for equality would tell the compiler a value to store again.
        self.closer > b']'
    }
}

impl Tape {
    /// An empty tape.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Empties the tape. The limits may differ from those of the last message, so no more room than they allow is kept.
    pub fn clear(&mut self, limits: &ScanLimits) {
        self.tokens.truncate(limits.tokens);
        self.reset();
    }

    /// Drops everything that belongs to a message and keeps the room. Names every field, so that none can be forgotten.
    pub(super) fn reset(&mut self) {
        let Self {
            tokens: _,
            len,
            looks,
            head,
            // Written before the loop of each scan reads it.
            begun: _,
            stack,
            suspects,
            // Scratch, cleared where it is filled.
            keys: _,
            repeated,
            lone_surrogate,
            decoded: _,
        } = self;
        *len = 0;
        *looks = 0;
        head.tokens = 0;
        stack.clear();
        suspects.clear();
        repeated.clear();
        *lone_surrogate = None;
    }

    /// Makes room for more tokens.
    #[cold]
    pub(super) fn grow(&mut self, limit: usize, pos: usize) -> Result<(), Fault> {
        // Offsets and links are 32 bits wide, whatever the policy says.
        let limit = limit.min(u32::MAX as usize - 1);
        if self.tokens.len() >= limit {
            return Err(Fault::new(FaultKind::TooManyTokens, pos, pos));
        }
        let size = (self.tokens.len() * 4).max(64).min(limit);
        self.tokens.resize(
            size,
            Token {
                start: 0,
                end: 0,
                kind: Kind::Null,
                complex: false,
                zero: 0,
                inside: 0,
            },
        );
        Ok(())
    }

    /// The tokens.
    #[inline]
    #[must_use]
    pub fn tokens(&self) -> &[Token] {
        &self.tokens[..self.len]
    }

    /// A bit for each look that a key of the message has.
    #[inline(always)]
    #[must_use]
    pub fn looks(&self) -> u64 {
        self.looks
    }

    /// What was seen of the envelope at the beginning.
    #[inline(always)]
    #[must_use]
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// Keys that repeat an earlier one of the same object.
    #[inline]
    #[must_use]
    pub fn repeated_keys(&self) -> &[u32] {
        &self.repeated
    }

    /// Whether it is legal JSON that asks for trouble: it has a key twice, or half a surrogate pair.
    #[inline(always)]
    #[must_use]
    pub fn is_odd(&self) -> bool {
        self.repeated.len() | usize::from(self.lone_surrogate.is_some()) != 0
    }

    /// The first `\u` escape that is half a surrogate pair.
    #[inline]
    #[must_use]
    pub fn lone_surrogate(&self) -> Option<(u32, u32)> {
        self.lone_surrogate
    }

    /// The whole value, if the scan succeeded; `bytes` are those that were scanned.
    #[inline]
    #[must_use]
    pub fn root<'a>(&'a self, bytes: &'a [u8]) -> Option<Node<'a>> {
        (self.len > 0).then(|| self.node(bytes, 0))
    }

    /// The value at a token.
    #[inline]
    #[must_use]
    pub fn node<'a>(&'a self, bytes: &'a [u8], token: u32) -> Node<'a> {
        Node::new(self.tokens(), bytes, token)
    }
}
