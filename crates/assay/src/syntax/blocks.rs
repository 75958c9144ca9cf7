//! Finding the end of strings, 64 bytes at a time.

use super::fault::{Fault, FaultKind};
use super::simd::{Classes, Job, Lanes};
use super::string::check_escapes;

/// Finds the ends of strings. Each block of the message is classified once.
pub(super) struct Strings<L> {
    lanes: L,
    window: Window,
    /// Not zero once a byte outside ASCII was seen.
    pub(super) high: u64,
}

/// The block that was classified last. It travels by value, so that the scanner can keep it in registers.
#[derive(Clone, Copy)]
struct Window {
    /// Its start, a multiple of 64.
    base: usize,
    /// Its quotes, backslashes and control characters that the scan has not passed yet.
    ahead: u64,
}

impl<L: Lanes> Strings<L> {
    #[inline(always)]
    pub(super) fn new(lanes: L) -> Self {
        // A window just before the message: the first string lies beyond it.
        Self {
            lanes,
            window: Window {
                base: 0usize.wrapping_sub(64),
                ahead: 0,
            },
            high: 0,
        }
    }

    /// Finds the closing quote of the string whose opening quote is at `open`; also tells whether it has escapes.
    ///
    /// The opening quote must be the first special byte ahead, or lie beyond the window.
    #[inline(always)]
    pub(super) fn close(
        &mut self,
        bytes: &[u8],
        open: usize,
        lone_surrogate: &mut Option<(u32, u32)>,
    ) -> Result<(usize, bool), Fault> {
        // Pass the opening quote; what comes next is the closing one, most often.
        let mut ahead = self.window.ahead & self.window.ahead.wrapping_sub(1);
        let mut at = self
            .window
            .base
            .wrapping_add(ahead.trailing_zeros() as usize);
        if ahead == 0 {
            // The window is used up, or ends before the string, whose block then has bytes that do not count.
            let from = open + 1;
            let beyond = from.wrapping_sub(self.window.base) >= 64;
            let base = if beyond {
                from & !63
            } else {
                self.window.base + 64
            };
            let live = if beyond { !0 << (from & 63) } else { !0 };
            let (special, high) = match bytes.get(base..).and_then(<[u8]>::first_chunk) {
                Some(block) => self.lanes.special(block),
                None => (0, 0),
            };
            ahead = special & live;
            at = base + ahead.trailing_zeros() as usize;
            self.window.base = base;
            self.high |= high;
            if ahead == 0 {
                let found = self.lanes.call(Far { bytes, base, live });
                self.window.base = found.window.base;
                self.high |= found.high;
                ahead = found.window.ahead;
                at = found.at;
            }
        }
        self.window.ahead = ahead & ahead.wrapping_sub(1);
        if bytes.get(at) == Some(&b'"') {
            return Ok((at, false));
        }
        let found = self.lanes.call(Escaped {
            bytes,
            open,
            at,
            lone_surrogate,
        })?;
        self.window = found.window;
        self.high |= found.high;
        Ok((found.at, true))
    }

    /// Takes note that the scan has passed everything before `pos` without looking at strings: white space.
    #[inline(always)]
    pub(super) fn pass(&mut self, pos: usize) {
        let passed = pos.wrapping_sub(self.window.base);
        self.window.ahead = if passed >= 64 {
            0
        } else {
            self.window.ahead & !0 << passed
        };
    }
}

/// A place that was found, and the block it is in.
struct Found {
    at: usize,
    window: Window,
    high: u64,
}

/// Finds the next special byte from the block at `base` on, or the end. In the first block only the live bits count.
struct Far<'a> {
    bytes: &'a [u8],
    base: usize,
    live: u64,
}

impl Job for Far<'_> {
    type Output = Found;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Found {
        let Self {
            bytes,
            mut base,
            live,
        } = self;
        let (blocks, _) = bytes.get(base..).unwrap_or_default().as_chunks::<64>();
        let mut seen_high = 0;
        if let Some((first, rest)) = blocks.split_first() {
            let (special, high) = lanes.special(first);
            if special & live != 0 {
                let at = base + (special & live).trailing_zeros() as usize;
                return Found {
                    at,
                    window: Window {
                        base,
                        ahead: special & live,
                    },
                    high,
                };
            }
            let (skipped, special, high_rest) = lanes.skip_plain(rest);
            seen_high = high | high_rest;
            base += 64 + 64 * skipped;
            if special != 0 {
                let at = base + special.trailing_zeros() as usize;
                return Found {
                    at,
                    window: Window {
                        base,
                        ahead: special,
                    },
                    high: seen_high,
                };
            }
        }
        // What remains is less than a block.
        let (special, high) = partial(bytes, base, |block| lanes.special(block));
        let ahead = if blocks.is_empty() {
            special & live
        } else {
            special
        };
        let at = if ahead == 0 {
            bytes.len()
        } else {
            base + ahead.trailing_zeros() as usize
        };
        Found {
            at,
            window: Window { base, ahead },
            high: seen_high | high,
        }
    }
}

