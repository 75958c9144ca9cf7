//! What a key looks like at a glance: six bits, in which equal keys are equal.
//!
//! The scanner notes it for each key. Two keys of one object that look alike may be equal, and a key that looks like a member
//! of a struct may be that member.

use super::string;

/// What a key looks like: from its first three bytes and its length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look(pub(super) u32);

impl Look {
    /// How many looks there are.
    pub const COUNT: usize = 64;

    pub(super) const NONE: Self = Self(0);

    /// The look of a key whose quotes are at `open` and `close`, with a colon right behind.
    #[inline(always)]
    pub(super) fn of_key(bytes: &[u8], open: u32, close: u32) -> Self {
        let (open, close) = (open as usize, close as usize);
        if close <= open + 1 {
            return empty();
        }
        // Of a key of two bytes the last one is the closing quote; of one byte also the colon.
        match bytes.get(open..open + 4).and_then(<[u8]>::first_chunk) {
            Some(head) => Self::blend(*head, (close - open) as u32),
            None => empty(),
        }
    }

    /// The look of a text.
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

    /// The look of a key with escapes: that of its text.
    #[cold]
    pub(super) fn of_escaped(inner: &[u8], decoded: &mut Vec<u8>) -> Self {
        decoded.clear();
        string::decode(inner, decoded);
        Self::of(decoded)
    }

    /// `head` begins with the opening quote; `length` counts one quote. The factor is one with which no two members of any
    /// object of the protocol look alike, hardly any common keywords of JSON Schema, and nothing that rules ask common
    /// messages for like anything that these have.
    #[inline(always)]
    const fn blend(head: [u8; 4], length: u32) -> Self {
        let mixed = u32::from_le_bytes(head)
            .wrapping_add(length)
            .wrapping_mul(0xa1ca_d167);
        Self(mixed >> 26)
    }

    /// The looks of names, a bit for each.
    #[must_use]
    pub const fn all_of(names: &[&str]) -> u64 {
        let (mut looks, mut rest) = (0, names);
        while let [name, others @ ..] = rest {
            looks |= 1 << Self::of(name.as_bytes()).index();
            rest = others;
        }
        looks
    }

    /// Whether it is one of these, a bit for each.
    #[inline(always)]
    #[must_use]
    pub const fn is_in(self, looks: u64) -> bool {
        looks >> self.index() & 1 == 1
    }

    /// Its number, below [`Look::COUNT`].
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize % Self::COUNT
    }
}

#[cold]
#[inline(never)]
fn empty() -> Look {
    Look::NONE
}
