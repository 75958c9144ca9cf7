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
    clock: Clock,
    /// The HTTP exchange that it belongs to.
    pub(crate) exchange: Option<i64>,
}

impl Moment {
    #[inline]
    pub(crate) fn of(frame: &Frame<'_>, order: u64) -> Self {
        Self {
            order,
            at: frame.at,
            clock: Clock::of(frame.time),
            exchange: frame.http.and_then(|http| http.exchange),
        }
    }

    /// The clock of the recording, if it has one.
    #[inline]
    pub(crate) fn time(&self) -> Option<Duration> {
        self.clock.time()
    }

    /// The time that passed since an earlier moment, if both have one.
    pub(crate) fn since(&self, earlier: &Self) -> Option<Duration> {
        self.time()?.checked_sub(earlier.time()?)
    }
}

/// A clock in nanoseconds, which counts 584 years; the last value stands for no clock. A session
/// stores several, and a program may hold a million sessions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Clock(u64);

impl Clock {
    const NONE: Self = Self(u64::MAX);

    #[inline]
    fn of(time: Option<Duration>) -> Self {
        let nanos = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX - 1);
        time.map_or(Self::NONE, |time| Self(nanos(time)))
    }

    #[inline]
    fn time(self) -> Option<Duration> {
        (self != Self::NONE).then(|| Duration::from_nanos(self.0))
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::NONE
    }
}
