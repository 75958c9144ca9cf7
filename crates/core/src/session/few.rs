//! A list that mostly has one item, which then needs no memory of its own: a program may hold a
//! million sessions.

use core::ops::Deref;
use core::slice;

/// A list of mostly one item.
#[derive(Clone, Debug)]
pub(crate) enum Few<T> {
    /// Exactly one item.
    One(T),
    /// Any number of items.
    Many(Vec<T>),
}

impl<T> Few<T> {
    /// Inserts an item before the one at a position, or at the end.
    pub(crate) fn insert(&mut self, position: usize, item: T) {
        let mut items = match core::mem::take(self) {
            Self::Many(items) if items.is_empty() => {
                *self = Self::One(item);
                return;
            }
            Self::Many(items) => items,
            Self::One(only) => vec![only],
        };
        items.insert(position.min(items.len()), item);
        *self = Self::Many(items);
    }

    /// Adds an item at the end.
    pub(crate) fn push(&mut self, item: T) {
        self.insert(usize::MAX, item);
    }

    /// Releases memory that is held for reuse.
    pub(crate) fn shrink_to_fit(&mut self) {
        if let Self::Many(items) = self {
            items.shrink_to_fit();
        }
    }
}

impl<T> Default for Few<T> {
    fn default() -> Self {
        Self::Many(Vec::new())
    }
}

impl<T> Deref for Few<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::One(item) => slice::from_ref(item),
            Self::Many(items) => items,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_in_order() {
        let mut few = Few::default();
        assert!(few.is_empty());
        few.push(2);
        assert_eq!(*few, [2]);
        few.insert(0, 1);
        few.push(3);
        few.shrink_to_fit();
        assert_eq!(*few, [1, 2, 3]);
    }
}
