//! The scanner: one pass over the bytes, with an explicit stack instead of recursion.

use super::blocks::Strings;
use super::fault::{Fault, FaultKind};
use super::simd::{self, Job, Lanes};
use super::tape::{Kind, Open, Tape, Token};
use super::{diagnose, duplicates, number, string};
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
    tape.clear(limits);
    // Offsets on the tape are 32 bits wide, whatever the policy says.
    let most = limits.bytes.min(u32::MAX as usize - 64);
    if bytes.len() > most {
        return Err(Fault {
            kind: FaultKind::TooLarge,
            start: most as u32,
            end: most as u32,
        });
    }
    if bytes.first() == Some(&0xef) && bytes.starts_with(b"\xef\xbb\xbf") {
        return Err(Fault::new(FaultKind::ByteOrderMark, 0, 3));
    }
    loop {
        match simd::dispatch(Scan {
            bytes,
            limits,
            tape,
        }) {
            Ok(done) => {
                tape.len = done.tokens as usize;
                if done.high != 0 {
                    check_utf8(bytes).inspect_err(|_| tape.len = 0)?;
                }
                if !tape.suspects.is_empty() {
                    duplicates::find(bytes, tape);
                }
                return Ok(());
            }
            // The tape is too short: begin again with a longer one. It stays long, so this is part of warming up.
            Err(Stop::Full { pos }) => tape.grow(limits.tokens, pos)?,
            Err(Stop::Fault(fault)) => {
                // Bytes that are not UTF-8 before or at the fault are its cause.
                return match check_utf8(bytes) {
                    Err(utf8) if utf8.start <= fault.start && !fault.kind.is_limit() => Err(utf8),
                    _ => Err(fault),
                };
            }
        }
    }
}

fn check_utf8(bytes: &[u8]) -> Result<(), Fault> {
    simdutf8::basic::from_utf8(bytes).map(drop).map_err(|_| {
        let error = simdutf8::compat::from_utf8(bytes).err();
        let start = error.map_or(0, |error| error.valid_up_to());
        let length = error
            .and_then(|error| error.error_len())
            .unwrap_or(bytes.len() - start);
        Fault::new(FaultKind::NotUtf8, start, start + length)
    })
}

struct Scan<'a> {
    bytes: &'a [u8],
    limits: &'a Limits,
    tape: &'a mut Tape,
}

struct Done {
    tokens: u32,
    /// Not zero if a string has a byte outside ASCII; elsewhere such bytes are faults.
    high: u64,
}

/// Why a scan ends early.
enum Stop {
    /// There is no place left on the tape.
    Full {
        pos: usize,
    },
    Fault(Fault),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl Job for Scan<'_> {
    type Output = Result<Done, Stop>;

