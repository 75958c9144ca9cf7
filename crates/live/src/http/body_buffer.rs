//! A copy of a forwarded body, up to a limit.

use bytes::Bytes;

/// Buffers up to `limit` bytes of a body. A body that comes in one piece is not copied; it keeps
/// alive all that was read with it.
#[derive(Debug)]
pub struct BodyBuffer {
    piece: Bytes,
    /// All of it, if it came in several pieces.
    joined: Vec<u8>,
    limit: usize,
}

impl BodyBuffer {
    /// Buffers at most this many bytes.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self {
            piece: Bytes::new(),
            joined: Vec::new(),
            limit,
        }
    }

    /// Lowers the limit.
    pub fn limit(&mut self, limit: usize) {
        self.limit = self.limit.min(limit);
    }

    /// Adds the next piece of the body.
    pub fn add(&mut self, data: &Bytes) {
        if self.is_empty() {
            self.piece = data.slice(..data.len().min(self.limit));
            return;
        }
        if self.joined.is_empty() {
            self.joined = std::mem::take(&mut self.piece).into();
        }
        let room = self.limit.saturating_sub(self.joined.len());
        self.joined
            .extend_from_slice(data.get(..room).unwrap_or(data));
    }

    /// Takes what was buffered.
    pub fn take(&mut self) -> Bytes {
        if self.joined.is_empty() {
            return std::mem::take(&mut self.piece);
        }
        std::mem::take(&mut self.joined).into()
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
                buffer.add(&Bytes::from_static(piece.as_bytes()));
            }
            assert_eq!(buffer.len(), expected.len());
            assert_eq!(buffer.take(), expected);
            assert!(buffer.is_empty());
        }
    }
}
