//! Comparison of the inside of a string with a text: JSON within JSON, which is full of escaped
//! quotes.

use super::simd::{self, Job, Lanes};
use super::string;

/// Whether the inside of a string, escapes resolved, is this text.
pub(super) fn is_escaped(inner: &[u8], text: &[u8]) -> bool {
    simd::dispatch(Compare { inner, text })
}

/// Compares eight bytes at a time, escaped quotes included.
pub(super) struct Compare<'a> {
    pub(super) inner: &'a [u8],
    pub(super) text: &'a [u8],
}

impl Job for Compare<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> bool {
        let Self {
            mut inner,
            mut text,
        } = self;
        while let (Some(left), Some(right)) = (inner.first_chunk::<8>(), text.first_chunk::<8>()) {
            let (left, right) = (u64::from_le_bytes(*left), u64::from_le_bytes(*right));
            let slashes = tops_of(left, b'\\');
            if slashes == 0 {
                if left != right {
                    return false;
                }
                (inner, text) = (&inner[8..], &text[8..]);
                continue;
            }
            if slashes << 8 & !tops_of(left, b'"') != 0 {
                match by_escape(inner, text) {
                    Some(rest) => (inner, text) = rest,
                    None => break,
                }
                continue;
            }
            // Without the backslashes, of which one at the end is left for the next eight.
            let word = lanes.keep(left, !((slashes >> 7) * 0xff));
            let dropped = slashes.count_ones();
            if (word ^ right) << ((8 * dropped) & 63) != 0 {
                return false;
            }
            let read = 8 - (slashes >> 63) as usize;
            let (Some(rest), Some(others)) = (inner.get(read..), text.get(8 - dropped as usize..))
            else {
                break;
            };
            (inner, text) = (rest, others);
        }
        string::decoded(inner).eq(text.iter().copied())
    }
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

/// The top bit of each byte that equals `byte`.
#[inline(always)]
fn tops_of(word: u64, byte: u8) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const LOWER: u64 = 0x7f * ONES;
    let difference = word ^ (ONES * u64::from(byte));
    !(((difference & LOWER) + LOWER) | difference | LOWER)
}

#[cfg(test)]
mod tests {
    use super::{Compare, is_escaped};
    use crate::simd::{Job, Portable};

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
}
