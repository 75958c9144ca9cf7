//! Messages that could not be read, or not be matched with another.

use super::lazy::unused;

/// The numbers of such messages. Most sessions have none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Losses {
    /// The number of answers of each direction that match no request: an unreadable line, an
    /// unknown id.
    pub(crate) answers: [u64; 2],
    /// Those of them that may have answered an open request.
    pub(crate) unmatched: [UnmatchedAnswers; 2],
    /// The number of untracked requests of each direction that may still be answered: they could
    /// not be read, or were dropped at the limit or for a newer one with the same id.
    pub(crate) untracked: [u64; 2],
    /// The number of messages of each direction that could not be read at all.
    pub(crate) unread: [u64; 2],
}

/// Unmatched answers that may belong to requests that were open when they came.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct UnmatchedAnswers {
    /// The number of them.
    pub(crate) count: u64,
    /// The position of the last of them: it cannot answer later requests.
    pub(crate) last: u64,
}

unused!(Losses);
