//! Strings: escapes, resolved by block arithmetic while scanning and one by one when decoded.

use super::fault::{Fault, FaultKind};
use super::simd::Lanes;

/// Where a scan looks at the message, 64 bytes at a time. Each block is classified once.
pub(super) struct Blocks<'b, L> {
    bytes: &'b [u8],
    lanes: L,
    /// Start of the block that `special` describes, a multiple of 64.
    base: usize,
    special: u64,
    /// Not zero once a byte outside ASCII was seen.
    pub(super) high: u64,
    /// The bytes after the last whole block, padded with spaces.
    tail: [u8; 64],
}

impl<'b, L: Lanes> Blocks<'b, L> {
    #[inline(always)]
    pub(super) fn new(bytes: &'b [u8], lanes: L) -> Self {
        let mut tail = [b' '; 64];
        let whole = bytes.len() & !63;
        tail[..bytes.len() - whole].copy_from_slice(&bytes[whole..]);
        let mut blocks = Self { bytes, lanes, base: 0, special: 0, high: 0, tail };
        blocks.classify(0);
        blocks
    }

    #[inline(always)]
    fn classify(&mut self, base: usize) {
        let (special, high) = match self.bytes.get(base..).and_then(<[u8]>::first_chunk) {
            Some(block) => self.lanes.special(block),
            None => self.lanes.special(&self.tail),
        };
        self.base = base;
        self.special = special;
        self.high |= high;
    }

    /// Finds the closing quote of the string whose opening quote is at `open`; also tells whether it has escapes.
    #[inline(always)]
    pub(super) fn close_string(
        &mut self,
        open: usize,
        lone_surrogate: &mut Option<(u32, u32)>,
    ) -> Result<(usize, bool), Fault> {
        let from = open + 1;
        if from - self.base >= 64 {
            self.classify(from & !63);
        }
        let ahead = self.special >> (from & 63);
        let at = if ahead != 0 { from + ahead.trailing_zeros() as usize } else { self.far_special() };
        match self.bytes.get(at) {
            Some(b'"') => Ok((at, false)),
            Some(b'\\') => Ok((self.close_escaped(open, at, lone_surrogate)?, true)),
            Some(_) => Err(Fault::new(FaultKind::ControlCharacter, at, at + 1)),
            None => Err(Fault::new(FaultKind::UnterminatedString, open, self.bytes.len())),
        }
    }

    /// The next special byte in the blocks after this one, or the end.
    #[inline(always)]
    fn far_special(&mut self) -> usize {
        let mut base = self.base + 64;
        while base < self.bytes.len() {
            self.classify(base);
            if self.special != 0 {
                return base + self.special.trailing_zeros() as usize;
            }
            base += 64;
        }
        self.bytes.len()
    }

    /// Goes on from the first backslash of a string, a block at a time and without a branch for each escape.
    #[inline(always)]
    fn close_escaped(
        &mut self,
        open: usize,
        backslash: usize,
        lone_surrogate: &mut Option<(u32, u32)>,
    ) -> Result<usize, Fault> {
        let mut base = backslash & !63;
        let mut live = !0 << (backslash & 63);
        let mut carry = 0;
        while base < self.bytes.len() {
            let classes = match self.bytes.get(base..).and_then(<[u8]>::first_chunk) {
                Some(block) => self.lanes.classes(block),
                None => self.lanes.classes(&self.tail),
            };
            self.high |= classes.high;
            let escaped = escaped(classes.backslash & live, &mut carry);
            let quote = classes.quote & live & !escaped;
            // The bits below the closing quote, or all if it is not in this block.
            let inside = live & quote.wrapping_sub(1) & !quote;
            let wrong = (classes.control & !escaped | escaped & !classes.escapable) & inside;
            let unicode = escaped & classes.unicode & inside;
            if wrong | unicode != 0 {
                check_unicode(self.bytes, base, unicode, wrong, lone_surrogate)?;
            }
            if quote != 0 {
                self.base = base;
                self.special = classes.quote | classes.backslash | classes.control;
                return Ok(base + quote.trailing_zeros() as usize);
            }
            live = !0;
            base += 64;
        }
        Err(Fault::new(FaultKind::UnterminatedString, open, self.bytes.len()))
    }
}

/// Checks the `\u` escapes of a block, then reports its first wrong byte if there is one.
#[cold]
fn check_unicode(
    bytes: &[u8],
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
            let end = (at + 5).min(bytes.len());
            return Err(Fault::new(FaultKind::BadUnicodeEscape, at - 1, end));
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
        return Err(Fault::new(FaultKind::UnterminatedString, base, bytes.len()));
    }
    if bytes.get(first_wrong).is_some_and(|byte| *byte < 0x20) {
        return Err(Fault::new(FaultKind::ControlCharacter, first_wrong, first_wrong + 1));
    }
    let end = (first_wrong + 1).min(bytes.len());
    Err(Fault::new(FaultKind::UnknownEscape, first_wrong - 1, end))
}

/// The characters of a block that a backslash escapes. `carry` is 1 if the first one is, and is set for the next block.
///
/// In a run of backslashes every second one is escaped. Subtracting the starts of the runs from the odd bits makes borrows
/// run through each, which tells even from odd without a loop (the technique is simdjson's).
#[inline(always)]
fn escaped(backslash: u64, carry: &mut u64) -> u64 {
    const ODD: u64 = 0xaaaa_aaaa_aaaa_aaaa;
    if backslash == 0 {
        return core::mem::take(carry);
    }
    let starts = backslash & !*carry;
    let codes = (starts << 1 | ODD).wrapping_sub(starts) ^ ODD;
    let escaped = codes ^ (backslash | *carry);
    *carry = (codes & backslash) >> 63;
    escaped
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
