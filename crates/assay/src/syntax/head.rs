//! How most messages begin, read in two looks: the version of JSON-RPC, and a short number as id.
//!
//! Nothing is accepted here that the scanner would not accept: what does not begin in just this way is left to it.

use super::look::Look;
use super::number;
use super::scan::{Stop, byte_at};
use super::slots::{Slots, token};
use super::tape::{Kind, Token};

/// What the scanner has seen of the envelope at the beginning of a message. Members that follow may repeat it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Head {
    /// How many tokens of the beginning are known; zero if it is not the common one. The version is token 2.
    pub(crate) tokens: u32,
    /// The digits of the id, the first in the lowest byte; zero if the next member is not a short number as id. It is token 4.
    pub(crate) id: u64,
}

/// The beginning, as most libraries write it.
const VERSION: &[u8; 17] = b"{\"jsonrpc\":\"2.0\",";

/// Where it ends.
const VERSION_END: u32 = VERSION.len() as u32;

/// What may follow.
const ID: &[u8; 5] = b"\"id\":";

/// Where the id is then.
const ID_START: u32 = VERSION_END + ID.len() as u32;

/// Whether a message begins as most do, and goes on.
#[inline(always)]
pub(super) fn is_common(bytes: &[u8]) -> bool {
    matches!(bytes.first_chunk::<18>(), Some([head @ .., _]) if head == VERSION)
}

impl Head {
    /// Writes the object, its version and its id, if that comes next, is a short number, and another member follows. Tells
    /// where that begins.
    #[inline(always)]
    pub(super) fn begin(
        &mut self,
        bytes: &[u8],
        slots: &mut Slots<'_>,
        seen: &mut u64,
    ) -> Result<u32, Stop> {
        slots.put(token(Kind::Object, 0, 0, false))?;
        slots.put(key(const { Look::of(b"jsonrpc") }, 1, 10, seen))?;
        slots.put(token(Kind::String, 11, 16, false))?;
        self.tokens = 3;
        if let Some(end) = id_end(bytes) {
            slots.put(key(
                const { Look::of(b"id") },
                VERSION_END,
                ID_START - 1,
                seen,
            ))?;
            slots.put(token(Kind::Number, ID_START, end, false))?;
            self.tokens = 5;
            self.id = digits(bytes, end);
            return Ok(end + 1);
        }
        Ok(VERSION_END)
    }
}

#[inline(always)]
fn key(look: Look, start: u32, end: u32, seen: &mut u64) -> Token {
    *seen |= 1 << look.index();
    Token {
        inside: look.0,
        ..token(Kind::Key, start, end, false)
    }
}

/// Where the id ends, if it comes next, is a short number, and another member follows.
#[inline(always)]
fn id_end(bytes: &[u8]) -> Option<u32> {
    let next = bytes.get(VERSION_END as usize..ID_START as usize);
    if next != Some(ID.as_slice()) {
        return None;
    }
    number::short(bytes, ID_START).filter(|end| byte_at(bytes, *end) == b',')
}

/// The digits of an id that [`id_end`] has found, of which there are at most seven.
#[inline(always)]
fn digits(bytes: &[u8], end: u32) -> u64 {
    let digits = bytes
        .get(ID_START as usize..)
        .and_then(<[u8]>::first_chunk::<8>);
    let length = end - ID_START;
    digits.map_or(0, |digits| {
        u64::from_le_bytes(*digits) & !(!0 << ((8 * length) & 63))
    })
}
