//! The ids of events, with the stream that each was sent on.

use crate::session::Bounded;

/// The hashes of event ids and of their data, up to a limit; beyond it the oldest are dropped.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventIds {
    streams: Bounded<u64, i64>,
    /// The ids with their data.
    events: Bounded<u64, ()>,
}

impl EventIds {
    /// Adds an id, and the event with it; `false` if another was dropped for it.
    pub(crate) fn insert(&mut self, id: u64, event: u64, stream: i64, limit: usize) -> bool {
        if self.streams.contains_key(&id) {
            return true;
        }
        self.events.insert(event, (), limit);
        self.streams.insert(id, stream, limit).is_none()
    }

    /// The first stream on which an id was sent.
    pub(crate) fn stream(&self, id: u64) -> Option<i64> {
        self.streams.get(&id).copied()
    }

    /// Whether this event was the first of its id.
    pub(crate) fn has(&self, event: u64) -> bool {
        self.events.contains_key(&event)
    }
}
