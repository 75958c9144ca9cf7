//! The state of a scan, and the steps that its parts share.

use super::blocks::{Strings, Window, after_space};
use super::diagnose;
use super::fault::{Fault, FaultKind};
use super::simd::Lanes;
use super::token::{Kind, Open};

/// The state in which the loop of a scan begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begun {
    pub(super) pos: u32,
    /// The number of tokens written.
    pub(super) tokens: u32,
    /// The innermost open container.
    pub(super) open: Open,
    /// A bit for each hash of a key of it.
    pub(super) seen: u64,
    pub(super) window: Window,
    /// Not zero once a byte outside ASCII was seen.
    pub(super) high: u64,
    /// Whether nothing is left to scan.
    pub(super) is_all: bool,
}

impl Default for Begun {
    fn default() -> Self {
        Self {
            pos: 0,
            tokens: 0,
            open: Open::OBJECT,
            seen: 0,
            window: Window::default(),
            high: 0,
            is_all: false,
        }
    }
}

impl Begun {
    #[inline(always)]
    pub(super) fn done(&self) -> Done {
        Done {
            tokens: self.tokens,
            high: self.high,
            key_hashes: self.seen,
        }
    }

    /// The state after one token.
    #[inline(always)]
    pub(super) fn first<L: Lanes>(pos: u32, open: Open, strings: &Strings<L>) -> Self {
        Self {
            pos,
            tokens: 1,
            open,
            seen: 0,
            window: strings.window,
            high: strings.high,
            is_all: false,
        }
    }
}

/// A scan that came to the end of the message.
pub(super) struct Done {
    pub(super) tokens: u32,
    /// Not zero if a string has a byte outside ASCII; elsewhere such bytes are faults.
    pub(super) high: u64,
    /// A bit for each hash that a key of the message has.
    pub(super) key_hashes: u64,
}

/// The reason why a scan ends early.
#[derive(Clone, Copy)]
pub(super) enum Stop {
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

/// Checks that nothing but white space follows the value.
#[inline(always)]
pub(super) fn at_end(bytes: &[u8], pos: u32) -> Result<(), Fault> {
    if pos as usize == bytes.len() {
        return Ok(());
    }
    let past = after_space(bytes, pos);
    if past as usize == bytes.len() {
        return Ok(());
    }
    Err(diagnose::after_value(bytes, past as usize))
}

#[cold]
pub(super) fn too_deep(pos: u32) -> Stop {
    Fault::new(FaultKind::TooDeep, pos as usize, pos as usize + 1).into()
}

/// The byte at a position, 0 at the end.
#[inline(always)]
pub(super) fn byte_at(bytes: &[u8], pos: u32) -> u8 {
    bytes.get(pos as usize).copied().unwrap_or(0)
}

/// One of the three words of JSON, and its length.
#[inline(always)]
pub(super) fn word(bytes: &[u8], pos: u32) -> Option<(Kind, u32)> {
    match bytes.get(pos as usize..pos as usize + 4)? {
        b"true" => Some((Kind::True, 4)),
        b"null" => Some((Kind::Null, 4)),
        b"fals" if byte_at(bytes, pos + 4) == b'e' => Some((Kind::False, 5)),
        _ => None,
    }
}
