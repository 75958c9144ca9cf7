//! A line on the terminal with the current step of a probe. Elsewhere it is hidden.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

const TICK: Duration = Duration::from_millis(100);

pub(super) struct Progress(ProgressBar);

impl Progress {
    pub(super) fn new() -> Self {
        let bar = ProgressBar::new_spinner();
        let style = ProgressStyle::with_template("{spinner} {elapsed} probing: {wide_msg}")
            .unwrap_or_else(|_| ProgressStyle::default_spinner());
        bar.set_style(style.tick_chars("|/-\\ "));
        if !bar.is_hidden() {
            bar.enable_steady_tick(TICK);
        }
        Self(bar)
    }

    /// Names the step. Control characters could move the cursor, and are left out.
    pub(super) fn tell(&self, step: &str) {
        let plain: String = step.chars().filter(|char| !char.is_control()).collect();
        self.0.set_message(plain);
    }

    pub(super) fn end(&self) {
        self.0.finish_and_clear();
    }
}
