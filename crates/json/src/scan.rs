//! The scanner: one pass over the bytes, with an explicit stack instead of recursion.

use super::begin::begin;
use super::blocks::Strings;
use super::fault::{Fault, FaultKind};
use super::key_hash::KeyHash;
use super::limits::ScanLimits;
use super::simd::{self, Job, Lanes};
use super::slots::Slots;
use super::state::{Done, Stop, at_end, byte_at, too_deep, word};
use super::tape::Tape;
use super::token::{Kind, Open, Token, container, token};
use super::{diagnose, duplicates, number, utf8};

/// Scans one JSON text into `tape`, whose earlier content is dropped.
///
/// On success the tape holds the whole value. Repeated keys and halves of surrogate pairs are JSON
/// all the same; the tape lists them. After an error the tape is empty: no later step can read a
/// part of the message.
///
/// # Errors
///
/// The first place at which the bytes are not JSON, or exceed a limit.
#[inline(always)]
pub fn scan(bytes: &[u8], limits: &ScanLimits, tape: &mut Tape) -> Result<(), Fault> {
    tape.clear(limits);
    fill(bytes, limits, tape).map_err(|fault| {
        tape.reset();
        fault.of_whole_characters(bytes)
    })
}

/// Scans into a tape that is empty; after an error the tape holds a part of the message.
#[inline(always)]
fn fill(bytes: &[u8], limits: &ScanLimits, tape: &mut Tape) -> Result<(), Fault> {
    // Offsets on the tape are 32 bits wide, whatever the policy says.
    let most = limits.bytes.min(u32::MAX as usize - 64);
    if bytes.len() > most {
        return Err(Fault {
            kind: FaultKind::TooLarge,
            start: most as u32,
            end: most as u32,
        });
    }
    loop {
        match simd::dispatch(Whole {
            bytes,
            limits,
            tape,
        }) {
            Ok(done) => {
                tape.len = done.tokens as usize;
                tape.key_hashes = done.key_hashes;
                if done.high != 0 {
                    check_utf8(bytes)?;
                }
                if !tape.suspects.is_empty() {
                    duplicates::find(bytes, tape);
                }
                return Ok(());
            }
            Err(stop) => recover(stop, bytes, limits, tape)?,
        }
    }
}

/// Prepares a second scan, if one can succeed.
#[cold]
fn recover(stop: Stop, bytes: &[u8], limits: &ScanLimits, tape: &mut Tape) -> Result<(), Fault> {
    match stop {
        // The tape is too short. It keeps the length that it gets now: this is part of warming up.
        Stop::Full { pos } => {
            tape.reset();
            tape.grow(limits.tokens, pos)
        }
        // Bytes that are not UTF-8 before or at the fault are its cause.
        Stop::Fault(fault) => match check_utf8(bytes) {
            Err(utf8) if utf8.start <= fault.start && !fault.kind.is_limit() => Err(utf8),
            _ => Err(fault),
        },
    }
}

#[inline(never)]
fn check_utf8(bytes: &[u8]) -> Result<(), Fault> {
    if utf8::is_utf8(bytes) {
        return Ok(());
    }
    let error = simdutf8::compat::from_utf8(bytes).err();
    let start = error.map_or(0, |error| error.valid_up_to());
    let length = error
        .and_then(|error| error.error_len())
        .unwrap_or(bytes.len() - start);
    Err(Fault::new(FaultKind::NotUtf8, start, start + length))
}

/// A message from its first byte.
struct Whole<'a> {
    bytes: &'a [u8],
    limits: &'a ScanLimits,
    tape: &'a mut Tape,
}

impl Job for Whole<'_> {
    type Output = Result<Done, Stop>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Self::Output {
        let Whole {
            bytes,
            limits,
            tape,
        } = self;
        if let Some(done) = begin(lanes, bytes, limits, tape)? {
            return Ok(done);
        }
        lanes.call(Scan {
            bytes,
            limits,
            tape,
        })
    }
}