/// Looks at the bytes from `base` to the end, which are less than a block; the bits beyond are zero.
#[inline(always)]
fn partial(bytes: &[u8], base: usize, look: impl FnOnce(&[u8; 64]) -> (u64, u64)) -> (u64, u64) {
    let rest = bytes.get(base..).unwrap_or_default();
    if let Some(last) = bytes.last_chunk::<64>() {
        // Bytes before `base` are looked at again, and shifted out.
        let (special, high) = look(last);
        return (
            if rest.is_empty() {
                0
            } else {
                special >> (64 - rest.len())
            },
            high,
        );
    }
    look(&padded(rest))
}

/// Less than a block, padded with spaces.
#[inline(always)]
fn padded(rest: &[u8]) -> [u8; 64] {
    let mut block = [b' '; 64];
    block[..rest.len()].copy_from_slice(rest);
    block
}

/// Goes on from the first special byte of a string, which is no quote, to the closing quote; without a branch for each
/// escape.
struct Escaped<'a, 's> {
    bytes: &'a [u8],
    open: usize,
    at: usize,
    lone_surrogate: &'s mut Option<(u32, u32)>,
}

impl Job for Escaped<'_, '_> {
    type Output = Result<Found, Fault>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Self::Output {
        let Self {
            bytes,
            open,
            at,
            lone_surrogate,
        } = self;
        match bytes.get(at) {
            Some(b'\\') => {}
            Some(_) => return Err(Fault::new(FaultKind::ControlCharacter, at, at + 1)),
            None => return Err(Fault::new(FaultKind::UnterminatedString, open, bytes.len())),
        }
        let mut state = EscapeState {
            live: !0 << (at & 63),
            carry: 0,
            high: 0,
        };
        let mut base = at & !63;
        let (blocks, rest) = bytes.get(base..).unwrap_or_default().as_chunks::<64>();
        for block in blocks {
            if let Some(found) = state.block(bytes, base, lanes.classes(block), lone_surrogate)? {
                return Ok(found);
            }
            base += 64;
        }
        if !rest.is_empty()
            && let Some(found) =
                state.block(bytes, base, lanes.classes(&padded(rest)), lone_surrogate)?
        {
            return Ok(found);
        }
        Err(Fault::new(FaultKind::UnterminatedString, open, bytes.len()))
    }
}

/// What a string with escapes carries from one block to the next.
struct EscapeState {
    /// The bits of this block that are in the string and not yet seen.
    live: u64,
    /// 1 if the first byte of this block is escaped.
    carry: u64,
    high: u64,
}

impl EscapeState {
    #[inline(always)]
    fn block(
        &mut self,
        bytes: &[u8],
        base: usize,
        classes: Classes,
        lone_surrogate: &mut Option<(u32, u32)>,
    ) -> Result<Option<Found>, Fault> {
        self.high |= classes.high;
        let escaped = escaped(classes.backslash & self.live, &mut self.carry);
        let quote = classes.quote & self.live & !escaped;
        // The bits below the closing quote, or all if it is not in this block.
        let inside = self.live & quote.wrapping_sub(1) & !quote;
        let doubtful = (classes.control & !escaped | escaped & !classes.simple_escape) & inside;
        if doubtful != 0 {
            check_escapes(bytes, base, doubtful, lone_surrogate)?;
        }
        self.live = !0;
        if quote == 0 {
            return Ok(None);
        }
        let special = classes.quote | classes.backslash | classes.control;
        let closing = quote.trailing_zeros();
        // Nothing up to and including the closing quote is ahead any more; shifting twice, for the last bit of a block.
        let window = Window {
            base,
            ahead: special & (!0 << closing << 1),
        };
        Ok(Some(Found {
            at: base + closing as usize,
            window,
            high: self.high,
        }))
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
