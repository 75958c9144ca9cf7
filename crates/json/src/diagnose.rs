//! Diagnosis of bytes that are not JSON. Never on the path of valid messages.

use super::fault::{Fault, FaultKind};

/// Something else had to come here.
#[cold]
pub(super) fn expected(bytes: &[u8], pos: usize, kind: FaultKind) -> Fault {
    if pos >= bytes.len() {
        return Fault::new(FaultKind::UnexpectedEnd, bytes.len(), bytes.len());
    }
    if bytes[pos..].starts_with(b"//") || bytes[pos..].starts_with(b"/*") {
        return Fault::new(FaultKind::Comment, pos, pos + 2);
    }
    Fault::new(kind, pos, character_end(bytes, pos))
}

/// No value begins here.
#[cold]
pub(super) fn no_value(bytes: &[u8], pos: usize, nothing_yet: bool) -> Fault {
    let Some(&byte) = bytes.get(pos) else {
        let kind = if nothing_yet {
            FaultKind::Empty
        } else {
            FaultKind::UnexpectedEnd
        };
        return Fault::new(kind, if nothing_yet { 0 } else { pos }, bytes.len());
    };
    let word = bytes[pos..]
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
        .count();
    match byte {
        b'}' | b']' if bytes[..pos].trim_ascii_end().ends_with(b",") => trailing_comma(bytes, pos),
        b'\'' => Fault::new(FaultKind::SingleQuote, pos, pos + 1),
        b'+' => Fault::new(FaultKind::PlusSign, pos, pos + 1),
        b'.' => Fault::new(FaultKind::MissingDigits, pos, pos + 1),
        b'N' | b'I' if matches!(&bytes[pos..pos + word], b"NaN" | b"Infinity") => {
            Fault::new(FaultKind::NotFinite, pos, pos + word)
        }
        _ if word > 0 => Fault::new(FaultKind::UnknownWord, pos, pos + word),
        _ => expected(bytes, pos, FaultKind::ExpectedValue),
    }
}

/// No key begins here.
#[cold]
pub(super) fn no_key(bytes: &[u8], pos: usize) -> Fault {
    match bytes.get(pos) {
        Some(b'}') if bytes[..pos].trim_ascii_end().ends_with(b",") => trailing_comma(bytes, pos),
        Some(b'\'') => Fault::new(FaultKind::SingleQuote, pos, pos + 1),
        _ => expected(bytes, pos, FaultKind::ExpectedKey),
    }
}

/// Neither a comma nor the end of the container.
#[cold]
pub(super) fn not_closed(bytes: &[u8], pos: usize, in_object: bool) -> Fault {
    let kind = if in_object {
        FaultKind::ExpectedCommaOrBrace
    } else {
        FaultKind::ExpectedCommaOrBracket
    };
    expected(bytes, pos, kind)
}

/// Something follows the value.
#[cold]
pub(super) fn after_value(bytes: &[u8], pos: usize) -> Fault {
    let kind = if matches!(bytes[pos], b'{' | b'[') {
        FaultKind::SecondValue
    } else {
        FaultKind::TrailingBytes
    };
    Fault::new(kind, pos, bytes.len())
}

fn trailing_comma(bytes: &[u8], pos: usize) -> Fault {
    let before = bytes[..pos].trim_ascii_end().len();
    Fault::new(FaultKind::TrailingComma, before.saturating_sub(1), before)
}

/// The end of the character at `pos`, so that a span never cuts one in two.
fn character_end(bytes: &[u8], pos: usize) -> usize {
    let continuation = bytes[pos + 1..]
        .iter()
        .take_while(|byte| **byte & 0xc0 == 0x80)
        .count();
    pos + 1 + continuation.min(3)
}