/// The rest of it, in a function of its own: the loop needs all registers.
struct Scan<'a> {
    bytes: &'a [u8],
    limits: &'a ScanLimits,
    tape: &'a mut Tape,
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
        let begun = tape.begun;
        let Tape {
            tokens,
            stack,
            suspects,
            lone_surrogate,
            decoded,
            ..
        } = tape;
        let mut strings = Strings::resume(lanes, begun.window, begun.high);
        let mut slots = Slots::resume(tokens, begun.tokens);
        // 32 bits wide, as offsets on the tape are: sums of it cannot overflow, which saves checks.
        let mut pos = begun.pos;
        let mut byte = byte_at(bytes, pos);
        // The innermost open container; the stack holds those around it. The closing bracket is two
        // after the opening one in ASCII, for both kinds.
        let mut open = begun.open;
        // A bit for each hash of a key of the innermost object, and of all closed ones.
        let mut seen = begun.seen;
        let mut key_hashes = 0u64;
        let deepest = limits.depth;

        // At the first byte of a key or a value. White space is skipped only if nothing else fits.
        'item: loop {
            if open.is_object() {
                if byte != b'"' {
                    let Some(past) = strings.pass_space(bytes, pos) else {
                        return Err(diagnose::no_key(bytes, pos as usize).into());
                    };
                    pos = past;
                    byte = byte_at(bytes, pos);
                    continue 'item;
                }
                let close = strings.next_special(bytes, pos);
                if let Some(&[ref end @ .., first]) = bytes.get(close as usize..close as usize + 3)
                    && end == b"\":"
                {
                    let hash = KeyHash::of_key(bytes, pos, close);
                    slots.put(Token {
                        inside: hash.0,
                        ..token(Kind::Key, pos, close + 1, false)
                    })?;
                    if is_suspect(&mut seen, hash) {
                        suspect(suspects, open.token, slots.next() - 1);
                    }
                    pos = close + 2;
                    byte = first;
                } else {
                    let (close, complex) = strings.finish(bytes, pos, close, lone_surrogate)?;
                    let text = bytes
                        .get(pos as usize + 1..close as usize)
                        .unwrap_or_default();
                    let hash = if complex {
                        KeyHash::of_escaped(text, decoded)
                    } else {
                        KeyHash::of(text)
                    };
                    if is_suspect(&mut seen, hash) {
                        suspect(suspects, open.token, slots.next());
                    }
                    slots.put(Token {
                        inside: hash.0,
                        ..token(Kind::Key, pos, close + 1, complex)
                    })?;
                    pos = strings.pass_space(bytes, close + 1).unwrap_or(close + 1);
                    if byte_at(bytes, pos) != b':' {
                        let kind = FaultKind::ExpectedColon;
                        return Err(diagnose::expected(bytes, pos as usize, kind).into());
                    }
                    pos += 1;
                    byte = byte_at(bytes, pos);
                }
            }
            loop {
                if byte == b'"' {
                    let close = strings.next_special(bytes, pos);
                    if let Some(&[ref end @ .., first]) =
                        bytes.get(close as usize..close as usize + 3)
                        && end == b"\","
                    {
                        slots.put(token(Kind::String, pos, close + 1, false))?;
                        pos = close + 2;
                        byte = first;
                        continue 'item;
                    } else if byte_at(bytes, close) == b'"' {
                        slots.put(token(Kind::String, pos, close + 1, false))?;
                        pos = close + 1;
                    } else {
                        let (close, complex) = strings.finish(bytes, pos, close, lone_surrogate)?;
                        slots.put(token(Kind::String, pos, close + 1, complex))?;
                        pos = close + 1;
                    }
                } else if byte | 0x20 == b'{' {
                    // The two opening brackets differ in this bit alone.
                    if stack.len() + 1 >= deepest {
                        return Err(too_deep(pos));
                    }
                    let closer = byte + 2;
                    if byte_at(bytes, pos + 1) == closer {
                        slots.put(container(byte, pos, pos + 2))?;
                        pos += 2;
                    } else {
                        stack.push((open, seen));
                        open = Open {
                            token: slots.next(),
                            closer,
                        };
                        seen = 0;
                        slots.put(container(byte, pos, pos))?;
                        pos += 1;
                        byte = byte_at(bytes, pos);
                        if byte <= b' ' {
                            pos = strings.pass_space(bytes, pos).unwrap_or(pos);
                            byte = byte_at(bytes, pos);
                        }
                        if byte != open.closer {
                            continue 'item;
                        }
                        // Empty but for white space: closed below.
                    }
                } else if byte == b'-' || byte.is_ascii_digit() {
                    if let Some(end) = number::short(bytes, pos) {
                        slots.put(token(Kind::Number, pos, end, false))?;
                        pos = end;
                    } else if let Some((end, complex)) = number::scan(bytes, pos) {
                        slots.put(token(Kind::Number, pos, end, complex))?;
                        pos = end;
                    } else {
                        return Err(number::fault(bytes, pos).into());
                    }
                } else if let Some((kind, length)) = word(bytes, pos) {
                    slots.put(token(kind, pos, pos + length, false))?;
                    pos += length;
                } else {
                    let Some(past) = strings.pass_space(bytes, pos) else {
                        return Err(diagnose::no_value(bytes, pos as usize, false).into());
                    };
                    pos = past;
                    byte = byte_at(bytes, pos);
                    continue;
                }
                break;
            }

            // A comma and the byte after it in one step, before the loop below with its set-up.
            if let Some(&[b',', first]) = bytes.get(pos as usize..pos as usize + 2) {
                pos += 1;
                byte = first;
                continue 'item;
            }
            // Close containers until a comma announces the next value.
            loop {
                let after = byte_at(bytes, pos);
                if after != open.closer {
                    if after == b',' {
                        pos += 1;
                        byte = byte_at(bytes, pos);
                        continue 'item;
                    }
                    let Some(past) = strings.pass_space(bytes, pos) else {
                        let in_object = open.is_object();
                        return Err(diagnose::not_closed(bytes, pos as usize, in_object).into());
                    };
                    pos = past;
                    continue;
                }
                pos += 1;
                slots.complete(open.token, pos);
                key_hashes |= seen;
                let Some(outer) = stack.pop() else {
                    at_end(bytes, pos)?;
                    return Ok(Done {
                        tokens: slots.next(),
                        high: strings.high,
                        key_hashes,
                    });
                };
                (open, seen) = outer;
            }
        }
    }
}

