//! Looks for a moment before it sleeps: an answer often comes at once, and to be woken takes longer than to pass one on. What has
//! passed is judged when nothing comes for a moment.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::service::Gateway;

/// After so long without traffic it is judged what has passed.
const PAUSE: Duration = Duration::from_micros(50);

/// For so long nobody sleeps after something came.
const PATIENCE: Duration = Duration::from_micros(200);

/// When something came last.
pub(super) struct Patience {
    begun: Instant,
    /// In nanoseconds since it began.
    last: AtomicU64,
    stirred: Notify,
}

impl Patience {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self {
            begun: Instant::now(),
            last: AtomicU64::new(0),
            stirred: Notify::new(),
        })
    }

    /// Something came: more may follow at once.
    pub(super) fn stir(&self) {
        self.last.store(self.now(), Ordering::Relaxed);
        self.stirred.notify_one();
    }

    fn silence(&self) -> Duration {
        Duration::from_nanos(self.now() - self.last.load(Ordering::Relaxed))
    }

    /// In 64 bits there is room for centuries.
    fn now(&self) -> u64 {
        self.begun.elapsed().as_nanos() as u64
    }
}

/// Keeps the thread awake for a moment after something came.
pub(super) async fn stay_awake(gateway: Arc<Gateway>) {
    let patience = &gateway.patience;
    loop {
        patience.stirred.notified().await;
        loop {
            let silence = patience.silence();
            if silence >= PAUSE {
                gateway.inspector.catch_up();
            }
            if silence >= PATIENCE {
                break;
            }
            // Others may need this core, and whatever else there is to do here comes first.
            thread::yield_now();
            tokio::task::yield_now().await;
        }
    }
}
