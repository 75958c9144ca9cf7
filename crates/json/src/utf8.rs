//! UTF-8 validation: skips blocks of ASCII, and checks only the bytes between them.

use super::simd::{self, Job, Lanes};

/// Whether the bytes are UTF-8.
pub(super) fn is_utf8(bytes: &[u8]) -> bool {
    simd::dispatch(Check(bytes))
}

pub(super) struct Check<'a>(pub(super) &'a [u8]);

impl Job for Check<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> bool {
        let bytes = self.0;
        let (blocks, rest) = bytes.as_chunks::<64>();
        let mut at = 0;
        loop {
            at += lanes.skip_ascii(blocks.get(at..).unwrap_or_default());
            let Some(block) = blocks.get(at) else {
                // The rest is shorter than a block: the last block shows whether it is ASCII.
                return match bytes.last_chunk() {
                    Some(last) if lanes.high(last).leading_zeros() >= rest.len() as u32 => true,
                    _ => is_valid(rest),
                };
            };
            let mut high = lanes.high(block);
            let start = 64 * at + high.trailing_zeros() as usize;
            at += 1;
            // Neighbours are checked together: a character may begin in one and end in the next.
            while let Some(next) = blocks.get(at).map(|block| lanes.high(block))
                && next != 0
            {
                high = next;
                at += 1;
            }
            // Before and after it is ASCII, which is the end of any character.
            let end = if at < blocks.len() {
                64 * at - high.leading_zeros() as usize
            } else {
                bytes.len()
            };
            if !is_valid(bytes.get(start..end).unwrap_or_default()) {
                return false;
            }
            if at >= blocks.len() {
                return true;
            }
        }
    }
}

/// For long texts the crate is faster, for short ones the standard library.
fn is_valid(bytes: &[u8]) -> bool {
    if bytes.len() < 64 {
        core::str::from_utf8(bytes).is_ok()
    } else {
        simdutf8::basic::from_utf8(bytes).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::super::simd::Portable;
    use super::*;

    fn check(bytes: &[u8]) {
        let expected = core::str::from_utf8(bytes).is_ok();
        assert_eq!(is_utf8(bytes), expected, "{bytes:?}");
        assert_eq!(Check(bytes).run(Portable), expected, "{bytes:?}");
    }

    #[test]
    fn agrees_with_the_standard_library() {
        let pieces: [&[u8]; 12] = [
            "é".as_bytes(),
            "東".as_bytes(),
            "🦀".as_bytes(),
            "Москва".as_bytes(),
            b"\x80",
            b"\xc3",
            b"\xe6\x9d",
            b"\xf0\x9f\xa6",
            b"\xc0\xaf",
            b"\xed\xa0\x80",
            b"\xf4\x90\x80\x80",
            b"\xff",
        ];
        for length in [0, 1, 31, 63, 64, 65, 127, 128, 129, 200, 260, 400] {
            let ascii = vec![b'a'; length];
            check(&ascii);
            for piece in pieces {
                for place in 0..=length {
                    let mut bytes = ascii.clone();
                    bytes.splice(place..place, piece.iter().copied());
                    check(&bytes);
                    // Another one further on.
                    let second = (place + 70).min(bytes.len());
                    bytes.splice(second..second, "é".bytes());
                    check(&bytes);
                }
            }
        }
    }

    #[test]
    fn long_texts_without_ascii() {
        for length in [20, 21, 22, 43, 44, 100, 1000] {
            let text = "語".repeat(length);
            check(text.as_bytes());
            for cut in 1..4 {
                check(&text.as_bytes()[cut..]);
                check(&text.as_bytes()[..text.len() - cut]);
            }
        }
    }
}
