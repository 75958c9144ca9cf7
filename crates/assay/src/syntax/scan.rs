//! The scanner: one pass over the bytes, with an explicit stack instead of recursion.

use super::fault::{Fault, FaultKind};
use super::simd::{self, Job, Lanes};
use super::string::Blocks;
use super::tape::{Kind, Open, Tape, Token};
use super::{duplicates, number, string};
use crate::model;
use crate::policy::Limits;

/// Scans one JSON text into `tape`, which is cleared first.
///
/// On success the tape holds the whole value. Repeated keys and halves of surrogate pairs are JSON all the same; the tape
/// remembers them.
///
/// # Errors
///
/// The first place at which the bytes are not JSON, or exceed a limit.
pub fn scan(bytes: &[u8], limits: &Limits, tape: &mut Tape) -> Result<(), Fault> {
    tape.clear();
    if bytes.len() > limits.bytes {
        return Err(Fault::new(FaultKind::TooLarge, limits.bytes, bytes.len()));
    }
    if bytes.starts_with(b"\xef\xbb\xbf") {
        return Err(Fault::new(FaultKind::ByteOrderMark, 0, 3));
    }
    match simd::dispatch(Scan { bytes, limits, tape }) {
        Ok(ascii) => {
            if !ascii && let Err(fault) = check_utf8(bytes) {
                return Err(fault);
            }
            if !tape.suspects.is_empty() {
                duplicates::find(bytes, tape);
            }
            Ok(())
        }
        Err(fault) => {
            tape.tokens.clear();
            // Bytes that are not UTF-8 before or at the fault are its cause.
            match check_utf8(bytes) {
                Err(utf8) if utf8.start <= fault.start && fault.kind != FaultKind::TooDeep => Err(utf8),
                _ => Err(fault),
            }
        }
    }
}

fn check_utf8(bytes: &[u8]) -> Result<(), Fault> {
    simdutf8::basic::from_utf8(bytes).map(drop).map_err(|_| {
        let error = simdutf8::compat::from_utf8(bytes).err();
        let start = error.map_or(0, |error| error.valid_up_to());
        let length = error.and_then(|error| error.error_len()).unwrap_or(bytes.len() - start);
        Fault::new(FaultKind::NotUtf8, start, start + length)
    })
}

struct Scan<'a> {
    bytes: &'a [u8],
    limits: &'a Limits,
    tape: &'a mut Tape,
}

