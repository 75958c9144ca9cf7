//! Comparison of the inside of a string with a text: JSON within JSON, which is full of escaped
//! quotes.

use super::simd::{self, Job, Lanes};
use super::string;

/// Whether the inside of a string, escapes resolved, is this text.
pub(super) fn is_escaped(inner: &[u8], text: &[u8]) -> bool {
    simd::dispatch(Compare { inner, text })
}

/// Compares 32 bytes at a time, escaped quotes and backslashes included.
pub(super) struct Compare<'a> {
    pub(super) inner: &'a [u8],
    pub(super) text: &'a [u8],
}

/// The number of bytes that are compared at once.
const BLOCK: usize = 32;

impl Job for Compare<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> bool {
        let Self {
            mut inner,
            mut text,
        } = self;
        let (mut last, mut last_text) = ([0; BLOCK], [0; BLOCK]);
        loop {
            match compare_quotes(lanes, inner, text) {
                Some(rest) => (inner, text) = rest,
                None => return false,
            }
            if inner.is_empty() {
                return text.is_empty();
            }
            let block = first_block(inner, &mut last);
            let others = first_block(text, &mut last_text);
            let (backslashes, quotes) = lanes.escapes(block);
            let escaped = escaped(backslashes);
            if escaped & !(quotes | backslashes | 1 << BLOCK) != 0 {
                match by_escape(inner, text) {
                    Some(rest) => (inner, text) = rest,
                    None => return string::decoded(inner).eq(text.iter().copied()),
                }
                continue;
            }
            // Without the backslashes that escape something. Zeros after the end do not count.
            let kept = !(escaped >> 1) & (u64::MAX >> (64 - inner.len().min(BLOCK)));
            let is_same = if escaped == 0 {
                block == others
            } else {
                lanes.has_kept(block, kept, others)
            };
            // A backslash at the end is left for the next block.
            let read = BLOCK - (escaped >> BLOCK) as usize;
            (inner, text) = match text.get(kept.count_ones() as usize..) {
                Some(rest) if is_same => (inner.get(read..).unwrap_or_default(), rest),
                _ => return false,
            };
        }
    }
}

/// Compares whole blocks in which only quotes are escaped; returns the rest of both, or `None` if
/// they differ.
#[inline(always)]
fn compare_quotes<'a, L: Lanes>(
    lanes: L,
    mut inner: &'a [u8],
    mut text: &'a [u8],
) -> Option<(&'a [u8], &'a [u8])> {
    while let (Some(block), Some(others)) = (inner.first_chunk(), text.first_chunk()) {
        let (backslashes, quotes) = lanes.escapes(block);
        if backslashes << 1 & !(quotes | 1 << BLOCK) != 0 {
            break;
        }
        let kept = !backslashes & (u64::MAX >> (64 - BLOCK));
        if !lanes.has_unescaped(block, kept, others) {
            return None;
        }
        // A backslash at the end is left for the next block.
        let read = BLOCK - (backslashes >> (BLOCK - 1) & 1) as usize;
        inner = inner.get(read..)?;
        text = text.get(kept.count_ones() as usize..)?;
    }
    Some((inner, text))
}

/// The first block of some bytes; one that is too short is copied before zeros.
#[inline(always)]
fn first_block<'a>(bytes: &'a [u8], copy: &'a mut [u8; BLOCK]) -> &'a [u8; BLOCK] {
    match bytes.first_chunk() {
        Some(block) => block,
        None => {
            copy.fill(0);
            copy[..bytes.len()].copy_from_slice(bytes);
            copy
        }
    }
}

/// The bytes that are escaped by the backslash before them. The first byte is not, and the bit
/// after the last says whether the next one is.
#[inline(always)]
fn escaped(backslashes: u64) -> u64 {
    const EVEN: u64 = 0x5555_5555_5555_5555;
    let after = backslashes << 1;
    if backslashes & after == 0 {
        return after;
    }
    // In a run of backslashes every other byte is escaped, so the carry of an addition tells
    // whether the byte after a run is: by the place where the run begins, odd or even.
    let odd_starts = backslashes & !EVEN & !after;
    let ends_of_odd = (odd_starts + backslashes) << 1;
    (EVEN ^ ends_of_odd) & after
}