    #[inline(always)]
    #[expect(
        clippy::too_many_lines,
        reason = "one loop, whose state is kept in registers"
    )]
    fn run<L: Lanes>(self, lanes: L) -> Self::Output {
        let Scan {
            bytes,
            limits,
            tape,
        } = self;
        let Tape {
            tokens,
            stack,
            suspects,
            lone_surrogate,
            decoded,
            ..
        } = tape;
        suspects.clear();
        let mut strings = Strings::new(lanes);
        let mut slots = Slots {
            tokens: tokens.as_mut_slice(),
            next: 0,
        };
        // 32 bits wide, as offsets on the tape are: sums of it cannot overflow, which saves checks.
        let mut pos = 0u32;
        let mut byte = byte_after_space(bytes, &mut pos, &mut strings);
        // The innermost open container; the stack holds those around it. Objects are those that `}` closes.
        let mut open = Open {
            token: 0,
            closer: 0,
        };
        let mut depth = 0;
        // A bit for each look of a key of the innermost object.
        let mut seen = 0u64;

        // At the first byte of a key or a value.
        'value: loop {
            if open.closer == b'}' {
                if byte != b'"' {
                    return Err(diagnose::no_key(bytes, pos as usize).into());
                }
                let (close, complex) = strings.close(bytes, pos as usize, lone_surrogate)?;
                let close = close as u32;
                let look = if complex {
                    decoded_look(bytes, pos, close, decoded)
                } else {
                    look(bytes, pos, close)
                };
                // Two keys of one object that look alike may be equal; whether they are is found out after the scan.
                if seen >> look & 1 == 1 {
                    suspects.push((open.token, slots.next));
                }
                seen |= 1 << look;
                slots.put(token(Kind::Key, pos, close + 1, complex))?;
                // A colon and the value's first byte in one look; white space takes the long way.
                byte = match bytes.get(close as usize + 1..close as usize + 3) {
                    Some(&[b':', first]) if first > b' ' => {
                        pos = close + 2;
                        first
                    }
                    _ => {
                        pos = close + 1;
                        if byte_after_space(bytes, &mut pos, &mut strings) != b':' {
                            return Err(diagnose::expected(
                                bytes,
                                pos as usize,
                                FaultKind::ExpectedColon,
                            )
                            .into());
                        }
                        pos += 1;
                        byte_after_space(bytes, &mut pos, &mut strings)
                    }
                };
            }
            if byte == b'"' {
                let (close, complex) = strings.close(bytes, pos as usize, lone_surrogate)?;
                slots.put(token(Kind::String, pos, close as u32 + 1, complex))?;
                pos = close as u32 + 1;
            } else if byte == b'{' || byte == b'[' {
                if depth >= stack.len() {
                    deepen(stack, limits.depth, pos)?;
                }
                if let Some(outer) = stack.get_mut(depth) {
                    *outer = (open, seen);
                }
                depth += 1;
                // The closing bracket is two after the opening one in ASCII, for both kinds.
                open = Open {
                    token: slots.next,
                    closer: byte + 2,
                };
                seen = 0;
                let kind = if byte == b'{' {
                    Kind::Object
                } else {
                    Kind::Array
                };
                slots.put(token(kind, pos, pos, false))?;
                pos += 1;
                byte = byte_after_space(bytes, &mut pos, &mut strings);
                if byte != open.closer {
                    continue 'value;
                }
                // An empty container falls through to the loop below, which closes it.
            } else if byte == b'-' || byte.is_ascii_digit() {
                let (end, complex) = number::scan(bytes, pos as usize)?;
                slots.put(token(Kind::Number, pos, end as u32, complex))?;
                pos = end as u32;
            } else {
                let Some((kind, length)) = word(bytes, pos as usize) else {
                    return Err(diagnose::no_value(bytes, pos as usize, slots.next == 0).into());
                };
                slots.put(token(kind, pos, pos + length, false))?;
                pos += length;
            }

            // A comma and the first byte after it in one look.
            if let Some(&[b',', first]) = bytes.get(pos as usize..pos as usize + 2)
                && first > b' '
                && open.closer != 0
            {
                pos += 1;
                byte = first;
                continue 'value;
            }
            // Close containers until a comma asks for the next value.
            while open.closer != 0 {
                let after = byte_after_space(bytes, &mut pos, &mut strings);
                if after == b',' {
                    pos += 1;
                    byte = byte_after_space(bytes, &mut pos, &mut strings);
                    continue 'value;
                }
                if after != open.closer {
                    return Err(
                        diagnose::not_closed(bytes, pos as usize, open.closer == b'}').into(),
                    );
                }
                pos += 1;
                slots.complete(open.token, pos);
                depth -= 1;
                (open, seen) = stack.get(depth).copied().unwrap_or((
                    Open {
                        token: 0,
                        closer: 0,
                    },
                    0,
                ));
            }
            byte_after_space(bytes, &mut pos, &mut strings);
            if (pos as usize) < bytes.len() {
                return Err(diagnose::after_value(bytes, pos as usize).into());
            }
            return Ok(Done {
                tokens: slots.next,
                high: strings.high,
            });
        }
    }
}