impl Job for Scan<'_> {
    /// Whether all bytes are ASCII, as far as strings go: elsewhere other bytes are faults.
    type Output = Result<bool, Fault>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Self::Output {
        let Scan { bytes, limits, tape } = self;
        let mut blocks = Blocks::new(bytes, lanes);
        let mut pos = 0;
        // The innermost open container. `seen` and the rest of it live in locals; the stack holds those around it.
        let mut open = Open { token: u32::MAX, in_object: false, seen: 0 };
        let max_tokens = limits.tokens.min(u32::MAX as usize - 2);

        'value: loop {
            let first = skip_space(bytes, &mut pos);
            if tape.tokens.len() >= max_tokens {
                return Err(Fault::new(FaultKind::TooManyTokens, pos, pos));
            }
            match first {
                b'"' => {
                    let (close, complex) = blocks.close_string(pos, &mut tape.lone_surrogate)?;
                    tape.tokens.push(token(Kind::String, pos, close + 1, complex));
                    pos = close + 1;
                }
                b'{' | b'[' => {
                    if tape.stack.len() >= limits.depth {
                        return Err(Fault::new(FaultKind::TooDeep, pos, pos + 1));
                    }
                    tape.stack.push(open);
                    let in_object = first == b'{';
                    open = Open { token: tape.tokens.len() as u32, in_object, seen: 0 };
                    tape.tokens.push(token(if in_object { Kind::Object } else { Kind::Array }, pos, pos, false));
                    pos += 1;
                    let next = skip_space(bytes, &mut pos);
                    if in_object {
                        if next != b'}' {
                            key(bytes, next, &mut pos, &mut blocks, tape, &mut open)?;
                            continue 'value;
                        }
                    } else if next != b']' {
                        continue 'value;
                    }
                    // An empty container falls through to the loop below, which closes it.
                }
                b'-' | b'0'..=b'9' => {
                    let (end, complex) = number::scan(bytes, pos)?;
                    tape.tokens.push(token(Kind::Number, pos, end, complex));
                    pos = end;
                }
                b't' if word(bytes, pos, b"true") => {
                    tape.tokens.push(token(Kind::True, pos, pos + 4, false));
                    pos += 4;
                }
                b'f' if word(bytes, pos, b"false") => {
                    tape.tokens.push(token(Kind::False, pos, pos + 5, false));
                    pos += 5;
                }
                b'n' if word(bytes, pos, b"null") => {
                    tape.tokens.push(token(Kind::Null, pos, pos + 4, false));
                    pos += 4;
                }
                _ => return Err(no_value(bytes, pos, tape)),
            }

            // After a value: close containers until a comma asks for the next one.
            loop {
                if tape.stack.is_empty() {
                    skip_space(bytes, &mut pos);
                    if pos < bytes.len() {
                        return Err(after_value(bytes, pos));
                    }
                    return Ok(blocks.high == 0);
                }
                let next = skip_space(bytes, &mut pos);
                if next == b',' {
                    pos += 1;
                    if open.in_object {
                        let next = skip_space(bytes, &mut pos);
                        key(bytes, next, &mut pos, &mut blocks, tape, &mut open)?;
                    }
                    continue 'value;
                }
                if next != if open.in_object { b'}' } else { b']' } {
                    return Err(not_closed(bytes, pos, open.in_object));
                }
                pos += 1;
                let past = tape.tokens.len() as u32;
                if let Some(container) = tape.tokens.get_mut(open.token as usize) {
                    container.end = pos as u32;
                    container.link = past;
                }
                open = tape.stack.pop().unwrap_or(open);
            }
        }
    }
}

#[inline(always)]
fn token(kind: Kind, start: usize, end: usize, complex: bool) -> Token {
    Token { start: start as u32, end: end as u32, link: 0, kind, complex }
}

/// Moves to the next byte that is not white space and returns it, or 0 at the end.
#[inline(always)]
fn skip_space(bytes: &[u8], pos: &mut usize) -> u8 {
    loop {
        match bytes.get(*pos) {
            Some(byte @ 0x21..) => return *byte,
            Some(b' ' | b'\t' | b'\n' | b'\r') => *pos += 1,
            Some(byte) => return *byte,
            None => return 0,
        }
    }
}

#[inline(always)]
fn word(bytes: &[u8], pos: usize, word: &[u8]) -> bool {
    bytes.get(pos..pos + word.len()) == Some(word)
}

/// Scans a key and its colon.
#[inline(always)]
fn key<L: Lanes>(
    bytes: &[u8],
    first: u8,
    pos: &mut usize,
    blocks: &mut Blocks<'_, L>,
    tape: &mut Tape,
    open: &mut Open,
) -> Result<(), Fault> {
    if first != b'"' {
        return Err(no_key(bytes, *pos));
    }
    let (close, complex) = blocks.close_string(*pos, &mut tape.lone_surrogate)?;
    let start = *pos + 1;
    let hash = if complex { decoded_hash(&bytes[start..close], &mut tape.decoded) } else { hash(bytes, start, close) };
    // Two keys of one object that share a bit may be equal; whether they are is looked at after the scan.
    let bit = 1 << (hash >> 26);
    if open.seen & bit != 0 {
        tape.suspects.push((open.token, tape.tokens.len() as u32));
    }
    open.seen |= bit;
    tape.tokens.push(Token { link: hash, ..token(Kind::Key, *pos, close + 1, complex) });
    *pos = close + 1;
    if skip_space(bytes, pos) != b':' {
        return Err(expected(bytes, *pos, FaultKind::ExpectedColon));
    }
    *pos += 1;
    Ok(())
}

