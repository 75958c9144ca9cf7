//! Tracks lines of a stream that were no messages, so that their consequences are not reported
//! again.

use crate::Direction;
use crate::frame::Before;
use crate::session::Hook;

/// The last line of each stream.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stdio {
    before: [Before; 2],
}

impl Stdio {
    /// The last line of a stream.
    pub(crate) fn before(&self, direction: Option<Direction>) -> Before {
        direction.map_or(Before::Message, |direction| self.before[direction as usize])
    }

    /// Tracks a message: a piece before it cannot be continued any more.
    #[inline]
    pub(crate) fn message(&mut self, direction: Direction) {
        let before = &mut self.before[direction as usize];
        if *before == Before::Piece {
            *before = Before::Message;
        }
    }

    /// Tracks a line that could not be read.
    #[inline]
    pub(crate) fn note(&mut self, direction: Option<Direction>, then: Before) {
        if let Some(direction) = direction {
            self.before[direction as usize] = then;
        }
    }
}

pub(super) static HOOKS: &[Hook] = &[];
