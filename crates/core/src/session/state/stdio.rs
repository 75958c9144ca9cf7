//! Remembers lines of a stream that were no message, so that what follows from them is not reported again.

use crate::Direction;
use crate::frame::Before;
use crate::session::Hook;

/// What came last on each stream.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stdio {
    before: [Before; 2],
}

impl Stdio {
    /// What came last.
    pub(crate) fn before(&self, direction: Option<Direction>) -> Before {
        direction.map_or(Before::Message, |direction| self.before[direction as usize])
    }

    /// Takes note of a message: a piece of one before it is not going to be continued.
    #[inline]
    pub(crate) fn message(&mut self, direction: Direction) {
        let before = &mut self.before[direction as usize];
        if *before == Before::Piece {
            *before = Before::Message;
        }
    }

    /// Takes note of a line that could not be read.
    #[inline]
    pub(crate) fn note(&mut self, direction: Option<Direction>, then: Before) {
        if let Some(direction) = direction {
            self.before[direction as usize] = then;
        }
    }
}

pub(super) static HOOKS: &[Hook] = &[];
