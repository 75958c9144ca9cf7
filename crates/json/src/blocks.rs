//! Finding the end of strings, 64 bytes at a time.

use super::fault::{Fault, FaultKind};
use super::simd::{Job, Lanes};
use super::string::check_escapes;

/// Finds the ends of strings. Each block of the message is classified once, and again where a
/// string has escapes.
#[derive(Clone, Copy)]
pub(super) struct Strings<L> {
    lanes: L,
    pub(super) window: Window,
    /// Not zero once a byte outside ASCII was seen.
    pub(super) high: u64,
}

/// The block that was classified last. It travels by value, so that the scanner can keep it in
/// registers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Window {
    /// Its start; before the message (wrapping) if the message is shorter than a block.
    base: u32,
    /// Its quotes, backslashes and control characters that the scan has not passed yet.
    ahead: u64,
}

impl<L: Lanes> Strings<L> {
    #[inline(always)]
    pub(super) fn new(lanes: L, bytes: &[u8]) -> Self {
        // A window just before the message: the first string lies beyond it.
        let mut strings = Self {
            lanes,
            window: Window {
                base: 0u32.wrapping_sub(64),
                ahead: 0,
            },
            high: 0,
        };
        if bytes.len() < 64 {
            // The only window, which ends where the message does.
            let (ahead, high) = short(lanes, bytes);
            strings.window.base = (bytes.len() as u32).wrapping_sub(64);
            strings.window.ahead = ahead;
            strings.high = high;
        }
        strings
    }

    /// Goes on where another has stopped.
    #[inline(always)]
    pub(super) fn resume(lanes: L, window: Window, high: u64) -> Self {
        Self {
            lanes,
            window,
            high,
        }
    }

    /// Finds the first special byte after the quote at `open`, most often the closing quote; the
    /// end if there is none.
    ///
    /// The quote at `open` must be the first special byte ahead, or lie beyond the window.
    #[inline(always)]
    pub(super) fn next_special(&mut self, bytes: &[u8], open: u32) -> u32 {
        // Pass the opening quote.
        let mut ahead = self.window.ahead & self.window.ahead.wrapping_sub(1);
        if ahead == 0 {
            // The window is used up, or ends before the string.
            let from = self.window.base.wrapping_add(64).max(open + 1);
            let block = bytes
                .get(from as usize..from as usize + 64)
                .and_then(<[u8]>::first_chunk);
            let (block, base, live) = match block {
                Some(block) => (block, from, !0),
                // The rest is shorter than a block: classify the last block, and ignore the bytes
                // before `pos`.
                None => match bytes.last_chunk() {
                    Some(block) if (from as usize) < bytes.len() => {
                        let base = bytes.len() as u32 - 64;
                        (block, base, !0 << (from - base))
                    }
                    _ => return bytes.len() as u32,
                },
            };
            let (special, high) = self.lanes.special(block);
            self.high |= high;
            self.window.base = base;
            ahead = special & live;
            if ahead == 0 {
                let (window, high) = self.lanes.call_rarely(Far {
                    bytes,
                    from: base + 64,
                });
                self.window.base = window.base;
                self.high |= high;
                ahead = window.ahead;
                if ahead == 0 {
                    self.window.ahead = 0;
                    return bytes.len() as u32;
                }
            }
        }
        self.window.ahead = ahead & ahead.wrapping_sub(1);
        self.window.base.wrapping_add(ahead.trailing_zeros())
    }

    /// Finds the closing quote of the string at `open` whose first special byte is at `at`, and
    /// whether the string has escapes.
    #[inline(always)]
    pub(super) fn finish(
        &mut self,
        bytes: &[u8],
        open: u32,
        at: u32,
        lone_surrogate: &mut Option<(u32, u32)>,
    ) -> Result<(u32, bool), Fault> {
        let found = self.lanes.call_rarely(Escaped {
            bytes,
            open: open as usize,
            at: at as usize,
            window: self.window,
            lone_surrogate,
        })?;
        self.window = found.window;
        self.high |= found.high;
        Ok((found.at, found.complex))
    }

    /// The end of the white space that begins at `pos`, if there is any.
    #[inline(always)]
    pub(super) fn pass_space(&mut self, bytes: &[u8], pos: u32) -> Option<u32> {
        let past = after_space(bytes, pos);
        // The special bytes before it were line ends and tabs.
        self.pass(past);
        (past > pos).then_some(past)
    }

    /// Marks everything before `past` as read by other means.
    #[inline(always)]
    pub(super) fn pass(&mut self, past: u32) {
        let passed = past.wrapping_sub(self.window.base);
        self.window.ahead = if passed >= 64 {
            0
        } else {
            self.window.ahead & !0 << passed
        };
    }
}

/// The end of the white space that begins at `pos`. Kept out of line: most messages have none.
#[cold]
#[inline(never)]
pub(super) fn after_space(bytes: &[u8], pos: u32) -> u32 {
    let rest = bytes.get(pos as usize..).unwrap_or_default();
    let space = rest
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
    pos + space.count() as u32
}

/// The special bytes of a message that is shorter than a block, in the upper bits; and whether any
/// is not ASCII.
#[inline(always)]
fn short<L: Lanes>(lanes: L, bytes: &[u8]) -> (u64, u64) {
    match (bytes.first_chunk::<32>(), bytes.last_chunk::<32>()) {
        (Some(first), Some(last)) => {
            // Two halves that overlap.
            let mut block = [0; 64];
            block[..32].copy_from_slice(first);
            block[32..].copy_from_slice(last);
            let (special, high) = lanes.special(&block);
            let (first, last) = (special & 0xffff_ffff, special >> 32 << 32);
            (first << (64 - bytes.len()) | last, high)
        }
        _ => {
            let mut block = [b' '; 64];
            block[64 - bytes.len()..].copy_from_slice(bytes);
            lanes.special(&block)
        }
    }
}

