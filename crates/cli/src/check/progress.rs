//! A progress bar on the terminal for long checks.

use std::io::{self, IsTerminal};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::{self, Scope};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::input::Meter;

/// Shorter checks show no bar.
const DELAY: Duration = Duration::from_millis(500);
const TICK: Duration = Duration::from_millis(100);

/// A bar that may appear.
pub(super) struct Progress {
    bar: ProgressBar,
    is_over: Mutex<bool>,
    ended: Condvar,
}

impl Progress {
    pub(super) fn new() -> Self {
        Self {
            bar: ProgressBar::hidden(),
            is_over: Mutex::default(),
            ended: Condvar::new(),
        }
    }

    /// Watches the meter from a thread of its own, if there is a terminal. `total` is the sum of
    /// all sizes.
    pub(super) fn watch<'s>(
        &'s self,
        scope: &'s Scope<'s, '_>,
        meter: &'s Meter,
        total: Option<u64>,
    ) {
        if io::stderr().is_terminal() {
            // Without the thread there is no bar, which does no harm.
            let _ = thread::Builder::new().spawn_scoped(scope, move || self.show(meter, total));
        }
    }

    /// Removes the bar for good.
    pub(super) fn end(&self) {
        *self.is_over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.ended.notify_all();
        self.bar.finish_and_clear();
    }

    /// Removes the bar while another writer uses the terminal.
    pub(super) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    fn show(&self, meter: &Meter, total: Option<u64>) {
        let style = match total {
            Some(total) => {
                self.bar.set_length(total);
                ProgressStyle::with_template(
                    "checking {wide_bar} {binary_bytes}/{binary_total_bytes} {eta}",
                )
            }
            None => ProgressStyle::with_template("checking {spinner} {binary_bytes}"),
        };
        let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
        self.bar
            .set_style(style.progress_chars("█░").tick_chars("|/-\\ "));
        let mut wait = DELAY;
        loop {
            let is_over = self.is_over.lock().unwrap_or_else(PoisonError::into_inner);
            let (is_over, timeout) = self
                .ended
                .wait_timeout_while(is_over, wait, |is_over| !*is_over)
                .unwrap_or_else(PoisonError::into_inner);
            if *is_over {
                return;
            }
            // The lock is held while drawing, so that nothing is drawn after the end.
            if timeout.timed_out() && wait == DELAY {
                self.bar.set_draw_target(ProgressDrawTarget::stderr());
                wait = TICK;
            }
            self.bar.set_position(meter.bytes());
            self.bar.tick();
        }
    }
}
