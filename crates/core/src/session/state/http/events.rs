//! The ids of events, with the stream that each was sent on.

use std::collections::{HashMap, VecDeque};

/// The hashes of event ids, up to a limit; beyond it the oldest are dropped.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventIds {
    streams: HashMap<u64, i64>,
    order: VecDeque<u64>,
}

impl EventIds {
    /// Adds an id; `false` if another was dropped for it.
    pub(crate) fn insert(&mut self, id: u64, stream: i64, limit: usize) -> bool {
        if self.streams.contains_key(&id) {
            return true;
        }
        let full = self.order.len() >= limit.max(1);
        if full && let Some(oldest) = self.order.pop_front() {
            self.streams.remove(&oldest);
        }
        self.streams.insert(id, stream);
        self.order.push_back(id);
        !full
    }

    /// The first stream on which an id was sent.
    pub(crate) fn stream(&self, id: u64) -> Option<i64> {
        self.streams.get(&id).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_bounded_and_the_oldest_go_first() {
        let mut ids = EventIds::default();
        for id in 0..10 {
            assert_eq!(ids.insert(id, 7, 4), id < 4);
        }
        assert_eq!(ids.stream(5), None);
        assert_eq!(ids.stream(6), Some(7));
        assert!(ids.insert(9, 8, 4));
        assert_eq!(ids.stream(9), Some(7));
    }
}
