//! The beginning of a scan: at the first member of most messages, or at the first value.

use super::blocks::{Strings, after_space};
use super::fault::{Fault, FaultKind};
use super::limits::ScanLimits;
use super::simd::{Job, Lanes};
use super::slots::Slots;
use super::state::{Begun, Done, Stop, at_end, byte_at, too_deep, word};
use super::tape::Tape;
use super::token::{Kind, Open, container, token};
use super::{diagnose, head, number};

/// Reads up to the first member or item, and records its position on the tape. Reads to the end if
/// the message has no more than that.
#[inline(always)]
pub(super) fn begin<L: Lanes>(
    lanes: L,
    bytes: &[u8],
    limits: &ScanLimits,
    tape: &mut Tape,
) -> Result<Option<Done>, Stop> {
    if limits.depth > 1
        && let Some(tokens) = tape.tokens.first_chunk_mut()
    {
        if head::is_common(bytes) {
            let begun = tape.head.begin(bytes, tokens, &mut tape.stack, lanes);
            if begun.is_all {
                return Ok(Some(begun.done()));
            }
            tape.begun = begun;
            return Ok(None);
        }
        if bytes.starts_with(b"{\"") {
            let strings = Strings::new(lanes, bytes);
            tokens[0] = token(Kind::Object, 0, 0, false);
            tape.begun = Begun::first(1, Open::OBJECT, &strings);
            return Ok(None);
        }
    }
    let begun = lanes.call_rarely(Otherwise {
        bytes,
        limits,
        tape,
    })?;
    tape.begun = begun;
    Ok(begun.is_all.then(|| begun.done()))
}

/// A message that begins in another way than unformatted messages do.
struct Otherwise<'a> {
    bytes: &'a [u8],
    limits: &'a ScanLimits,
    tape: &'a mut Tape,
}

impl Job for Otherwise<'_> {
    type Output = Result<Begun, Stop>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Self::Output {
        let Self {
            bytes,
            limits,
            tape,
        } = self;
        let mut strings = Strings::new(lanes, bytes);
        let start = strings.pass_space(bytes, 0).unwrap_or(0);
        let bracket = byte_at(bytes, start);
        if bracket != b'{' && bracket != b'[' {
            return leaf(lanes, bytes, start, tape);
        }
        if limits.depth == 0 {
            return Err(too_deep(start));
        }
        let pos = strings.pass_space(bytes, start + 1).unwrap_or(start + 1);
        let open = Open {
            token: 0,
            closer: bracket.wrapping_add(2),
        };
        if byte_at(bytes, pos) == open.closer {
            return leaf(lanes, bytes, start, tape);
        }
        Slots::resume(&mut tape.tokens, 0).put(container(bracket, start, start))?;
        Ok(Begun::first(pos, open, &strings))
    }
}

/// A message that is one token: JSON, though never a message of MCP.
#[inline(always)]
fn leaf<L: Lanes>(lanes: L, bytes: &[u8], pos: u32, tape: &mut Tape) -> Result<Begun, Stop> {
    if bytes.starts_with(b"\xef\xbb\xbf") {
        return Err(Fault::new(FaultKind::ByteOrderMark, 0, 3).into());
    }
    let mut strings = Strings::new(lanes, bytes);
    strings.pass_space(bytes, 0);
    let byte = byte_at(bytes, pos);
    let token = if byte == b'"' {
        let special = strings.next_special(bytes, pos);
        let (close, complex) = strings.finish(bytes, pos, special, &mut tape.lone_surrogate)?;
        token(Kind::String, pos, close + 1, complex)
    } else if byte == b'-' || byte.is_ascii_digit() {
        let Some((end, complex)) = number::scan(bytes, pos) else {
            return Err(number::fault(bytes, pos).into());
        };
        token(Kind::Number, pos, end, complex)
    } else if let Some((kind, length)) = word(bytes, pos) {
        token(kind, pos, pos + length, false)
    } else if byte == b'{' || byte == b'[' {
        container(byte, pos, after_space(bytes, pos + 1) + 1)
    } else {
        return Err(diagnose::no_value(bytes, pos as usize, true).into());
    };
    Slots::resume(&mut tape.tokens, 0).put(token)?;
    at_end(bytes, token.end)?;
    Ok(Begun {
        is_all: true,
        ..Begun::first(pos, Open::OBJECT, &strings)
    })
}
