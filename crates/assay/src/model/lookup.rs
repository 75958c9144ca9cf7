//! Finding a name in a fixed set with one probe.

/// A perfect hash of a small set of names: a key's hash picks one slot, and only that name has to be compared.
#[derive(Clone, Copy, Debug)]
pub struct Lookup {
    /// Multiplier found by code generation.
    pub multiplier: u32,
    /// How far the product is shifted down.
    pub shift: u32,
    /// Slot to index; `u8::MAX` is empty. The length is `1 << (32 - shift)`.
    pub slots: &'static [u8],
}

impl Lookup {
    /// The only index whose name can have this hash, if any.
    #[inline]
    #[must_use]
    pub fn candidate(&self, hash: u32) -> Option<usize> {
        let slot = hash.wrapping_mul(self.multiplier) >> self.shift;
        match self.slots.get(slot as usize) {
            Some(&index) if index != u8::MAX => Some(usize::from(index)),
            _ => None,
        }
    }
}

/// The hash of a key, by which the scanner marks repeated keys and the tables find a name.
///
/// It sees the length, the first and the last eight bytes and, beyond sixteen, eight from the middle: enough to tell the
/// names of the protocol apart, and constant work for hostile ones.
#[inline]
#[must_use]
pub fn hash_key(key: &[u8]) -> u32 {
    let (head, tail) = ends(key);
    mix(head, tail, middle(key), key.len())
}

/// The mixing step of [`hash_key`], for callers that have the parts at hand.
#[inline]
#[must_use]
pub(crate) fn mix(head: u64, tail: u64, middle: u64, len: usize) -> u32 {
    let folded = head ^ tail.rotate_left(29) ^ middle.rotate_left(13) ^ (len as u64) << 56;
    (folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}

/// Eight bytes from the middle of a key of more than sixteen, zero for shorter ones.
#[inline]
#[must_use]
pub(crate) fn middle(key: &[u8]) -> u64 {
    if key.len() <= 16 {
        return 0;
    }
    key.get(key.len() / 2..).and_then(<[u8]>::first_chunk).map_or(0, |chunk| u64::from_le_bytes(*chunk))
}

/// The first eight bytes and, for keys of eight bytes and more, the last eight; little endian, padded with zeros.
#[inline]
#[must_use]
pub(crate) const fn ends(key: &[u8]) -> (u64, u64) {
    if let (Some(head), Some(tail)) = (key.first_chunk::<8>(), key.last_chunk::<8>()) {
        return (u64::from_le_bytes(*head), u64::from_le_bytes(*tail));
    }
    let mut head = 0;
    let mut index = key.len();
    while index > 0 {
        index -= 1;
        head = head << 8 | key[index] as u64;
    }
    (head, 0)
}
