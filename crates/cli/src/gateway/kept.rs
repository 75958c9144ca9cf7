//! What is kept of a body that passes.

use bytes::Bytes;

/// What is kept of a body. What comes in one piece is not copied, but holds on to all that was read with it.
pub(super) struct Kept {
    piece: Bytes,
    /// All of it, if it came in several pieces.
    joined: Vec<u8>,
    limit: usize,
}

impl Kept {
    /// Keeps no more than so many bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            piece: Bytes::new(),
            joined: Vec::new(),
            limit,
        }
    }

    /// Keeps no more than so many bytes, if it was more.
    pub(super) fn limit(&mut self, limit: usize) {
        self.limit = self.limit.min(limit);
    }

    pub(super) fn add(&mut self, data: &Bytes) {
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

    pub(super) fn take(&mut self) -> Bytes {
        if self.joined.is_empty() {
            return std::mem::take(&mut self.piece);
        }
        std::mem::take(&mut self.joined).into()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.piece.is_empty() && self.joined.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_joined_up_to_the_limit() {
        for (limit, pieces, kept) in [
            (4, &["ab"][..], "ab"),
            (4, &["abcdef"], "abcd"),
            (4, &["", "ab", "", "c", "defg"], "abcd"),
            (9, &["ab", "cd"], "abcd"),
            (4, &[], ""),
        ] {
            let mut all = Kept::new(limit);
            for piece in pieces {
                all.add(&Bytes::from_static(piece.as_bytes()));
            }
            assert_eq!(all.is_empty(), kept.is_empty());
            assert_eq!(all.take(), kept);
            assert!(all.is_empty());
        }
    }
}
