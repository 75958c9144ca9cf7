//! A map with a limit: beyond it the oldest entries are dropped.

use std::borrow::Borrow;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

use super::Seed;

/// A map of at most a number of entries, in the order in which they were added.
#[derive(Clone, Debug)]
pub(crate) struct Bounded<K, V> {
    by_key: HashMap<K, V, Seed>,
    /// The keys, the oldest first; some of them may have been removed.
    order: VecDeque<K>,
}

impl<K, V> Default for Bounded<K, V> {
    fn default() -> Self {
        Self {
            by_key: HashMap::default(),
            order: VecDeque::new(),
        }
    }
}

impl<K: Copy + Eq + Hash, V> Bounded<K, V> {
    /// Sets the value of a key; returns an entry that was dropped for it.
    pub(crate) fn insert(&mut self, key: K, value: V, limit: usize) -> Option<(K, V)> {
        match self.by_key.entry(key) {
            Entry::Occupied(mut known) => {
                known.insert(value);
                return None;
            }
            Entry::Vacant(free) => {
                free.insert(value);
            }
        }
        self.order.push_back(key);
        if self.by_key.len() > limit.max(1) {
            return self.pop_oldest();
        }
        // Removed entries must not add up.
        if self.order.len() / 2 > self.by_key.len() + MAX_REMOVED {
            self.order.retain(|key| self.by_key.contains_key(key));
        }
        None
    }

    /// Removes an entry.
    pub(crate) fn remove(&mut self, key: &K) -> Option<V> {
        self.by_key.remove(key)
    }

    pub(crate) fn get_mut<Q: Eq + Hash + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.by_key.get_mut(key)
    }

    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        self.by_key.get(key)
    }

    pub(crate) fn contains_key(&self, key: &K) -> bool {
        self.by_key.contains_key(key)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }

    fn pop_oldest(&mut self) -> Option<(K, V)> {
        loop {
            let oldest = self.order.pop_front()?;
            if let Some(dropped) = self.by_key.remove(&oldest) {
                return Some((oldest, dropped));
            }
        }
    }
}

/// The number of removed entries whose keys are always tolerated in the order; it only determines
/// how often the order is tidied up.
const MAX_REMOVED: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_bounded_and_the_oldest_go_first() {
        let mut map = Bounded::default();
        for key in 0..10 {
            let dropped = map.insert(key, key * 10, 4);
            assert_eq!(dropped, (key >= 4).then(|| (key - 4, (key - 4) * 10)));
        }
        assert!(map.insert(9, 1, 4).is_none() && map.get(&9) == Some(&1));
        assert!(!map.contains_key(&5) && map.contains_key(&6));
        assert_eq!(map.by_key.len(), 4);
        for key in 10..1000 {
            assert_eq!(
                map.remove(&(key - 1)).is_some(),
                map.insert(key, 0, 4).is_none()
            );
            assert!(map.order.len() < 64, "{}", map.order.len());
        }
    }
}
