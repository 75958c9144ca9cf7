//! Escapes: checked while scanning, resolved when a text is read.

use super::fault::{Fault, FaultKind};

/// Checks the bytes of a block after a backslash that are no common escape: `\u`, `\b`, and
/// characters that cannot be escaped.
#[cold]
pub(super) fn check_escapes(
    bytes: &[u8],
    base: usize,
    mut doubtful: u64,
    lone_surrogate: &mut Option<(u32, u32)>,
) -> Result<(), Fault> {
    while doubtful != 0 {
        let at = base + doubtful.trailing_zeros() as usize;
        doubtful &= doubtful - 1;
        match bytes.get(at) {
            Some(b'u') => check_unicode(bytes, at, lone_surrogate)?,
            Some(..0x20) => return Err(Fault::new(FaultKind::ControlCharacter, at, at + 1)),
            // `None` is the padding after a backslash that is the last byte: the caller finds that
            // the string does not end.
            Some(b'b') | None => {}
            Some(_) => return Err(Fault::new(FaultKind::UnknownEscape, at - 1, at + 1)),
        }
    }
    Ok(())
}

/// Checks a `\u` escape; `at` is its `u`.
fn check_unicode(
    bytes: &[u8],
    at: usize,
    lone_surrogate: &mut Option<(u32, u32)>,
) -> Result<(), Fault> {
    let Some(unit) = hex4(bytes, at + 1) else {
        // The part of it that is there, which never cuts a character in two.
        let digits = bytes[at + 1..]
            .iter()
            .take_while(|byte| byte.is_ascii_hexdigit())
            .count();
        return Err(Fault::new(
            FaultKind::BadUnicodeEscape,
            at - 1,
            at + 1 + digits,
        ));
    };
    let paired = match unit {
        0xd800..0xdc00 => {
            bytes.get(at + 5..at + 7) == Some(b"\\u")
                && matches!(hex4(bytes, at + 7), Some(0xdc00..0xe000))
        }
        0xdc00..0xe000 => {
            // The other half must be just before, and be an escape: an even number of backslashes
            // before its own.
            at >= 7
                && bytes.get(at - 7..at - 5) == Some(b"\\u")
                && matches!(hex4(bytes, at - 5), Some(0xd800..0xdc00))
                && bytes[..at - 7]
                    .iter()
                    .rev()
                    .take_while(|byte| **byte == b'\\')
                    .count()
                    % 2
                    == 0
        }
        _ => true,
    };
    if !paired {
        lone_surrogate.get_or_insert((at as u32 - 1, at as u32 + 5));
    }
    Ok(())
}

fn hex4(bytes: &[u8], at: usize) -> Option<u32> {
    let digits = bytes.get(at..at + 4)?;
    digits.iter().try_fold(0, |value, byte| {
        Some(value << 4 | char::from(*byte).to_digit(16)?)
    })
}

/// Appends the text of a string whose escapes were found valid; half a surrogate pair becomes
/// U+FFFD.
pub(super) fn decode(inner: &[u8], out: &mut Vec<u8>) {
    let mut rest = inner;
    while let Some(at) = rest.iter().position(|byte| *byte == b'\\') {
        out.extend_from_slice(&rest[..at]);
        let (character, after) = unescape(&rest[at + 1..]);
        out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        rest = after;
    }
    out.extend_from_slice(rest);
}

/// The bytes that [`decode`] makes of a string, one by one, for comparisons.
pub(super) fn decoded(inner: &[u8]) -> impl Iterator<Item = u8> {
    let mut rest = inner;
    let mut buffer = [0; 4];
    let mut pending = 0..0;
    core::iter::from_fn(move || {
        if let Some(index) = pending.next() {
            return buffer.get::<usize>(index).copied();
        }
        let (&first, after) = rest.split_first()?;
        rest = after;
        if first != b'\\' {
            return Some(first);
        }
        let (character, after) = unescape(rest);
        rest = after;
        pending = 1..character.encode_utf8(&mut buffer).len();
        Some(buffer[0])
    })
}

/// The character that an escape stands for, and what follows it; the backslash was read.
fn unescape(escape: &[u8]) -> (char, &[u8]) {
    let (&letter, rest) = escape.split_first().unwrap_or((&b'\\', &[]));
    let character = match letter {
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return unescape_unicode(rest),
        other => char::from(other),
    };
    (character, rest)
}

fn unescape_unicode(digits: &[u8]) -> (char, &[u8]) {
    let first = hex4(digits, 0).unwrap_or(0xfffd);
    let rest = digits.get(4..).unwrap_or_default();
    let second = if rest.starts_with(b"\\u") {
        hex4(rest, 2)
    } else {
        None
    };
    let (scalar, rest) = match (first, second) {
        (0xd800..0xdc00, Some(second @ 0xdc00..0xe000)) => (
            0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00),
            &rest[6..],
        ),
        _ => (first, rest),
    };
    (
        char::from_u32(scalar).unwrap_or(char::REPLACEMENT_CHARACTER),
        rest,
    )
}
