//! A 6-bit hash of a key, to rule out most duplicates and most members.
//!
//! The scanner computes it for each key. Two keys of one object with equal hashes may be equal, and
//! a key with the hash of a member of a struct may be that member.

use super::string;

/// A 6-bit hash of a key: of its first three bytes and its length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyHash(pub(super) u32);

impl KeyHash {
    /// The number of hashes.
    pub const COUNT: usize = 64;

    pub(super) const NONE: Self = Self(0);

    /// The hash of a key whose quotes are at `open` and `close`, with a colon right after.
    #[inline(always)]
    pub(super) fn of_key(bytes: &[u8], open: u32, close: u32) -> Self {
        let (open, close) = (open as usize, close as usize);
        if close <= open + 1 {
            return empty();
        }
        // The last byte of a key of two bytes is the closing quote; of a key of one byte, the last
        // two are the quote and the colon.
        match bytes.get(open..open + 4).and_then(<[u8]>::first_chunk) {
            Some(head) => Self::blend(*head, (close - open) as u32),
            None => empty(),
        }
    }

    /// The hash of a text.
    #[must_use]
    pub const fn of(text: &[u8]) -> Self {
        let head = match *text {
            [] => return Self::NONE,
            [first] => [b'"', first, b'"', b':'],
            [first, second] => [b'"', first, second, b'"'],
            [first, second, third, ..] => [b'"', first, second, third],
        };
        Self::blend(head, text.len() as u32 + 1)
    }

    /// The hash of a key with escapes: that of its text.
    #[cold]
    pub(super) fn of_escaped(inner: &[u8], decoded: &mut Vec<u8>) -> Self {
        decoded.clear();
        string::decode(inner, decoded);
        Self::of(decoded)
    }

    /// `head` begins with the opening quote; `length` counts one quote. With this factor no two
    /// members of any object of the protocol have the same hash, hardly any common keywords of JSON
    /// Schema do, and no member that rules look up in common messages has the hash of one that is
    /// there.
    #[inline(always)]
    const fn blend(head: [u8; 4], length: u32) -> Self {
        let mixed = u32::from_le_bytes(head)
            .wrapping_add(length)
            .wrapping_mul(0xa1ca_d167);
        Self(mixed >> 26)
    }

    /// The hashes of names, a bit for each.
    #[must_use]
    pub const fn all_of(names: &[&str]) -> u64 {
        let (mut key_hashes, mut rest) = (0, names);
        while let [name, others @ ..] = rest {
            key_hashes |= 1 << Self::of(name.as_bytes()).index();
            rest = others;
        }
        key_hashes
    }

    /// Whether this hash is in a set with a bit for each hash.
    #[inline(always)]
    #[must_use]
    pub const fn is_in(self, key_hashes: u64) -> bool {
        key_hashes >> self.index() & 1 == 1
    }

    /// The hash as a number below [`KeyHash::COUNT`].
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize % Self::COUNT
    }
}

#[cold]
#[inline(never)]
fn empty() -> KeyHash {
    KeyHash::NONE
}