/// Adds a key to the hashes of its object. Keys of one object with equal hashes may be equal; the
/// comparison follows after the scan.
#[inline(always)]
fn is_suspect(seen: &mut u64, hash: KeyHash) -> bool {
    let before = *seen;
    *seen |= 1 << hash.index();
    before >> hash.index() & 1 == 1
}

#[cold]
#[inline(never)]
fn suspect(suspects: &mut Vec<(u32, u32)>, object: u32, key: u32) {
    suspects.push((object, key));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A false suspect is not wrong, but costs more than a key.
    #[test]
    fn members_of_common_messages_are_no_suspects() {
        let messages = [
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{},"_meta":{},"task":{}}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"","capabilities":{"completions":{},"experimental":{},
                "logging":{},"prompts":{},"resources":{},"tasks":{},"tools":{}},"serverInfo":{"name":"","title":"","version":"",
                "description":"","icons":[],"websiteUrl":""},"instructions":"","_meta":{}}}"#,
            r#"{"tools":[{"name":"","title":"","description":"","inputSchema":{"$schema":"","type":"object","properties":{},
                "required":[],"additionalProperties":false,"items":{},"enum":[],"default":1,"title":"","description":""},
                "outputSchema":{},"annotations":{"title":"","readOnlyHint":true,"destructiveHint":true,"idempotentHint":true,
                "openWorldHint":true},"execution":{},"icons":[],"_meta":{}}],"nextCursor":""}"#,
            r#"{"resources":[{"uri":"","name":"","title":"","description":"","mimeType":"","size":1,
                "annotations":{"audience":[],"priority":1,"lastModified":""},"icons":[],"_meta":{}}]}"#,
        ];
        let mut tape = Tape::new();
        for message in messages {
            scan(message.as_bytes(), &ScanLimits::DEFAULT, &mut tape).unwrap();
            assert_eq!(tape.suspects, [], "{message}");
        }
    }

    /// A tape is shared by all sessions of a validator.
    #[test]
    fn a_failed_scan_leaves_nothing_behind() {
        let repeated = r#""k":0,"#.repeat(20);
        let mut before = format!(r#"[0,0,{{{repeated}"k":0}},"\ud800","#).into_bytes();
        before.extend_from_slice(b"\"\xff\"]");
        let cut = &before[..before.len() - 2];
        let mut tape = Tape::new();
        for failing in [&before[..], cut, b"{\"k\":0,\"k\":0,", b"[[[1"] {
            scan(failing, &ScanLimits::DEFAULT, &mut tape).unwrap_err();
            assert!(tape.root(failing).is_none() && !tape.is_odd());
            scan(b"{}", &ScanLimits::DEFAULT, &mut tape).unwrap();
            assert_eq!(
                (tape.repeated_keys(), tape.lone_surrogate()),
                (&[][..], None)
            );
        }
    }

    #[test]
    fn spans_of_faults_end_between_characters() {
        let limits = ScanLimits {
            bytes: 7,
            ..ScanLimits::DEFAULT
        };
        let mut tape = Tape::new();
        for (text, start, end) in [
            ("\"12345é\"", 6, 6),
            ("\"1234éé\"", 7, 7),
            ("[1é", 2, 4),
            ("[-é", 1, 4),
            ("[1.é", 1, 5),
            ("\"\\é\"", 1, 4),
            ("\"\\uéa", 1, 3),
        ] {
            let fault = scan(text.as_bytes(), &limits, &mut tape).unwrap_err();
            assert_eq!((fault.start, fault.end), (start, end), "{text}");
        }
    }
}
