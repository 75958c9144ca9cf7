//! The flat list of tokens that a message becomes.

use super::fault::{Fault, FaultKind};
use super::head::Head;
use super::limits::ScanLimits;
use super::node::Node;
use super::state::Begun;
use super::token::{Kind, Open, Token};

/// The tokens of one message, in order. Reused from message to message, so that a warm tape
/// allocates nothing.
#[derive(Default, Debug)]
pub struct Tape {
    /// The first `len` are in use; the rest are there to be written.
    pub(super) tokens: Vec<Token>,
    pub(super) len: usize,
    /// A bit for each hash that a key of the message has.
    pub(super) key_hashes: u64,
    /// The members of the envelope that were seen at the beginning.
    pub(super) head: Head,
    /// The state of the scan before its loop.
    pub(super) begun: Begun,
    /// The containers around the innermost open one while scanning, with a bit for each key hash
    /// seen in them.
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

impl Tape {
    /// An empty tape.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Empties the tape. The limits may differ from those of the last message: the tape keeps no
    /// more room than they allow.
    pub fn clear(&mut self, limits: &ScanLimits) {
        self.tokens.truncate(limits.tokens);
        self.reset();
    }

    /// Drops everything that belongs to a message and keeps the room. Names every field, so that
    /// none can be forgotten.
    pub(super) fn reset(&mut self) {
        let Self {
            tokens: _,
            len,
            key_hashes,
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
        *key_hashes = 0;
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

    /// A bit for each hash that a key of the message has.
    #[inline(always)]
    #[must_use]
    pub fn key_hashes(&self) -> u64 {
        self.key_hashes
    }

    /// The members of the envelope that were seen at the beginning.
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

    /// The objects that have such keys, among others.
    pub fn objects_with_repeats(&self) -> impl Iterator<Item = u32> {
        self.suspects.iter().map(|(object, _)| *object)
    }

    /// Whether it is legal JSON that receivers may read in different ways: it has a key twice, or
    /// half a surrogate pair.
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
