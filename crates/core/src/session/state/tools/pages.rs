//! Pages of the list of tools, by digest: an equal page need not be read again.

use std::collections::VecDeque;

use crate::Revision;
use crate::session::message::Message;
use crate::session::{Seed, hash_of};
use crate::syntax::Node;

/// The number of pages that are tracked. One that is not tracked any more is read again, with the
/// same result.
const MAX_PAGES: usize = 16;

/// The last pages.
#[derive(Clone, Debug, Default)]
pub(super) struct Pages {
    known: VecDeque<Page>,
    /// The number of pages so far.
    serial: u64,
}

/// A page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page {
    text: PageText,
    /// Whether the schemas on it are without fault.
    pub(super) fine: bool,
    /// Whether the names on it are without fault.
    pub(super) fine_names: bool,
    /// Identifies the page.
    pub(super) serial: u64,
}

/// The text of a page, byte for byte, by its digest and length. The seed of the digest is random,
/// so that nobody can construct two pages that are taken for one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PageText {
    digest: u64,
    length: u32,
    /// The revision, which determines how schemas are read.
    revision: Revision,
}

impl PageText {
    /// The text of the list of tools in a message.
    pub(super) fn of(message: &Message<'_>, page: Node<'_>) -> Self {
        let digest = || hash_of(Seed, page.raw());
        Self {
            digest: message.memo.page(digest),
            length: page.span().end - page.span().start,
            revision: message.revision(),
        }
    }
}

impl Pages {
    /// An equal page that was seen before.
    pub(super) fn find(&self, message: &Message<'_>, page: Node<'_>) -> Option<&Page> {
        if self.known.is_empty() {
            return None;
        }
        let text = PageText::of(message, page);
        self.known.iter().find(|known| known.text == text)
    }

    /// The serial number of the page that is tracked next.
    pub(super) fn next_serial(&self) -> u64 {
        self.serial + 1
    }

    /// Tracks a page, in the place of the oldest if there are many.
    pub(super) fn track(&mut self, text: PageText, fine: bool, fine_names: bool) {
        if self.known.len() >= MAX_PAGES {
            self.known.pop_front();
        }
        self.serial = self.next_serial();
        self.known.push_back(Page {
            text,
            fine,
            fine_names,
            serial: self.serial,
        });
    }
}
