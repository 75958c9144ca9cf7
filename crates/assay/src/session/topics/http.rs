//! Remembers streams and their events.

use crate::Revision;
use crate::frame::Frame;
use crate::session::{Hook, HttpHook};

/// What is remembered: streams and their events.
#[derive(Debug, Default)]
pub(crate) struct HttpMemory {}

impl HttpMemory {
    /// The revision that the way in which HTTP is used shows, where no message has named one.
    #[expect(clippy::unused_self, reason = "nothing is remembered yet")]
    pub(crate) fn revision(&self, _: &Frame<'_>) -> Option<Revision> {
        None
    }
}

pub(super) static HOOKS: &[Hook] = &[];

pub(super) static HTTP_HOOKS: &[HttpHook] = &[];