/// The places of the tape.
struct Slots<'t> {
    tokens: &'t mut [Token],
    next: u32,
}

impl Slots<'_> {
    /// Writes the next token.
    #[inline(always)]
    fn put(&mut self, token: Token) -> Result<(), Stop> {
        let Some(slot) = self.tokens.get_mut(self.next as usize) else {
            return Err(Stop::Full {
                pos: token.start as usize,
            });
        };
        *slot = token;
        self.next += 1;
        Ok(())
    }

    /// Completes a container whose last byte was just passed.
    #[inline(always)]
    fn complete(&mut self, container: u32, end: u32) {
        if let Some(slot) = self.tokens.get_mut(container as usize) {
            slot.end = end;
            slot.link = self.next;
        }
    }
}

#[inline(always)]
fn token(kind: Kind, start: u32, end: u32, complex: bool) -> Token {
    Token {
        start,
        end,
        link: 0,
        kind,
        complex,
    }
}

/// Makes room on the stack, up to the limit.
#[cold]
fn deepen(stack: &mut Vec<(Open, u64)>, limit: usize, pos: u32) -> Result<(), Fault> {
    if stack.len() >= limit {
        return Err(Fault::new(
            FaultKind::TooDeep,
            pos as usize,
            pos as usize + 1,
        ));
    }
    stack.resize(
        (stack.len() * 2).max(32).min(limit),
        (
            Open {
                token: 0,
                closer: 0,
            },
            0,
        ),
    );
    Ok(())
}

/// Moves to the next byte that is not white space and returns it, or 0 at the end.
#[inline(always)]
fn byte_after_space<L: Lanes>(bytes: &[u8], pos: &mut u32, strings: &mut Strings<L>) -> u8 {
    match bytes.get(*pos as usize) {
        Some(byte) if *byte > b' ' => *byte,
        _ => {
            *pos = skip_space(bytes, *pos as usize) as u32;
            strings.pass(*pos as usize);
            bytes.get(*pos as usize).copied().unwrap_or(0)
        }
    }
}

/// Kept out of line: most messages have no white space.
#[inline(never)]
fn skip_space(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
        .count()
}

/// One of the three words of JSON, and its length.
#[inline(always)]
fn word(bytes: &[u8], pos: usize) -> Option<(Kind, u32)> {
    let rest = bytes.get(pos..)?;
    match rest.first_chunk()? {
        b"true" => Some((Kind::True, 4)),
        b"null" => Some((Kind::Null, 4)),
        b"fals" if rest.get(4) == Some(&b'e') => Some((Kind::False, 5)),
        _ => None,
    }
}

/// What a key looks like at a glance, below 64: its first three bytes and its length. Equal keys look alike.
#[inline(always)]
fn look(bytes: &[u8], open: u32, close: u32) -> u32 {
    match bytes
        .get(open as usize..open as usize + 4)
        .and_then(<[u8]>::first_chunk)
    {
        // For a key of two bytes the last one is the closing quote. Shorter ones all look the same.
        Some(head) if close > open + 2 => blend(*head, close - open - 1),
        _ => 0,
    }
}

/// `head` is the opening quote and the first three bytes.
#[inline(always)]
fn blend(head: [u8; 4], length: u32) -> u32 {
    (u32::from_le_bytes(head).wrapping_mul(0x9e37_79b1) >> 26).wrapping_add(length) & 63
}

/// The look of a key with escapes: that of its text.
#[cold]
fn decoded_look(bytes: &[u8], open: u32, close: u32, decoded: &mut Vec<u8>) -> u32 {
    decoded.clear();
    string::decode(
        bytes
            .get(open as usize + 1..close as usize)
            .unwrap_or_default(),
        decoded,
    );
    match decoded.as_slice() {
        [] | [_] => 0,
        [first, second] => blend([b'"', *first, *second, b'"'], 2),
        [first, second, third, ..] => blend([b'"', *first, *second, *third], decoded.len() as u32),
    }
}
