//! Both halves may wait for the same stream, which remembers one of them only.

use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Wake, Waker};

/// The half that waits.
#[derive(Clone, Copy)]
pub(crate) enum Half {
    Read,
    Write,
}

/// Wakes both halves.
#[derive(Default)]
pub(crate) struct Wakers(Mutex<[Option<Waker>; 2]>);

impl Wakers {
    /// Takes note of a half that waits.
    pub(crate) fn register(&self, half: Half, context: &Context<'_>) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting[half as usize] = Some(context.waker().clone());
    }
}

impl Wake for Wakers {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let waiting = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        for waker in waiting.into_iter().flatten() {
            waker.wake();
        }
    }
}