/// The same as [`model::hash_key`] of the key, without a loop for short ones.
#[inline(always)]
fn hash(bytes: &[u8], start: usize, close: usize) -> u32 {
    let len = close - start;
    let (head, tail) = key_ends(bytes, start, len);
    let middle = if len > 16 { model::middle(bytes.get(start..close).unwrap_or_default()) } else { 0 };
    model::mix(head, tail, middle, len)
}

/// The same as [`model::ends`] of a key, reading past short ones where the message goes on.
#[inline(always)]
pub(crate) fn key_ends(bytes: &[u8], start: usize, len: usize) -> (u64, u64) {
    let rest = bytes.get(start..).unwrap_or_default();
    match rest.first_chunk::<8>() {
        Some(head) => {
            let head = u64::from_le_bytes(*head);
            if len >= 8 {
                let tail = rest.get(len - 8..).and_then(<[u8]>::first_chunk::<8>);
                (head, tail.map_or(0, |tail| u64::from_le_bytes(*tail)))
            } else {
                (head & !(!0 << (len * 8)), 0)
            }
        }
        None => model::ends(&rest[..len.min(rest.len())]),
    }
}

#[cold]
fn decoded_hash(inner: &[u8], decoded: &mut Vec<u8>) -> u32 {
    decoded.clear();
    string::decode(inner, decoded);
    model::hash_key(decoded)
}

// What follows says what is wrong once something is. It is never on the path of valid messages.

#[cold]
fn expected(bytes: &[u8], pos: usize, kind: FaultKind) -> Fault {
    if pos >= bytes.len() {
        return Fault::new(FaultKind::UnexpectedEnd, bytes.len(), bytes.len());
    }
    if bytes[pos..].starts_with(b"//") || bytes[pos..].starts_with(b"/*") {
        return Fault::new(FaultKind::Comment, pos, pos + 2);
    }
    Fault::new(kind, pos, character_end(bytes, pos))
}

#[cold]
fn no_value(bytes: &[u8], pos: usize, tape: &Tape) -> Fault {
    let Some(&byte) = bytes.get(pos) else {
        let kind = if tape.tokens.is_empty() { FaultKind::Empty } else { FaultKind::UnexpectedEnd };
        let start = if tape.tokens.is_empty() { 0 } else { pos };
        return Fault::new(kind, start, bytes.len());
    };
    let word = bytes[pos..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    match byte {
        b'}' | b']' if last_is_comma(bytes, pos) => trailing_comma(bytes, pos),
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

#[cold]
fn no_key(bytes: &[u8], pos: usize) -> Fault {
    match bytes.get(pos) {
        Some(b'}') => trailing_comma(bytes, pos),
        Some(b'\'') => Fault::new(FaultKind::SingleQuote, pos, pos + 1),
        _ => expected(bytes, pos, FaultKind::ExpectedKey),
    }
}

#[cold]
fn not_closed(bytes: &[u8], pos: usize, in_object: bool) -> Fault {
    let kind = if in_object { FaultKind::ExpectedCommaOrBrace } else { FaultKind::ExpectedCommaOrBracket };
    expected(bytes, pos, kind)
}

#[cold]
fn after_value(bytes: &[u8], pos: usize) -> Fault {
    let kind = if matches!(bytes[pos], b'{' | b'[') { FaultKind::SecondValue } else { FaultKind::TrailingBytes };
    Fault::new(kind, pos, bytes.len())
}

fn last_is_comma(bytes: &[u8], pos: usize) -> bool {
    bytes[..pos].trim_ascii_end().ends_with(b",")
}

fn trailing_comma(bytes: &[u8], pos: usize) -> Fault {
    let before = bytes[..pos].trim_ascii_end().len();
    Fault::new(FaultKind::TrailingComma, before.saturating_sub(1), before)
}

/// The end of the character at `pos`, so that a span never cuts one in two.
fn character_end(bytes: &[u8], pos: usize) -> usize {
    let continuation = bytes[pos + 1..].iter().take_while(|byte| **byte & 0xc0 == 0x80).count();
    pos + 1 + continuation.min(3)
}
