//! A copy of a forwarded body, up to a limit.

use std::sync::Arc;

use bytes::Bytes;

use super::budget::{Budget, Share};

/// Buffers up to `limit` bytes of a body. A body that comes in one piece is not copied; it keeps
/// alive all that was read with it.
#[derive(Debug)]
pub struct BodyBuffer {
    piece: Bytes,
    /// All of it, if it came in several pieces.
    joined: Vec<u8>,
    limit: usize,
    /// The memory for a body of several pieces. What was read at once is bounded by the reader.
    share: Option<Share>,
}

impl BodyBuffer {
    /// Buffers at most this many bytes.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self {
            piece: Bytes::new(),
            joined: Vec::new(),
            limit,
            share: None,
        }
    }

    /// Takes the memory out of a budget.
    #[must_use]
    pub fn within(mut self, budget: &Arc<Budget>) -> Self {
        self.share = Some(Share::new(budget));
        self
    }

    /// Lowers the limit.
    pub fn limit(&mut self, limit: usize) {
        self.limit = self.limit.min(limit);
    }

    /// Adds the next piece of the body. Returns whether there is memory for it; if not, nothing is
    /// buffered any more.
    pub fn add(&mut self, data: &Bytes) -> bool {
        if self.is_empty() {
            self.piece = data.slice(..data.len().min(self.limit));
            return true;
        }
        if self.joined.is_empty() {
            self.joined = std::mem::take(&mut self.piece).into();
        }
        let length = self.joined.len().saturating_add(data.len());
        if !self.make_room(length.min(self.limit)) {
            self.clear();
            return false;
        }
        let room = self.limit.saturating_sub(self.joined.len());
        self.joined
            .extend_from_slice(data.get(..room).unwrap_or(data));
        true
    }

    /// Grows the memory to so many bytes at least; returns whether the budget has them. It doubles,
    /// if there is enough, so that a long body is not copied for each of its pieces.
    fn make_room(&mut self, length: usize) -> bool {
        let capacity = self.joined.capacity();
        if length <= capacity {
            return self.charge(capacity);
        }
        let doubled = length.max(capacity.saturating_mul(2)).min(self.limit);
        let new = [doubled, length].into_iter().find(|new| self.charge(*new));
        if let Some(new) = new {
            self.joined.reserve_exact(new - self.joined.len());
        }
        new.is_some()
    }

    /// Takes so many bytes out of the budget, if there is one; returns whether it has them.
    fn charge(&mut self, bytes: usize) -> bool {
        self.share.as_mut().is_none_or(|share| share.resize(bytes))
    }

    /// Drops what was buffered.
    pub fn clear(&mut self) {
        self.piece = Bytes::new();
        self.joined = Vec::new();
        if let Some(share) = &mut self.share {
            share.resize(0);
        }
    }

    /// Takes what was buffered.
    pub fn take(&mut self) -> Bytes {
        if self.joined.is_empty() {
            return std::mem::take(&mut self.piece);
        }
        let joined = std::mem::take(&mut self.joined);
        match self.share.take() {
            Some(share) => share.own(joined),
            None => joined.into(),
        }
    }

    /// The number of buffered bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.piece.len() + self.joined.len()
    }

    /// Whether nothing is buffered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_joined_up_to_the_limit() {
        for (limit, pieces, expected) in [
            (4, &["ab"][..], "ab"),
            (4, &["abcdef"], "abcd"),
            (4, &["", "ab", "", "c", "defg"], "abcd"),
            (9, &["ab", "cd"], "abcd"),
            (4, &[], ""),
        ] {
            let mut buffer = BodyBuffer::new(limit);
            for piece in pieces {
                assert!(buffer.add(&Bytes::from_static(piece.as_bytes())));
            }
            assert_eq!(buffer.len(), expected.len());
            assert_eq!(buffer.take(), expected);
            assert!(buffer.is_empty());
        }
    }

    #[test]
    fn what_does_not_fit_is_not_held() {
        let budget = Budget::new(8);
        let piece = Bytes::from_static(b"abcd");
        let mut buffer = BodyBuffer::new(100).within(&budget);
        assert!(buffer.add(&piece) && buffer.add(&piece));
        let mut other = BodyBuffer::new(100).within(&budget);
        assert!(other.add(&piece) && !other.add(&piece));
        assert!(other.is_empty());
        let body = buffer.take();
        assert_eq!((&*body, budget.used()), (&b"abcdabcd"[..], 8));
        drop(body);
        assert!(other.add(&piece) && other.add(&piece));
        drop(other);
        assert_eq!(budget.used(), 0);
    }
}
