//! Pages of the list of tools as they were written: an equal page need not be read again.

use std::collections::VecDeque;

use crate::Revision;
use crate::syntax::Node;

/// The maximum number of pages that are tracked, and of their bytes together.
const MAX_PAGES: usize = 16;
const MAX_BYTES: usize = 1 << 18;

/// The last pages.
#[derive(Clone, Debug, Default)]
pub(super) struct Pages {
    known: VecDeque<Page>,
    bytes: usize,
    /// The number of pages so far.
    serial: u64,
}

/// A page, byte for byte.
#[derive(Clone, Debug)]
pub(super) struct Page {
    text: Box<[u8]>,
    /// The revision, which determines how schemas are read.
    revision: Revision,
    /// Whether the schemas on it are without fault.
    pub(super) fine: bool,
    /// Whether the names on it are without fault.
    pub(super) fine_names: bool,
    /// Identifies the page.
    pub(super) serial: u64,
}

impl Pages {
    /// An equal page that was seen before.
    pub(super) fn find(&self, page: Node<'_>, revision: Revision) -> Option<&Page> {
        let raw = page.raw();
        let mut known = self.known.iter();
        known.find(|known| known.revision == revision && *known.text == *raw)
    }

    /// Tracks a page, unless it is too long; others may be dropped for it.
    pub(super) fn track(
        &mut self,
        page: Node<'_>,
        revision: Revision,
        fine: bool,
        fine_names: bool,
    ) -> Option<u64> {
        let raw = page.raw();
        if raw.len() > MAX_BYTES {
            return None;
        }
        while self.known.len() >= MAX_PAGES || self.bytes + raw.len() > MAX_BYTES {
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
