//! A token of the tape, and the container that is open while scanning.

use super::key_hash::KeyHash;

/// The kind of a token.
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

/// A token: its kind and position. Offsets count bytes of the message; strings include their
/// quotes.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Token {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The kind of token.
    pub kind: Kind,
    /// For a string or key: has escapes. For a number: has a fraction or an exponent. For an
    /// object: may have a key twice.
    pub complex: bool,
    /// No gap, so that the second half of a token is written as one word.
    pub(super) zero: u16,
    /// For a value the number of tokens in it: none, unless it is a container. For a key its hash.
    pub(super) inside: u32,
}

impl Token {
    /// The number of tokens in this value.
    #[inline(always)]
    #[must_use]
    pub fn inside(self) -> u32 {
        self.inside
    }

    /// The hash of this key.
    #[inline(always)]
    #[must_use]
    pub fn key_hash(self) -> KeyHash {
        KeyHash(self.inside)
    }

    /// The index past this value and everything in it; `index` is its own.
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
        // There are at least two quotes; wrapping costs nothing, and a number of one digit matches
        // no name either.
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
        // There are only two. A comparison for equality would give the compiler a value to store
        // again.
        self.closer > b']'
    }
}

/// A value without content, or a key without its hash.
#[inline(always)]
pub(super) fn token(kind: Kind, start: u32, end: u32, complex: bool) -> Token {
    Token {
        start,
        end,
        kind,
        complex,
        zero: 0,
        inside: 0,
    }
}

/// A container, by its opening bracket.
#[inline(always)]
pub(super) fn container(bracket: u8, start: u32, end: u32) -> Token {
    let kind = if bracket == b'{' {
        Kind::Object
    } else {
        Kind::Array
    };
    token(kind, start, end, false)
}
