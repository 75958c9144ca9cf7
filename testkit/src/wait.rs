//! Waiting for events: no test needs to know how long anything takes.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// How often a condition is tried that nothing announces.
const POLL: Duration = Duration::from_millis(5);

/// Waits until something holds that nothing announces.
pub fn until(mut holds: impl FnMut() -> bool) {
    while !holds() {
        thread::sleep(POLL);
    }
}

/// A gate between a server and its test: it opens once, for all who wait.
#[derive(Clone, Default)]
pub struct Gate(Arc<(Mutex<bool>, Condvar)>);

impl Gate {
    /// Lets everybody through.
    pub fn open(&self) {
        let (is_open, opened) = &*self.0;
        *is_open.lock().unwrap_or_else(PoisonError::into_inner) = true;
        opened.notify_all();
    }

    /// Waits until it is open.
    pub fn wait(&self) {
        let (is_open, opened) = &*self.0;
        let is_open = is_open.lock().unwrap_or_else(PoisonError::into_inner);
        drop(opened.wait_while(is_open, |is_open| !*is_open));
    }
}
