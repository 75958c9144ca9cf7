//! The places of a tape, written one after the other while a message is scanned.

use std::cell::Cell;
use std::slice;

use super::state::Stop;
use super::token::Token;

/// The places of the tape.
///
/// Cells, so that a container can be completed while the places after it are being handed out.
pub(super) struct Slots<'t> {
    all: &'t [Cell<Token>],
    free: slice::Iter<'t, Cell<Token>>,
}

impl<'t> Slots<'t> {
    /// Goes on after those that are written.
    #[inline(always)]
    pub(super) fn resume(tokens: &'t mut [Token], written: u32) -> Self {
        let all = Cell::from_mut(tokens).as_slice_of_cells();
        Self {
            all,
            free: all.get(written as usize..).unwrap_or_default().iter(),
        }
    }

    /// The index of the next token.
    #[inline(always)]
    pub(super) fn next(&self) -> u32 {
        (self.all.len() - self.free.len()) as u32
    }

    /// Writes the next token.
    #[inline(always)]
    pub(super) fn put(&mut self, token: Token) -> Result<(), Stop> {
        let Some(slot) = self.free.next() else {
            return Err(Stop::Full {
                pos: token.start as usize,
            });
        };
        slot.set(token);
        Ok(())
    }

    /// Completes a container whose last byte was just passed.
    #[inline(always)]
    pub(super) fn complete(&mut self, container: u32, end: u32) {
        if let Some(slot) = self.all.get(container as usize) {
            slot.set(Token {
                end,
                inside: self.next() - container - 1,
                ..slot.get()
            });
        }
    }
}