/// The rest after the first escape, if that is a simple one and everything up to it is equal.
#[inline(never)]
fn by_escape<'a>(inner: &'a [u8], text: &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
    let at = inner.iter().position(|byte| *byte == b'\\')?;
    let (before, [_, escape, inner @ ..]) = inner.split_at_checked(at)? else {
        return None;
    };
    let plain = match *escape {
        b'"' | b'\\' | b'/' => *escape,
        b'n' => b'\n',
        b't' => b'\t',
        b'r' => b'\r',
        // By code point, or rare.
        _ => return None,
    };
    let text = text.strip_prefix(before)?.strip_prefix(&[plain])?;
    Some((inner, text))
}

#[cfg(test)]
mod tests {
    use super::{Compare, is_escaped};
    use crate::simd::{Job, Portable};
    use crate::string;

    #[test]
    fn escaped_texts_are_compared() {
        let texts = [
            "",
            "plain",
            "exactly8",
            "a \"quoted\" word, and more than eight bytes \\ of it",
            "\n\t\r\u{8}\u{c}/",
            "caf\u{e9} \u{1f600} and then some more text",
            "\"\"\"\"\"\"\"\"\"\"\"\"",
        ];
        for text in texts {
            let mut inner = String::new();
            for character in text.chars() {
                match character {
                    '"' => inner.push_str("\\\""),
                    '\\' => inner.push_str("\\\\"),
                    '\n' => inner.push_str("\\n"),
                    '\u{8}' => inner.push_str("\\b"),
                    '\u{1f600}' => inner.push_str("\\ud83d\\ude00"),
                    '\0'..' ' => {
                        let escape = format!("\\u{:04x}", u32::from(character));
                        inner.push_str(&escape);
                    }
                    _ => inner.push(character),
                }
            }
            for other in texts {
                let same = is_escaped(inner.as_bytes(), other.as_bytes());
                assert_eq!(same, text == other, "{inner} and {other}");
                let compare = Compare {
                    inner: inner.as_bytes(),
                    text: other.as_bytes(),
                };
                assert_eq!(compare.run(Portable), same, "{inner} and {other}");
            }
            let longer = format!("{text}x");
            assert!(!is_escaped(inner.as_bytes(), longer.as_bytes()));
        }
    }

    #[test]
    fn blocks_agree_with_single_bytes() {
        // Pieces of the inside of a string, so that escapes fall on every place of a block.
        let pieces = [
            "a", "\\\"", "\\\\", "\\n", "\\/", "\\u0041", "-----", "\u{e9}",
        ];
        let mut random: u64 = 1;
        let mut next = |below: usize| {
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (random >> 33) as usize % below
        };
        for _ in 0..4000 {
            // Most texts have few kinds of escapes.
            let (kinds, length) = (1 + next(pieces.len()), next(60));
            let inner: String = (0..length).map(|_| pieces[next(kinds)]).collect();
            let inner = inner.as_bytes();
            let text: Vec<u8> = string::decoded(inner).collect();
            let mut others = vec![text.clone(), inner.to_vec(), [&*text, b"a"].concat()];
            others.extend(text.split_last().map(|(_, rest)| rest.to_vec()));
            for _ in 0..4 {
                let mut other = text.clone();
                if !other.is_empty() {
                    let at = next(other.len());
                    other[at] = b"a\"\\n\0"[next(5)];
                }
                others.push(other);
            }
            for other in others {
                let expected = text == other;
                assert_eq!(is_escaped(inner, &other), expected, "{inner:?} {other:?}");
                let compare = Compare {
                    inner,
                    text: &other,
                };
                assert_eq!(compare.run(Portable), expected, "{inner:?} {other:?}");
            }
        }
    }
}
