//! Escapes: checked while scanning, resolved when a text is asked for.

use super::fault::{Fault, FaultKind};

/// Checks the `\u` escapes of a block, then reports its first wrong byte if there is one.
#[cold]
pub(super) fn check_unicode(
    bytes: &[u8],
    open: usize,
    base: usize,
    mut unicode: u64,
    wrong: u64,
    lone_surrogate: &mut Option<(u32, u32)>,
) -> Result<(), Fault> {
    let first_wrong = base + wrong.trailing_zeros() as usize;
    while unicode != 0 {
        let at = base + unicode.trailing_zeros() as usize;
        if wrong != 0 && first_wrong < at {
            break;
        }
        unicode &= unicode - 1;
        let Some(unit) = hex4(bytes, at + 1) else {
            let digits = bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
            return Err(Fault::new(FaultKind::BadUnicodeEscape, at - 1, at + 1 + digits));
        };
        let paired = match unit {
            0xd800..0xdc00 => {
                bytes.get(at + 5..at + 7) == Some(b"\\u")
                    && matches!(hex4(bytes, at + 7), Some(0xdc00..0xe000))
            }
            0xdc00..0xe000 => {
                // The six bytes before must be the other half; its own backslash must not itself be escaped, which
                // holds if the scan saw it as an escape: a run of backslashes before it has even length.
                at >= 7
                    && bytes.get(at - 7..at - 5) == Some(b"\\u")
                    && matches!(hex4(bytes, at - 5), Some(0xd800..0xdc00))
                    && bytes[..at - 7].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 0
            }
            _ => true,
        };
        if !paired {
            lone_surrogate.get_or_insert((at as u32 - 1, at as u32 + 5));
        }
    }
    if wrong == 0 {
        return Ok(());
    }
    if first_wrong >= bytes.len() {
        return Err(Fault::new(FaultKind::UnterminatedString, open, bytes.len()));
    }
    if bytes.get(first_wrong).is_some_and(|byte| *byte < 0x20) {
        return Err(Fault::new(FaultKind::ControlCharacter, first_wrong, first_wrong + 1));
    }
    let end = (first_wrong + 1).min(bytes.len());
    Err(Fault::new(FaultKind::UnknownEscape, first_wrong - 1, end))
}

fn hex4(bytes: &[u8], at: usize) -> Option<u32> {
    let digits = bytes.get(at..at + 4)?;
    digits.iter().try_fold(0, |value, byte| Some(value << 4 | char::from(*byte).to_digit(16)?))
}

/// Appends the text of a string whose escapes were found valid; half a surrogate pair becomes U+FFFD.
pub(super) fn decode(inner: &[u8], out: &mut Vec<u8>) {
    let mut rest = inner;
    while let Some(at) = rest.iter().position(|byte| *byte == b'\\') {
        out.extend_from_slice(&rest[..at]);
        let letter = rest.get(at + 1).copied().unwrap_or(b'\\');
        rest = rest.get(at + 2..).unwrap_or_default();
        match letter {
            b'b' => out.push(0x08),
            b'f' => out.push(0x0c),
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b't' => out.push(b'\t'),
            b'u' => {
                let first = hex4(rest, 0).unwrap_or(0xfffd);
                rest = rest.get(4..).unwrap_or_default();
                let second = if rest.starts_with(b"\\u") { hex4(rest, 2) } else { None };
                let scalar = match (first, second) {
                    (0xd800..0xdc00, Some(second @ 0xdc00..0xe000)) => {
                        rest = &rest[6..];
                        0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)
                    }
                    _ => first,
                };
                let character = char::from_u32(scalar).unwrap_or(char::REPLACEMENT_CHARACTER);
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
            other => out.push(other),
        }
    }
    out.extend_from_slice(rest);
}
