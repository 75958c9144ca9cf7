//! Looks for a moment before it sleeps: an answer often comes at once, and to be woken takes longer than to pass one on.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::Notify;
use tokio::task::yield_now;

/// For so long nobody sleeps after something came, where another core does the work meanwhile.
const PATIENCE: Duration = Duration::from_micros(50);

/// Keeps the thread awake for a moment after something came.
pub(super) struct Patience {
    begun: Instant,
    /// Until when, in nanoseconds since it began.
    until: AtomicU64,
    stirred: Notify,
}

impl Patience {
    pub(super) fn new() -> Arc<Self> {
        let patience = Arc::new(Self {
            begun: Instant::now(),
            until: AtomicU64::new(0),
            stirred: Notify::new(),
        });
        // With one core it would only keep the others from their work.
        if thread::available_parallelism().is_ok_and(|cores| cores.get() > 1) {
            tokio::spawn(Arc::clone(&patience).stay_awake());
        }
        patience
    }

    /// Something came: more may follow at once.
    pub(super) fn stir(&self) {
        let until = self.now() + PATIENCE.as_nanos() as u64;
        self.until.store(until, Ordering::Relaxed);
        self.stirred.notify_one();
    }

    async fn stay_awake(self: Arc<Self>) {
        loop {
            self.stirred.notified().await;
            while self.now() < self.until.load(Ordering::Relaxed) {
                // Whoever else has something to do comes first, and then it is looked for what has come.
                yield_now().await;
            }
        }
    }

    fn now(&self) -> u64 {
        self.begun.elapsed().as_nanos() as u64
    }
}
