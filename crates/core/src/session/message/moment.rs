//! A point in the course of a session.

use core::time::Duration;

use crate::frame::Frame;

/// A point in the course of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Moment {
    /// The number of messages and parts of HTTP exchanges before it.
    pub(crate) order: u64,
    /// The position in its source, as the caller counts.
    pub(crate) at: u64,
    /// The clock of the recording, if it has one.
    pub(crate) time: Option<Duration>,
    /// The HTTP exchange that it belongs to.
    pub(crate) exchange: Option<i64>,
}

impl Moment {
    #[inline]
    pub(crate) fn of(frame: &Frame<'_>, order: u64) -> Self {
        Self {
            order,
            at: frame.at,
            time: frame.time,
            exchange: frame.http.and_then(|http| http.exchange),
        }
    }

    /// The time that passed since an earlier moment, if both have one.
    pub(crate) fn since(&self, earlier: &Self) -> Option<Duration> {
        self.time?.checked_sub(earlier.time?)
    }
}