/// The end of a string, and the block it is in.
struct Found {
    at: u32,
    complex: bool,
    window: Window,
    high: u64,
}

/// Finds the next block with a special byte; `from` is no more than the length.
struct Far<'a> {
    bytes: &'a [u8],
    from: u32,
}

impl Job for Far<'_> {
    /// The block, nothing ahead if there is none; and a value that is not zero if a byte up to its
    /// end is not ASCII.
    type Output = (Window, u64);

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Self::Output {
        let Self { bytes, from } = self;
        let (blocks, rest) = bytes
            .get(from as usize..)
            .unwrap_or_default()
            .as_chunks::<64>();
        let found = |base, ahead, high| (Window { base, ahead }, high);
        let mut high = 0;
        if let Some((first, others)) = blocks.split_first() {
            // Most strings that get here end in this block; the others go to where two blocks cost
            // little more than one.
            let (special, high_first) = lanes.special(first);
            if special != 0 {
                return found(from, special, high_first);
            }
            let (skipped, special, high_others) = lanes.skip_plain(others);
            high = high_first | high_others;
            if special != 0 {
                return found(from + 64 + 64 * skipped as u32, special, high);
            }
        }
        // The rest is shorter than a block: classify the last block, and ignore the bytes before
        // it.
        match bytes.last_chunk() {
            Some(block) if !rest.is_empty() => {
                let (special, high_rest) = lanes.special(block);
                let live = !0 << (64 - rest.len());
                found(bytes.len() as u32 - 64, special & live, high | high_rest)
            }
            _ => found(bytes.len() as u32 - 64, 0, high),
        }
    }
}

/// Less than a block, padded with spaces.
#[inline(always)]
fn padded(rest: &[u8]) -> [u8; 64] {
    let mut block = [b' '; 64];
    block[..rest.len()].copy_from_slice(rest);
    block
}

/// Goes on from the first special byte of a string to the closing quote, without a branch for each
/// escape.
struct Escaped<'a, 's> {
    bytes: &'a [u8],
    open: usize,
    at: usize,
    /// Stays as it is if the special byte is the closing quote.
    window: Window,
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
            window,
            lone_surrogate,
        } = self;
        match bytes.get(at) {
            Some(b'"') => {
                return Ok(Found {
                    at: at as u32,
                    complex: false,
                    window,
                    high: 0,
                });
            }
            Some(b'\\') => {}
            Some(_) => return Err(Fault::new(FaultKind::ControlCharacter, at, at + 1)),
            None => return Err(Fault::new(FaultKind::UnterminatedString, open, bytes.len())),
        }
        let mut carry = 0;
        let mut seen_high = 0;
        let mut base = at;
        let (blocks, rest) = bytes.get(at..).unwrap_or_default().as_chunks::<64>();
        let mut blocks = blocks.iter();
        let mut last;
        loop {
            let block = match blocks.next() {
                Some(block) => block,
                None if base < bytes.len() => {
                    last = padded(rest);
                    &last
                }
                None => {
                    return Err(Fault::new(FaultKind::UnterminatedString, open, bytes.len()));
                }
            };
            let classes = lanes.classes(block);
            seen_high |= classes.high;
            let escaped = escaped(classes.backslash, &mut carry);
            let end = classes.end & !escaped;
            let doubtful = escaped & !classes.common_escape;
            if end | doubtful != 0 {
                // The bits below the end, or all if it is not in this block.
                let inside = end.wrapping_sub(1) & !end;
                if doubtful & inside != 0 {
                    check_escapes(bytes, base, doubtful & inside, lone_surrogate)?;
                }
                if end != 0 {
                    let at = base + end.trailing_zeros() as usize;
                    if bytes.get(at) != Some(&b'"') {
                        return Err(Fault::new(FaultKind::ControlCharacter, at, at + 1));
                    }
                    // Nothing up to and including the closing quote is ahead any more.
                    let special = classes.end | classes.backslash;
                    let ahead = special & !(inside | end & end.wrapping_neg());
                    return Ok(Found {
                        at: at as u32,
                        complex: true,
                        window: Window {
                            base: base as u32,
                            ahead,
                        },
                        high: seen_high,
                    });
                }
            }
            base += 64;
        }
    }
}

/// The characters of a block that a backslash escapes. `carry` is 1 if the first one is, and is set
/// for the next block.
#[inline(always)]
fn escaped(backslash: u64, carry: &mut u64) -> u64 {
    let behind = backslash << 1 | *carry;
    if backslash & behind == 0 {
        *carry = backslash >> 63;
        return behind;
    }
    escaped_in_runs(backslash, carry)
}

/// The same where backslashes follow each other.
///
/// In a run of backslashes every second one is escaped. Subtracting the starts of the runs from the
/// odd bits makes borrows run through each, which tells even from odd without a loop (the technique
/// is simdjson's).
#[inline(always)]
fn escaped_in_runs(backslash: u64, carry: &mut u64) -> u64 {
    const ODD: u64 = 0xaaaa_aaaa_aaaa_aaaa;
    let starts = backslash & !*carry;
    let codes = (starts << 1 | ODD).wrapping_sub(starts) ^ ODD;
    let escaped = codes ^ (backslash | *carry);
    *carry = (codes & backslash) >> 63;
    escaped
}
