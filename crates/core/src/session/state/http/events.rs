//! The ids of events, with the stream that each was sent on.

use std::collections::{HashMap, HashSet, VecDeque};

/// The hashes of event ids and of their data, up to a limit; beyond it the oldest are dropped.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventIds {
    streams: HashMap<u64, i64>,
    /// The ids with their data, by the same limit.
    events: HashSet<u64>,
    order: VecDeque<(u64, u64)>,
}

impl EventIds {
    /// Adds an id, and the event with it; `false` if another was dropped for it.
    pub(crate) fn insert(&mut self, id: u64, event: u64, stream: i64, limit: usize) -> bool {
        if self.streams.contains_key(&id) {
            return true;
        }
        let full = self.order.len() >= limit.max(1);
        if full && let Some((oldest, its_event)) = self.order.pop_front() {
            self.streams.remove(&oldest);
            self.events.remove(&its_event);
        }
        self.streams.insert(id, stream);
        self.events.insert(event);
        self.order.push_back((id, event));
        !full
    }

    /// The first stream on which an id was sent.
    pub(crate) fn stream(&self, id: u64) -> Option<i64> {
        self.streams.get(&id).copied()
    }

    /// Whether this event was the first of its id.
    pub(crate) fn has(&self, event: u64) -> bool {
        self.events.contains(&event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_bounded_and_the_oldest_go_first() {
        let mut ids = EventIds::default();
        for id in 0..10 {
            assert_eq!(ids.insert(id, id + 100, 7, 4), id < 4);
        }
        assert_eq!(ids.stream(5), None);
        assert_eq!(ids.stream(6), Some(7));
        assert!(ids.insert(9, 200, 8, 4));
        assert!(ids.has(109) && !ids.has(105) && !ids.has(200));
        assert_eq!(ids.stream(9), Some(7));
    }
}
