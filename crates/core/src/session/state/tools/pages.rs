//! Pages of the list of tools as they were written: a page that is shown again need not be read again.

use std::collections::VecDeque;

use crate::Revision;
use crate::syntax::Node;

/// So many pages are remembered, if they are not longer than this together.
const PAGES: usize = 16;
const BYTES: usize = 1 << 18;

/// The pages that were shown last.
#[derive(Clone, Debug, Default)]
pub(super) struct Pages {
    known: VecDeque<Page>,
    bytes: usize,
    /// Counts pages.
    serial: u64,
}

/// A page, letter by letter.
#[derive(Clone, Debug)]
pub(super) struct Page {
    text: Box<[u8]>,
    /// It says how schemas are read.
    revision: Revision,
    /// Whether there is nothing to say about the schemas on it.
    pub(super) fine: bool,
    /// Whether there is nothing to say about the names on it.
    pub(super) fine_names: bool,
    /// Tells pages apart.
    pub(super) serial: u64,
}

impl Pages {
    /// A page that was shown before.
    pub(super) fn find(&self, page: Node<'_>, revision: Revision) -> Option<&Page> {
        let raw = page.raw();
        let mut known = self.known.iter();
        known.find(|known| known.revision == revision && *known.text == *raw)
    }

    /// Remembers a page, unless it is too long; others may have to go.
    pub(super) fn remember(
        &mut self,
        page: Node<'_>,
        revision: Revision,
        fine: bool,
        fine_names: bool,
    ) -> Option<u64> {
        let raw = page.raw();
        if raw.len() > BYTES {
            return None;
        }
        while self.known.len() >= PAGES || self.bytes + raw.len() > BYTES {
            let oldest = self.known.pop_front()?;
            self.bytes -= oldest.text.len();
        }
        self.bytes += raw.len();
        self.serial += 1;
        self.known.push_back(Page {
            text: raw.into(),
            revision,
            fine,
            fine_names,
            serial: self.serial,
        });
        Some(self.serial)
    }
}
