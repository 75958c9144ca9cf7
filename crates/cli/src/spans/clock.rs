//! The times of spans: those at which messages were seen, not those of their checks, which may run
//! later.

use std::time::{Duration, SystemTime};

/// Turns times since the start of the traffic into times of the day.
#[derive(Debug, Default)]
pub(super) struct Clock {
    /// The time of the day at which the traffic began. A check runs after its message was seen, so
    /// the earliest estimate is the best.
    origin: Option<SystemTime>,
}

/// The time at which a message was seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Seen {
    pub(super) at: SystemTime,
    /// The time since the start of the traffic, if it is known.
    elapsed: Option<Duration>,
}

impl Clock {
    /// The time at which a message was seen, `elapsed` after the start of the traffic; now if that
    /// is not known.
    pub(super) fn seen(&mut self, elapsed: Option<Duration>) -> Seen {
        let now = SystemTime::now();
        let origin = elapsed.and_then(|elapsed| now.checked_sub(elapsed));
        let origin = match (self.origin, origin) {
            (Some(known), Some(found)) => Some(known.min(found)),
            (known, found) => known.or(found),
        };
        self.origin = origin;
        let at = origin
            .zip(elapsed)
            .and_then(|(origin, elapsed)| origin.checked_add(elapsed));
        Seen {
            at: at.unwrap_or(now),
            elapsed,
        }
    }
}

impl Seen {
    /// The end of something that began at this time: as much later as the message that ended it was
    /// seen after the one that began it.
    pub(super) fn end(self, last: Self) -> SystemTime {
        let took = self.elapsed.zip(last.elapsed);
        let took = took.map(|(begun, ended)| ended.saturating_sub(begun));
        let end = took.and_then(|took| self.at.checked_add(took));
        end.unwrap_or(last.at).max(self.at)
    }

    /// The present, of something that no message ends.
    pub(super) fn now() -> Self {
        Self {
            at: SystemTime::now(),
            elapsed: None,
        }
    }
}
