//! Values that several rules and hooks need, computed once for a message.

use core::cell::Cell;

/// The values that were computed for a message so far.
#[derive(Default)]
pub(crate) struct Memo {
    page: Cell<Option<u64>>,
}

impl Memo {
    /// The digest of the page of a list in the message. The digest must be the same for all
    /// sessions.
    pub(crate) fn page(&self, compute: impl FnOnce() -> u64) -> u64 {
        if let Some(known) = self.page.get() {
            return known;
        }
        let computed = compute();
        self.page.set(Some(computed));
        computed
    }
}
