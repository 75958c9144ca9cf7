//! The ids that a party has used, to detect repeated ones.

use std::collections::{BTreeMap, HashSet};
use std::hash::BuildHasher;

use super::lazy::{Lazy, unused};
use super::{Key, Seed};

/// The used ids of one direction. Consecutive integers cost nothing; all others are stored, up to a
/// limit.
#[derive(Clone, Debug, Default)]
pub(crate) struct UsedIds {
    /// The inclusive range of integers that grew last.
    current: Option<(i64, i64)>,
    others: Lazy<Others>,
}

/// Ids beside the current range.
#[derive(Clone, Debug, Default)]
struct Others {
    /// Inclusive ranges, by their first integers.
    ranges: BTreeMap<i64, i64>,
    /// Hashes of strings.
    texts: HashSet<u64, Seed>,
}

unused!(Others);

/// An id by value and type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UsedId<'a> {
    /// An integer.
    Number(i64),
    /// A string.
    Text(&'a [u8]),
    /// A string, by its hash.
    Hash(u64),
}

impl UsedId<'_> {
    /// The hash of a string.
    fn hash(self) -> Option<u64> {
        match self {
            Self::Number(_) => None,
            Self::Text(text) => Some(Seed.hash_one(text)),
            Self::Hash(hash) => Some(hash),
        }
    }
}

impl From<Key> for UsedId<'_> {
    fn from(key: Key) -> Self {
        match key {
            Key::Number(value) => Self::Number(value),
            Key::Text(hash) => Self::Hash(hash),
        }
    }
}

impl UsedIds {
    /// Whether it was used.
    pub(crate) fn contains(&self, id: UsedId<'_>) -> bool {
        match id {
            UsedId::Number(value) => {
                let is_current = |(first, last): (i64, i64)| first <= value && value <= last;
                self.current.is_some_and(is_current) || self.others.has_number(value)
            }
            text => text
                .hash()
                .is_some_and(|hash| self.others.texts.contains(&hash)),
        }
    }

    /// Adds an id; `false` if the limit is reached.
    pub(crate) fn insert(&mut self, id: UsedId<'_>, limit: usize) -> bool {
        match id {
            UsedId::Number(value) => self.insert_number(value, limit),
            text => {
                let Some(hash) = text.hash() else {
                    return true;
                };
                if self.others.texts.len() >= limit && !self.others.texts.contains(&hash) {
                    return false;
                }
                self.others.texts.insert(hash);
                true
            }
        }
    }

    #[inline]
    fn insert_number(&mut self, value: i64, limit: usize) -> bool {
        match &mut self.current {
            // Most ids count up.
            Some((_, last)) if last.checked_add(1) == Some(value) => {
                *last = value;
                true
            }
            None => {
                self.current = Some((value, value));
                true
            }
            Some(_) => self.insert_elsewhere(value, limit),
        }
    }

    /// Adds an integer that does not continue the current range; its own range becomes the current
    /// one.
    #[inline(never)]
    fn insert_elsewhere(&mut self, value: i64, limit: usize) -> bool {
        if self.contains(UsedId::Number(value)) {
            return true;
        }
        let others = &self.others.ranges;
        let before = others.range(..value).next_back();
        let joins_before = before.filter(|(_, last)| last.checked_add(1) == Some(value));
        let joins_before = joins_before.map(|(first, last)| (*first, *last));
        let next = value.checked_add(1);
        let joins_next = next.is_some_and(|next| others.contains_key(&next));
        let joins_current = self.current.is_some_and(|(first, _)| Some(first) == next);
        let is_new = joins_before.is_none() && !joins_next && !joins_current;
        if is_new && others.len() >= limit {
            return false;
        }
        let others = &mut *self.others;
        if let Some((first, last)) = self.current.take() {
            others.insert_range(first, last);
        }
        let (mut first, mut last) = (value, value);
        if let Some((begin, _)) = joins_before {
            first = begin;
            others.ranges.remove(&begin);
        }
        if let Some(end) = next.and_then(|next| others.ranges.remove(&next)) {
            last = end;
        }
        self.current = Some((first, last));
        true
    }
}

impl Others {
    fn has_number(&self, value: i64) -> bool {
        let before = self.ranges.range(..=value).next_back();
        before.is_some_and(|(_, last)| value <= *last)
    }

    /// Adds a range, joined with those that touch it.
    fn insert_range(&mut self, mut first: i64, mut last: i64) {
        if let Some((&begin, &end)) = self.ranges.range(..=first).next_back()
            && end.checked_add(1).is_none_or(|next| next >= first)
        {
            self.ranges.remove(&begin);
            first = begin;
            last = last.max(end);
        }
        while let Some((&begin, &end)) = self.ranges.range(first..).next()
            && last.checked_add(1).is_none_or(|next| next >= begin)
        {
            self.ranges.remove(&begin);
            last = last.max(end);
        }
        self.ranges.insert(first, last);
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
        let ranges: Vec<_> = used.others.ranges.clone().into_iter().collect();
        assert_eq!(ranges, [(-1, 7), (i64::MAX, i64::MAX)]);
        assert_eq!(used.current, Some((i64::MIN, i64::MIN)));
        assert!(!used.contains(UsedId::Number(8)));
        assert!(!used.contains(UsedId::Text(b"1")));
    }

    #[test]
    fn ranges_that_overlap_after_a_repetition_are_joined() {
        let mut used = UsedIds::default();
        for value in [5, 6, 1, 2, 3, 4, 5, 100, 50] {
            assert!(used.insert(UsedId::Number(value), 10));
        }
        let ranges: Vec<_> = used.others.ranges.clone().into_iter().collect();
        assert_eq!(ranges, [(1, 6), (100, 100)]);
        for value in [1, 4, 6, 50, 100] {
            assert!(used.contains(UsedId::Number(value)), "{value}");
        }
        assert!(!used.contains(UsedId::Number(7)));
    }

    #[test]
    fn memory_is_bounded() {
        let mut used = UsedIds::default();
        for value in 0..100 {
            assert_eq!(used.insert(UsedId::Number(2 * value), 10), value <= 10);
            let text = value.to_string();
            assert_eq!(used.insert(UsedId::Text(text.as_bytes()), 10), value < 10);
        }
        assert!(used.contains(UsedId::Number(0)) && used.contains(UsedId::Number(20)));
        assert!(used.contains(UsedId::Text(b"3")) && !used.contains(UsedId::Text(b"30")));
    }
}
