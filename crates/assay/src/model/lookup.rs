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
/// It sees all of a key of less than eight bytes; of others the first and the last eight and, beyond sixteen, eight from
/// the middle: enough to tell the names of the protocol apart, and constant work for hostile ones.
#[inline]
#[must_use]
pub fn hash_key(key: &[u8]) -> u32 {
    let (Some(head), Some(tail)) = (key.first_chunk(), key.last_chunk()) else {
        return mix(key.iter().rev().fold(0, |head, byte| head << 8 | u64::from(*byte)));
    };
    let ends = u64::from_le_bytes(*head) ^ u64::from_le_bytes(*tail).rotate_left(29);
    if key.len() <= 16 {
        return mix(ends);
    }
    let middle = key.get(key.len() / 2..).and_then(<[u8]>::first_chunk).map_or(0, |chunk| u64::from_le_bytes(*chunk));
    mix(ends ^ middle.rotate_left(13) ^ key.len() as u64)
}

/// The last step of [`hash_key`]; for a key of less than eight bytes, the only one.
#[inline]
#[must_use]
pub(crate) fn mix(folded: u64) -> u32 {
    (folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}
