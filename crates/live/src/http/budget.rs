//! The memory for bodies of all connections together.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;

/// The bytes that all bodies together may hold.
#[derive(Debug)]
pub struct Budget {
    limit: usize,
    used: AtomicUsize,
}

impl Budget {
    /// A budget of this many bytes.
    #[must_use]
    pub fn new(limit: usize) -> Arc<Self> {
        Arc::new(Self {
            limit,
            used: AtomicUsize::new(0),
        })
    }

    /// Holds bytes until the last copy is dropped; `None` if they do not fit.
    #[must_use]
    pub fn hold(self: &Arc<Self>, bytes: Vec<u8>) -> Option<Bytes> {
        let mut share = Share::new(self);
        share.resize(bytes.len()).then(|| share.own(bytes))
    }

    /// Whether so many bytes fit into the budget at all, if nothing else is held.
    #[must_use]
    pub fn fits(&self, bytes: usize) -> bool {
        bytes <= self.limit
    }

    /// The number of bytes that are held.
    #[must_use]
    pub fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }
}

/// A part of a budget that somebody holds. It is given back when this is dropped.
#[derive(Debug)]
pub struct Share {
    budget: Arc<Budget>,
    bytes: usize,
}

impl Share {
    /// A share of nothing.
    #[must_use]
    pub fn new(budget: &Arc<Budget>) -> Self {
        Self {
            budget: Arc::clone(budget),
            bytes: 0,
        }
    }

    /// Changes the number of bytes. Returns whether they fit; if not, the share stays as it is.
    pub fn resize(&mut self, bytes: usize) -> bool {
        let used = &self.budget.used;
        if let Some(more) = bytes.checked_sub(self.bytes) {
            let limit = self.budget.limit;
            let fits = |used: usize| used.checked_add(more).filter(|used| *used <= limit);
            let added = used.fetch_update(Ordering::AcqRel, Ordering::Acquire, fits);
            if added.is_err() {
                return false;
            }
        } else {
            used.fetch_sub(self.bytes - bytes, Ordering::AcqRel);
        }
        self.bytes = bytes;
        true
    }

    /// Ties the share to bytes: it is given back with the last copy of them.
    #[must_use]
    pub fn own(self, bytes: Vec<u8>) -> Bytes {
        Bytes::from_owner(Owned {
            bytes,
            _share: self,
        })
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.budget.used.fetch_sub(self.bytes, Ordering::AcqRel);
    }
}

struct Owned {
    bytes: Vec<u8>,
    _share: Share,
}

impl AsRef<[u8]> for Owned {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_given_back_with_the_last_copy() {
        let budget = Budget::new(10);
        let held = budget.hold(vec![0; 6]).unwrap();
        let copy = held.slice(1..2);
        assert_eq!(budget.used(), 6);
        assert!(budget.hold(vec![0; 5]).is_none());
        assert_eq!(budget.used(), 6);
        drop(held);
        assert_eq!(budget.used(), 6);
        drop(copy);
        assert_eq!(budget.used(), 0);
        let mut share = Share::new(&budget);
        assert!(share.resize(10) && !share.resize(11) && share.resize(4));
        assert_eq!(budget.used(), 4);
        drop(share);
        assert_eq!(budget.used(), 0);
        assert!(budget.fits(10) && !budget.fits(11));
    }
}
