//! Looks for a moment before it sleeps: an answer often comes at once, and to be woken takes longer than to pass one on. What has
//! passed is judged when nothing comes for a moment.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::service::Gateway;

/// After so long without traffic it is judged what has passed.
const PAUSE: Duration = Duration::from_micros(50);

/// For so long nobody sleeps after something came.
const PATIENCE: Duration = Duration::from_micros(200);

/// Whether something came.
pub(super) struct Patience {
    /// Since it was last asked.
    moved: AtomicBool,
    asleep: AtomicBool,
    stirred: Notify,
}

impl Patience {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self {
            moved: AtomicBool::new(false),
            asleep: AtomicBool::new(true),
            stirred: Notify::new(),
        })
    }

    /// Something came: more may follow at once. When it came is looked up where that is asked: here traffic waits.
    pub(super) fn stir(&self) {
        self.moved.store(true, Ordering::SeqCst);
        if self.asleep.load(Ordering::SeqCst) {
            self.stirred.notify_one();
        }
    }
}

/// Keeps the thread awake for a moment after something came.
pub(super) async fn stay_awake(gateway: Arc<Gateway>) {
    let patience = &gateway.patience;
    loop {
        patience.stirred.notified().await;
        patience.asleep.store(false, Ordering::Release);
        let mut last = Instant::now();
        loop {
            let now = Instant::now();
            if patience.moved.swap(false, Ordering::AcqRel) {
                last = now;
            }
            let silence = now - last;
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
        patience.asleep.store(true, Ordering::SeqCst);
        // What came meanwhile may have found us awake.
        if patience.moved.load(Ordering::SeqCst) {
            patience.stirred.notify_one();
        }
    }
}
