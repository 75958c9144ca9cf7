//! A lookup of a name in a fixed set with one probe.

/// A perfect hash of a small set of names: a key's hash picks one slot, and only that name has to
/// be compared.
#[derive(Clone, Copy, Debug)]
pub struct Lookup {
    /// Multiplier found by code generation.
    pub multiplier: u64,
    /// The distance by which the product is shifted down.
    pub shift: u32,
    /// Slot to index; `u8::MAX` is empty. The length is `1 << (64 - shift)`.
    pub slots: &'static [u8],
}

impl Lookup {
    /// The only index whose name can have this hash, if any.
    #[inline(always)]
    #[must_use]
    pub fn candidate(&self, hash: u64) -> Option<usize> {
        let slot = hash.wrapping_mul(self.multiplier) >> (self.shift & 63);
        match self.slots.get(slot as usize) {
            Some(&index) if index != u8::MAX => Some(usize::from(index)),
            _ => None,
        }
    }
}

/// The hash of a key by which the tables find a name.
///
/// Covers all of a key of up to sixteen bytes, and of a longer one also eight bytes from its
/// middle: enough to distinguish the names of the protocol, and constant work for hostile ones.
#[inline]
#[must_use]
pub fn hash_key(key: &[u8]) -> u64 {
    let hash = Ends::of(key).hash();
    if key.len() <= 16 {
        hash
    } else {
        hash ^ middle(key)
    }
}

/// The part of [`hash_key`] for a key of more than sixteen bytes.
#[inline]
pub(crate) fn middle(key: &[u8]) -> u64 {
    let chunk = key.get(key.len() / 2..).and_then(<[u8]>::first_chunk);
    chunk.map_or(0, |chunk| u64::from_le_bytes(*chunk).rotate_left(13)) ^ key.len() as u64
}

/// The first eight bytes of a key, padded with zeros, and the last eight of one that has as many.
/// Together with the length they are all of a key of up to sixteen bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ends {
    pub(crate) head: u64,
    pub(crate) tail: u64,
}

impl Ends {
    pub(crate) const fn of(key: &[u8]) -> Self {
        if let (Some(head), Some(tail)) = (key.first_chunk(), key.last_chunk()) {
            return Self {
                head: u64::from_le_bytes(*head),
                tail: u64::from_le_bytes(*tail),
            };
        }
        let mut head = 0;
        let mut index = key.len();
        while index > 0 {
            index -= 1;
            head = head << 8 | key[index] as u64;
        }
        Self { head, tail: 0 }
    }

    #[inline(always)]
    pub(crate) fn hash(self) -> u64 {
        self.head ^ self.tail.rotate_left(29)
    }
}
