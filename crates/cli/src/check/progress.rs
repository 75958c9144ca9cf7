//! A bar on the terminal for checks that take their time.

use std::io::{self, IsTerminal};
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};
use std::thread::{self, Scope};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::input::Meter;

/// What takes less shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);
const TICK: Duration = Duration::from_millis(100);

/// A bar that may appear.
#[derive(Default)]
pub(super) struct Progress {
    bar: OnceLock<ProgressBar>,
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
        if io::stderr().is_terminal() {
            // Without the thread there is no bar, which does no harm.
            let _ = thread::Builder::new().spawn_scoped(scope, move || self.show(meter, total));
        }
    }

    /// Takes the bar away for good.
    pub(super) fn end(&self) {
        *self.over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.ended.notify_all();
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }

    /// Takes the bar away while something else writes to the terminal.
    pub(super) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        match self.bar.get() {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    fn show(&self, meter: &Meter, total: Option<u64>) {
        let mut wait = PATIENCE;
        loop {
            let over = self.over.lock().unwrap_or_else(PoisonError::into_inner);
            let (over, _) = self
                .ended
                .wait_timeout_while(over, wait, |over| !*over)
                .unwrap_or_else(PoisonError::into_inner);
            if *over {
                return;
            }
            // The lock is held while drawing, so that nothing is drawn after the end.
            self.bar
                .get_or_init(|| bar(total))
                .set_position(meter.bytes());
            wait = TICK;
        }
    }
}

fn bar(total: Option<u64>) -> ProgressBar {
    let template = match total {
        Some(_) => "checking {wide_bar} {bytes}/{total_bytes} {eta}",
        None => "checking {spinner} {bytes}",
    };
    let style =
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr()).with_style(style)
}
