//! The ids that a party has used, to detect repeated ones.

use std::collections::HashSet;
use std::hash::BuildHasher;

use foldhash::quality::RandomState;

/// The used ids of one direction. Consecutive integers cost nothing; all others are stored as
/// hashes, up to a limit.
#[derive(Clone, Debug, Default)]
pub(crate) struct UsedIds {
    /// Inclusive ranges, sorted and disjoint.
    ranges: Vec<(i64, i64)>,
    texts: HashSet<u64, RandomState>,
    seed: RandomState,
}

/// An id by value and type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UsedId<'a> {
    /// An integer.
    Number(i64),
    /// A string.
    Text(&'a [u8]),
}

impl UsedIds {
    /// Whether it was used.
    pub(crate) fn contains(&self, id: UsedId<'_>) -> bool {
        match id {
            // Most ids count up.
            UsedId::Number(value) if self.ranges.last().is_none_or(|(_, last)| value > *last) => {
                false
            }
            UsedId::Number(value) => {
                let after = self.ranges.partition_point(|(first, _)| *first <= value);
                after
                    .checked_sub(1)
                    .and_then(|before| self.ranges.get(before))
                    .is_some_and(|(_, last)| value <= *last)
            }
            UsedId::Text(text) => self.texts.contains(&self.seed.hash_one(text)),
        }
    }

    /// Adds an id; `false` if the limit is reached.
    pub(crate) fn insert(&mut self, id: UsedId<'_>, limit: usize) -> bool {
        match id {
            UsedId::Number(value) => self.insert_number(value, limit),
            UsedId::Text(text) => {
                let hash = self.seed.hash_one(text);
                if self.texts.len() >= limit && !self.texts.contains(&hash) {
                    return false;
                }
                self.texts.insert(hash);
                true
            }
        }
    }

    fn insert_number(&mut self, value: i64, limit: usize) -> bool {
        if let Some((_, last)) = self.ranges.last_mut()
            && last.checked_add(1) == Some(value)
        {
            *last = value;
            return true;
        }
        let after = self.ranges.partition_point(|(first, _)| *first <= value);
        let joins_next = self
            .ranges
            .get(after)
            .is_some_and(|(first, _)| value.checked_add(1) == Some(*first));
        if let Some(before) = after.checked_sub(1)
            && let Some((_, last)) = self.ranges.get_mut(before)
        {
            if value <= *last {
                return true;
            }
            if last.checked_add(1) == Some(value) {
                *last = value;
                if joins_next {
                    let (_, last) = self.ranges.remove(after);
                    self.ranges[before].1 = last;
                }
                return true;
            }
        }
        if joins_next {
            self.ranges[after].0 = value;
            return true;
        }
        if self.ranges.len() >= limit {
            return false;
        }
        self.ranges.insert(after, (value, value));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_that_follow_one_another_are_one_range() {
        let mut used = UsedIds::default();
        for value in [1, 2, 3, 7, 5, 6, 4, 0, -1, i64::MAX, i64::MIN] {
            assert!(!used.contains(UsedId::Number(value)), "{value}");
            assert!(used.insert(UsedId::Number(value), 10));
            assert!(used.contains(UsedId::Number(value)), "{value}");
        }
        assert_eq!(
            used.ranges,
            [(i64::MIN, i64::MIN), (-1, 7), (i64::MAX, i64::MAX)]
        );
        assert!(!used.contains(UsedId::Number(8)));
        assert!(!used.contains(UsedId::Text(b"1")));
    }

    #[test]
    fn memory_is_bounded() {
        let mut used = UsedIds::default();
        for value in 0..100 {
            assert_eq!(used.insert(UsedId::Number(2 * value), 10), value < 10);
            let text = value.to_string();
            assert_eq!(used.insert(UsedId::Text(text.as_bytes()), 10), value < 10);
        }
        assert!(used.contains(UsedId::Text(b"3")) && !used.contains(UsedId::Text(b"30")));
    }
}
