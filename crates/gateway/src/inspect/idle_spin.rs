//! Spins briefly before parking: replies usually arrive within microseconds, and a wake-up takes
//! longer than forwarding one. Forwarded messages are checked in the first pause.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::Notify;

/// How long without traffic until deferred checks run.
const CHECK_AFTER: Duration = Duration::from_micros(50);

/// How long to spin after the last message.
const SPIN_AFTER_MESSAGE: Duration = Duration::from_micros(200);

/// Tracks whether traffic has come since the last turn.
pub(crate) struct IdleSpin {
    /// Since the last turn of the loop.
    moved: AtomicBool,
    asleep: AtomicBool,
    stirred: Notify,
}

impl IdleSpin {
    pub(crate) fn new() -> Self {
        Self {
            moved: AtomicBool::new(false),
            asleep: AtomicBool::new(true),
            stirred: Notify::new(),
        }
    }

    /// Traffic came: more may follow at once. The loop reads the clock, because here traffic waits.
    pub(crate) fn stir(&self) {
        self.moved.store(true, Ordering::SeqCst);
        if self.asleep.load(Ordering::SeqCst) {
            self.stirred.notify_one();
        }
    }

    /// Keeps the thread awake for a moment after traffic came, and calls `pause` in the first
    /// pause. It never ends.
    pub(crate) async fn stay_awake(&self, pause: impl Fn()) {
        loop {
            self.stirred.notified().await;
            self.asleep.store(false, Ordering::Release);
            let mut last = Instant::now();
            loop {
                let now = Instant::now();
                if self.moved.swap(false, Ordering::AcqRel) {
                    last = now;
                }
                let silence = now - last;
                if silence >= CHECK_AFTER {
                    pause();
                }
                if silence >= SPIN_AFTER_MESSAGE {
                    break;
                }
                // Others may need this core, and other tasks of this thread come first.
                thread::yield_now();
                tokio::task::yield_now().await;
            }
            self.asleep.store(true, Ordering::SeqCst);
            // Traffic that came meanwhile may have found the thread awake.
            if self.moved.load(Ordering::SeqCst) {
                self.stirred.notify_one();
            }
        }
    }
}
