//! A bar on the terminal for checks that take their time.

use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use crate::input::Meter;
use crate::status::{self, StatusLine};

/// What takes less shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);
const TICK: Duration = Duration::from_millis(100);

/// A bar that may appear.
#[derive(Default)]
pub(super) struct Progress {
    line: StatusLine,
    over: Mutex<bool>,
    ended: Condvar,
}

impl Progress {
    /// Watches the meter from a thread of its own, if there is a terminal to show it on. `total` is the sum of all sizes.
    pub(super) fn watch<'s>(
        &'s self,
        scope: &'s Scope<'s, '_>,
        meter: &'s Meter,
        total: Option<u64>,
    ) {
        if StatusLine::can_be_seen() {
            // Without the thread there is no bar, which does no harm.
            let _ = thread::Builder::new().spawn_scoped(scope, move || self.show(meter, total));
        }
    }

    /// Takes the bar away for good.
    pub(super) fn end(&self) {
        *self.over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.ended.notify_all();
        self.line.clear();
    }

    /// Takes the bar away while something else writes to the terminal.
    pub(super) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.line.suspend(write)
    }

    fn show(&self, meter: &Meter, total: Option<u64>) {
        let begun = Instant::now();
        let mut wait = PATIENCE;
        for tick in 0.. {
            let over = self.over.lock().unwrap_or_else(PoisonError::into_inner);
            let (over, _) = self
                .ended
                .wait_timeout_while(over, wait, |over| !*over)
                .unwrap_or_else(PoisonError::into_inner);
            if *over {
                return;
            }
            // The lock is held while drawing, so that nothing is drawn after the end.
            let done = meter.bytes();
            self.line.show(&match total {
                Some(total) => bar(done, total, begun.elapsed(), status::columns()),
                None => format!("checking {} {}", status::spinner(tick), status::bytes(done)),
            });
            wait = TICK;
        }
    }
}

/// `checking ███░░░ 1.50 MiB/3.00 MiB 2s`: how far it is, and how long it will take if it goes on like this.
fn bar(done: u64, total: u64, elapsed: Duration, columns: usize) -> String {
    let rest = u128::from(total.saturating_sub(done));
    // Nobody knows at the beginning.
    let left = (elapsed.as_millis() * rest)
        .checked_div(u128::from(done))
        .unwrap_or(0);
    let left = Duration::from_millis(u64::try_from(left).unwrap_or(u64::MAX));
    let figures = format!(
        "{}/{} {}",
        status::bytes(done),
        status::bytes(total),
        status::time(left)
    );
    let room = columns.saturating_sub("checking  ".len() + figures.len());
    let bar = status::bar(done, total, room);
    format!("checking {bar} {figures}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_fills_the_line_and_tells_the_time_that_is_left() {
        let line = bar(1 << 20, 3 << 20, Duration::from_secs(2), 48);
        assert_eq!(line, "checking ██████░░░░░░░░░░░░ 1.00 MiB/3.00 MiB 4s");
        // What is too long is cut where it is drawn.
        let line = bar(0, 1 << 30, Duration::from_secs(1), 10);
        assert_eq!(line, "checking  0 B/1.00 GiB 0s");
    }
}
