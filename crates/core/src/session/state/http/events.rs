//! The ids of events, with the stream that each was sent on.

use crate::session::Bounded;

/// The hashes of event ids, up to a limit; beyond it the oldest are dropped.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventIds {
    streams: Bounded<u64, i64>,
}

impl EventIds {
    /// Adds an id; `false` if another was dropped for it.
    pub(crate) fn insert(&mut self, id: u64, stream: i64, limit: usize) -> bool {
        self.streams.contains_key(&id) || self.streams.insert(id, stream, limit).is_none()
    }

    /// The first stream on which an id was sent.
    pub(crate) fn stream(&self, id: u64) -> Option<i64> {
        self.streams.get(&id).copied()
    }
}
