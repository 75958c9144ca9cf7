//! The end of a gateway that serves one session.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::Notify;

use super::state::State;

/// Tracks whether a session is over.
#[derive(Default)]
pub(crate) struct Once {
    /// A session is over.
    ended: Notify,
    /// The last connection of a client was closed.
    vacant: Notify,
    /// Connections that were ever taken.
    taken: AtomicU64,
}

impl Once {
    /// A session is over.
    pub(crate) fn end(&self) {
        self.ended.notify_one();
    }

    /// A client has connected.
    pub(crate) fn connected(&self) {
        self.taken.fetch_add(1, Ordering::Relaxed);
    }

    /// The last connection of a client was closed.
    pub(crate) fn vacate(&self) {
        self.vacant.notify_one();
    }
}

/// Waits for the end of a session: it was ended, or no client has been connected for `idle` after
/// an exchange.
pub(crate) async fn session_over(gateway: &State, idle: Duration) {
    let once = &gateway.once;
    loop {
        tokio::select! {
            () = once.ended.notified() => return,
            () = once.vacant.notified() => {}
        }
        let taken = once.taken.load(Ordering::Relaxed);
        tokio::select! {
            () = once.ended.notified() => return,
            () = tokio::time::sleep(idle) => {}
        }
        // A client that came and went meanwhile has left a notice of its own.
        let is_same = taken == once.taken.load(Ordering::Relaxed);
        if is_same && gateway.has_exchanges() {
            return;
        }
    }
}
