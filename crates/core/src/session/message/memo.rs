//! Values that several rules and hooks need, computed once for a message.

use core::cell::Cell;

use crate::session::{Key, Walk};

/// The values that were computed for a message so far.
#[derive(Default)]
pub(crate) struct Memo {
    page: Once<u64>,
    tool: Once<Option<u64>>,
    walk: Once<Option<Walk>>,
    progress: Once<Option<(Key, f64)>>,
    fine_schemas: Cell<bool>,
}

impl Memo {
    /// The digest of the page of a list in the message. The digest must be the same for all
    /// sessions.
    pub(crate) fn page(&self, compute: impl FnOnce() -> u64) -> u64 {
        self.page.get_or(compute)
    }

    /// The hash of the name of the tool that the message calls. The hash must be the same for all
    /// sessions.
    pub(crate) fn tool(&self, compute: impl FnOnce() -> Option<u64>) -> Option<u64> {
        self.tool.get_or(compute)
    }

    /// The walk over a list with the page in the message. It must be the same for all sessions.
    pub(crate) fn walk(&self, compute: impl FnOnce() -> Option<Walk>) -> Option<Walk> {
        self.walk.get_or(compute)
    }

    /// The token and the value of a progress notification.
    pub(crate) fn progress(
        &self,
        compute: impl FnOnce() -> Option<(Key, f64)>,
    ) -> Option<(Key, f64)> {
        self.progress.get_or(compute)
    }

    /// Whether a check found all schemas in the message without fault.
    pub(crate) fn has_fine_schemas(&self) -> bool {
        self.fine_schemas.get()
    }

    /// Notes that all schemas in the message are without fault.
    pub(crate) fn note_fine_schemas(&self) {
        self.fine_schemas.set(true);
    }
}

/// A value that is computed at its first use.
struct Once<T>(Cell<Option<T>>);

impl<T> Default for Once<T> {
    fn default() -> Self {
        Self(Cell::new(None))
    }
}

impl<T: Copy> Once<T> {
    fn get_or(&self, compute: impl FnOnce() -> T) -> T {
        if let Some(known) = self.0.get() {
            return known;
        }
        let computed = compute();
        self.0.set(Some(computed));
        computed
    }
}
