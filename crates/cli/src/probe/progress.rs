//! A line on the terminal that says what is being done.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::status::{self, StatusLine};

const TICK: Duration = Duration::from_millis(100);

/// A line that is there only on a terminal.
pub(super) struct Progress {
    shared: Option<Arc<Shared>>,
}

#[derive(Default)]
struct Shared {
    line: StatusLine,
    /// `None` when it is over.
    doing: Mutex<Option<String>>,
    ended: Condvar,
}

impl Progress {
    pub(super) fn new() -> Self {
        if !StatusLine::can_be_seen() {
            return Self { shared: None };
        }
        let shared = Arc::new(Shared {
            doing: Mutex::new(Some(String::new())),
            ..Shared::default()
        });
        let seen = Arc::clone(&shared);
        // Without the thread there is no line, which does no harm.
        let _ = thread::Builder::new().spawn(move || seen.show());
        Self {
            shared: Some(shared),
        }
    }

    pub(super) fn tell(&mut self, what: &str) {
        if let Some(shared) = &self.shared {
            let mut doing = shared.doing.lock().unwrap_or_else(PoisonError::into_inner);
            *doing = Some(what.to_owned());
        }
    }

    pub(super) fn end(&self) {
        if let Some(shared) = &self.shared {
            let mut doing = shared.doing.lock().unwrap_or_else(PoisonError::into_inner);
            *doing = None;
            shared.ended.notify_all();
            shared.line.clear();
        }
    }
}

impl Shared {
    fn show(&self) {
        let begun = Instant::now();
        for tick in 0.. {
            let doing = self.doing.lock().unwrap_or_else(PoisonError::into_inner);
            let (doing, _) = self
                .ended
                .wait_timeout_while(doing, TICK, |doing| doing.is_some())
                .unwrap_or_else(PoisonError::into_inner);
            // The lock is held while drawing, so that nothing is drawn after the end.
            let Some(what) = &*doing else {
                return;
            };
            let spinner = status::spinner(tick);
            let elapsed = status::time(begun.elapsed());
            self.line
                .show(&format!("{spinner} probing: {what} ({elapsed})"));
        }
    }
}
