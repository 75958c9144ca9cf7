//! The scanner: one pass over the bytes, with an explicit stack instead of recursion.

use super::blocks::Blocks;
use super::fault::{Fault, FaultKind};
use super::simd::{self, Job, Lanes};
use super::tape::{Kind, Open, Tape, Token};
use super::{diagnose, duplicates, number, string};
use crate::model;
use crate::policy::Limits;

/// Scans one JSON text into `tape`, whose earlier content is dropped.
///
/// On success the tape holds the whole value. Repeated keys and halves of surrogate pairs are JSON all the same; the tape
/// remembers them.
///
/// # Errors
///
/// The first place at which the bytes are not JSON, or exceed a limit.
pub fn scan(bytes: &[u8], limits: &Limits, tape: &mut Tape) -> Result<(), Fault> {
    tape.clear(limits.tokens);
    if bytes.len() > limits.bytes {
        return Err(Fault::new(FaultKind::TooLarge, limits.bytes, bytes.len()));
    }
    if bytes.first() == Some(&0xef) && bytes.starts_with(b"\xef\xbb\xbf") {
        return Err(Fault::new(FaultKind::ByteOrderMark, 0, 3));
    }
    match simd::dispatch(Scan { bytes, limits, tape }) {
        Ok(done) => {
            if done.high != 0 {
                check_utf8(bytes)?;
            }
            tape.len = done.tokens;
            if !tape.suspects.is_empty() {
                duplicates::find(bytes, tape);
            }
            Ok(())
        }
        Err(fault) => {
            // Bytes that are not UTF-8 before or at the fault are its cause.
            match check_utf8(bytes) {
                Err(utf8) if utf8.start <= fault.start && !fault.kind.is_limit() => Err(utf8),
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

struct Done {
    tokens: usize,
    /// Not zero if a string has a byte outside ASCII; elsewhere such bytes are faults.
    high: u64,
}

impl Job for Scan<'_> {
    type Output = Result<Done, Fault>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Self::Output {
        let Scan { bytes, limits, tape } = self;
        let Tape { tokens, stack, suspects, lone_surrogate, decoded, .. } = tape;
        let mut blocks = Blocks::new(bytes, lanes);
        let mut pos = 0;
        // The free places of the tape, and the first of them.
        let mut slots = tokens.as_mut_slice();
        let mut next = 0;
        // The innermost open container; the stack holds those around it.
        let mut open = Open { token: 0, closer: 0 };
        let mut seen = 0u64;
        // Whether a key has to come before the value.
        let mut keyed = false;

        'value: loop {
            let Some([first_slot, second_slot]) = slots.get_mut(next..).and_then(<[Token]>::first_chunk_mut) else {
                grow(tokens, limits.tokens, pos)?;
                slots = tokens.as_mut_slice();
                continue;
            };
            let mut byte = byte_after_space(bytes, &mut pos);
            let mut slot = first_slot;
            if keyed {
                if byte != b'"' {
                    return Err(diagnose::no_key(bytes, pos));
                }
                let (close, complex) = blocks.close_string(pos, lone_surrogate)?;
                let hash = if complex { decoded_hash(bytes, pos, close, decoded) } else { hash(bytes, pos + 1, close) };
                // Two keys of one object that share a bit may be equal; whether they are is looked at after the scan.
                let bit = 1 << (hash >> 26);
                if seen & bit != 0 {
                    suspects.push((open.token, next as u32));
                }
                seen |= bit;
                *slot = Token { link: hash, ..token(Kind::Key, pos, close + 1, complex) };
                slot = second_slot;
                next += 1;
                pos = close + 1;
                if byte_after_space(bytes, &mut pos) != b':' {
                    return Err(diagnose::expected(bytes, pos, FaultKind::ExpectedColon));
                }
                pos += 1;
                byte = byte_after_space(bytes, &mut pos);
            }
            match byte {
                b'"' => {
                    let (close, complex) = blocks.close_string(pos, lone_surrogate)?;
                    *slot = token(Kind::String, pos, close + 1, complex);
                    pos = close + 1;
                }
                b'{' | b'[' => {
                    if stack.len() >= limits.depth {
                        return Err(Fault::new(FaultKind::TooDeep, pos, pos + 1));
                    }
                    stack.push((open, seen));
                    // The closing bracket is two after the opening one in ASCII, for both kinds.
                    open = Open { token: next as u32, closer: byte + 2 };
                    seen = 0;
                    keyed = byte == b'{';
                    *slot = token(if keyed { Kind::Object } else { Kind::Array }, pos, pos, false);
                    pos += 1;
                    if byte_after_space(bytes, &mut pos) != open.closer {
                        next += 1;
                        continue 'value;
                    }
                    // An empty container falls through to the loop below, which closes it.
                }
                b'-' | b'0'..=b'9' => {
                    let (end, complex) = number::scan(bytes, pos)?;
                    *slot = token(Kind::Number, pos, end, complex);
                    pos = end;
                }
                b't' if word(bytes, pos, b"true") => {
                    *slot = token(Kind::True, pos, pos + 4, false);
                    pos += 4;
                }
                b'f' if word(bytes, pos, b"false") => {
                    *slot = token(Kind::False, pos, pos + 5, false);
                    pos += 5;
                }
                b'n' if word(bytes, pos, b"null") => {
                    *slot = token(Kind::Null, pos, pos + 4, false);
                    pos += 4;
                }
                _ => return Err(diagnose::no_value(bytes, pos, next == 0)),
            }
            next += 1;

            // After a value: close containers until a comma asks for the next value.
            while open.closer != 0 {
                let after = byte_after_space(bytes, &mut pos);
                if after == b',' {
                    pos += 1;
                    keyed = open.closer == b'}';
                    continue 'value;
                }
                if after != open.closer {
                    return Err(diagnose::not_closed(bytes, pos, open.closer == b'}'));
                }
                pos += 1;
                if let Some(container) = slots.get_mut(open.token as usize) {
                    container.end = pos as u32;
                    container.link = next as u32;
                }
                (open, seen) = stack.pop().unwrap_or((Open { token: 0, closer: 0 }, 0));
            }
            byte_after_space(bytes, &mut pos);
            if pos < bytes.len() {
                return Err(diagnose::after_value(bytes, pos));
            }
            return Ok(Done { tokens: next, high: blocks.high });
        }
    }
}

/// Makes room on the tape.
#[cold]
fn grow(tokens: &mut Vec<Token>, limit: usize, pos: usize) -> Result<(), Fault> {
    // Offsets and links are 32 bits wide, whatever the policy says. A key and its value are written together.
    let limit = limit.clamp(2, u32::MAX as usize - 1);
    if tokens.len() >= limit {
        return Err(Fault::new(FaultKind::TooManyTokens, pos, pos));
    }
    let size = (tokens.len() * 2).max(64).min(limit);
    tokens.resize(size, token(Kind::Null, 0, 0, false));
    Ok(())
}

#[inline(always)]
fn token(kind: Kind, start: usize, end: usize, complex: bool) -> Token {
    Token { start: start as u32, end: end as u32, link: 0, kind, complex }
}

/// Moves to the next byte that is not white space and returns it, or 0 at the end.
#[inline(always)]
fn byte_after_space(bytes: &[u8], pos: &mut usize) -> u8 {
    match bytes.get(*pos) {
        Some(byte) if *byte > b' ' => *byte,
        _ => {
            *pos = skip_space(bytes, *pos);
            bytes.get(*pos).copied().unwrap_or(0)
        }
    }
}

/// Kept out of line: most messages have no white space.
#[inline(never)]
fn skip_space(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count()
}

#[inline(always)]
fn word(bytes: &[u8], pos: usize, word: &[u8]) -> bool {
    bytes.get(pos..pos + word.len()) == Some(word)
}

/// The same as [`model::hash_key`] of the key, without a loop for short ones.
#[inline(always)]
fn hash(bytes: &[u8], start: usize, close: usize) -> u32 {
    let len = close - start;
    let (head, tail) = match bytes.get(start..).and_then(<[u8]>::first_chunk::<8>) {
        Some(head) if len < 8 => (u64::from_le_bytes(*head) & !(!0 << (len * 8)), 0),
        Some(head) => {
            let tail = bytes.get(close - 8..).and_then(<[u8]>::first_chunk::<8>);
            (u64::from_le_bytes(*head), tail.map_or(0, |tail| u64::from_le_bytes(*tail)))
        }
        None => model::ends(bytes.get(start..close).unwrap_or_default()),
    };
    let middle = if len > 16 { model::middle(bytes.get(start..close).unwrap_or_default()) } else { 0 };
    model::mix(head, tail, middle, len)
}

/// The hash of a key with escapes: that of its text.
#[cold]
fn decoded_hash(bytes: &[u8], open: usize, close: usize, decoded: &mut Vec<u8>) -> u32 {
    decoded.clear();
    string::decode(bytes.get(open + 1..close).unwrap_or_default(), decoded);
    model::hash_key(decoded)
}
