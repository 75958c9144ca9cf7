//! Finding the end of strings, 64 bytes at a time.

use super::fault::{Fault, FaultKind};
use super::simd::{Job, Lanes};
use super::string::check_unicode;

/// Where a scan looks at the message. Each block is classified once.
pub(super) struct Blocks<'b, L> {
    bytes: &'b [u8],
    lanes: L,
    window: Window,
    /// Not zero once a byte outside ASCII was seen.
    pub(super) high: u64,
    tail: Tail,
}

/// The block that was classified last. It travels by value, so that the scanner can keep it in registers.
#[derive(Clone, Copy)]
struct Window {
    /// Its start, a multiple of 64.
    base: usize,
    /// Its quotes, backslashes and control characters.
    special: u64,
}

/// The bytes after the last whole block, padded with spaces.
struct Tail([u8; 64]);

impl Tail {
    #[inline(always)]
    fn new(bytes: &[u8]) -> Self {
        let (_, rest) = bytes.as_chunks::<64>();
        let mut tail = [b' '; 64];
        tail[..rest.len()].copy_from_slice(rest);
        Self(tail)
    }

    #[inline(always)]
    fn block<'t>(&'t self, bytes: &'t [u8], base: usize) -> &'t [u8; 64] {
        // One of two pointers, then one look: merging two looks instead would make the compiler take masks apart bit by bit.
        bytes.get(base..).and_then(<[u8]>::first_chunk).unwrap_or(&self.0)
    }
}

impl<'b, L: Lanes> Blocks<'b, L> {
    #[inline(always)]
    pub(super) fn new(bytes: &'b [u8], lanes: L) -> Self {
        let tail = Tail::new(bytes);
        let (special, high) = lanes.special(tail.block(bytes, 0));
        Self { bytes, lanes, window: Window { base: 0, special }, high, tail }
    }

    /// Finds the closing quote of the string whose opening quote is at `open`; also tells whether it has escapes.
    #[inline(always)]
    pub(super) fn close_string(
        &mut self,
        open: usize,
        lone_surrogate: &mut Option<(u32, u32)>,
    ) -> Result<(usize, bool), Fault> {
        let from = open + 1;
        if from - self.window.base >= 64 {
            let base = from & !63;
            let (special, high) = self.lanes.special(self.tail.block(self.bytes, base));
            self.window = Window { base, special };
            self.high |= high;
        }
        let ahead = self.window.special >> (from & 63);
        let mut at = from + ahead.trailing_zeros() as usize;
        if ahead == 0 {
            let found = self.lanes.call(Far { bytes: self.bytes, tail: &self.tail, base: self.window.base + 64 });
            self.window = found.window;
            self.high |= found.high;
            at = found.at;
        }
        match self.bytes.get(at) {
            Some(b'"') => Ok((at, false)),
            Some(b'\\') => {
                let job = Escaped { bytes: self.bytes, tail: &self.tail, open, backslash: at, lone_surrogate };
                let found = self.lanes.call(job)?;
                self.window = found.window;
                self.high |= found.high;
                Ok((found.at, true))
            }
            Some(_) => Err(Fault::new(FaultKind::ControlCharacter, at, at + 1)),
            None => Err(Fault::new(FaultKind::UnterminatedString, open, self.bytes.len())),
        }
    }
}

/// A place that was found, and the block it is in.
struct Found {
    at: usize,
    window: Window,
    high: u64,
}

/// Finds the next special byte from the block at `base` on, or the end.
struct Far<'a> {
    bytes: &'a [u8],
    tail: &'a Tail,
    base: usize,
}

impl Job for Far<'_> {
    type Output = Found;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Found {
        let Self { bytes, tail, mut base } = self;
        let mut seen_high = 0;
        while base < bytes.len() {
            let (special, high) = lanes.special(tail.block(bytes, base));
            seen_high |= high;
            if special != 0 {
                let at = base + special.trailing_zeros() as usize;
                return Found { at, window: Window { base, special }, high: seen_high };
            }
            base += 64;
        }
        Found { at: bytes.len(), window: Window { base, special: 0 }, high: seen_high }
    }
}

/// Goes on from the first backslash of a string to its closing quote, without a branch for each escape.
struct Escaped<'a, 's> {
    bytes: &'a [u8],
    tail: &'a Tail,
    open: usize,
    backslash: usize,
    lone_surrogate: &'s mut Option<(u32, u32)>,
}

impl Job for Escaped<'_, '_> {
    type Output = Result<Found, Fault>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Self::Output {
        let Self { bytes, tail, open, backslash, lone_surrogate } = self;
        let mut base = backslash & !63;
        let mut live = !0 << (backslash & 63);
        let mut carry = 0;
        let mut high = 0;
        while base < bytes.len() {
            let classes = lanes.classes(tail.block(bytes, base));
            high |= classes.high;
            let escaped = escaped(classes.backslash & live, &mut carry);
            let quote = classes.quote & live & !escaped;
            // The bits below the closing quote, or all if it is not in this block.
            let inside = live & quote.wrapping_sub(1) & !quote;
            let wrong = (classes.control & !escaped | escaped & !classes.escapable) & inside;
            let unicode = escaped & classes.unicode & inside;
            if wrong | unicode != 0 {
                check_unicode(bytes, open, base, unicode, wrong, lone_surrogate)?;
            }
            if quote != 0 {
                let special = classes.quote | classes.backslash | classes.control;
                let at = base + quote.trailing_zeros() as usize;
                return Ok(Found { at, window: Window { base, special }, high });
            }
            live = !0;
            base += 64;
        }
        Err(Fault::new(FaultKind::UnterminatedString, open, bytes.len()))
    }
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
