//! Names as they are compared.

/// A name of up to fifteen bytes as it stands on the wire, with the quote that ends it: two words
/// that meet or overlap. The quote marks the end, so that equal words are equal names.
#[derive(Clone, Copy)]
pub(crate) struct Name {
    head: u64,
    tail: u64,
    /// The bytes of the head that are its own.
    mask: u64,
    /// The offset of the tail; 0 if the head is all of it.
    offset: u8,
}

impl Name {
    pub(super) const MAX_LENGTH: usize = 15;

    /// A name that equals no text.
    pub(super) const NONE: Self = Self {
        head: 1,
        tail: 0,
        mask: 0,
        offset: 0,
    };

    /// The name, or none if it is too long.
    pub(super) const fn of(name: &str) -> Self {
        let name = name.as_bytes();
        if name.len() > Self::MAX_LENGTH {
            return Self::NONE;
        }
        let mut all = b'"' as u128;
        let mut index = name.len();
        while index > 0 {
            index -= 1;
            all = all << 8 | name[index] as u128;
        }
        let offset = name.len().saturating_sub(7);
        Self {
            head: all as u64,
            tail: (all >> (8 * offset)) as u64,
            mask: if name.len() < 7 {
                (1 << (8 * name.len() + 8)) - 1
            } else {
                !0
            },
            offset: offset as u8,
        }
    }

    /// Whether a string or key, whose opening quote is at `start`, is the name.
    #[inline(always)]
    pub(crate) fn is_at(&self, start: u32, bytes: &[u8]) -> bool {
        let at = start as usize + 1;
        let word = match bytes.get(at..at + 8).and_then(<[u8]>::first_chunk) {
            Some(word) => u64::from_le_bytes(*word),
            None => last_word(at, bytes),
        };
        self.is(word, at, bytes)
    }

    /// The same, when the word at the place after the quote was read.
    #[inline(always)]
    pub(super) fn is(&self, word: u64, at: usize, bytes: &[u8]) -> bool {
        if word & self.mask != self.head {
            return false;
        }
        let at = at + usize::from(self.offset);
        self.offset == 0
            || bytes
                .get(at..at + 8)
                .is_some_and(|word| word == self.tail.to_le_bytes())
    }
}

/// The last bytes of the message, if fewer than eight, padded with zeros.
#[cold]
#[inline(never)]
fn last_word(at: usize, bytes: &[u8]) -> u64 {
    let rest = bytes.get(at..).unwrap_or_default();
    rest.iter()
        .rev()
        .fold(0, |word, byte| word << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_to_their_last_byte() {
        for length in 0..=Name::MAX_LENGTH {
            let name = "abcdefghijklmno"[..length].to_owned();
            let planned = Name::of(&name);
            for after in ["", ",", ",\"more of the message\"]"] {
                let text = |name: &str| format!("[\"{name}\"{after}");
                assert!(planned.is_at(1, text(&name).as_bytes()), "{name}{after}");
                for other in [name.clone() + "p", name.replace('a', "b") + "x"] {
                    assert!(!planned.is_at(1, text(&other).as_bytes()), "{other}");
                }
                if let Some(shorter) = name.get(..length.wrapping_sub(1)) {
                    assert!(!planned.is_at(1, text(shorter).as_bytes()), "{shorter}");
                }
            }
        }
        assert!(!Name::of("abcdefghijklmnop").is_at(0, b"\"abcdefghijklmnop\""));
    }
}
