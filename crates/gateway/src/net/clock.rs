//! One timer for all the waiting of a connection. Most of what is waited for comes, and to set a
//! timer later costs much less than to take it out and to put another in.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use hyper::rt::{Sleep, Timer};

/// The timer of a connection. Only the last thing that was asked for is waited for.
#[derive(Debug)]
pub(crate) struct Clock(Arc<Mutex<Pin<Box<tokio::time::Sleep>>>>);

impl Clock {
    pub(crate) fn new() -> Self {
        let sleep = tokio::time::sleep(Duration::ZERO);
        Self(Arc::new(Mutex::new(Box::pin(sleep))))
    }
}

impl Timer for Clock {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        self.sleep_until(Instant::now() + duration)
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn Sleep>> {
        Box::pin(Nap {
            deadline: deadline.into(),
            sleep: Arc::clone(&self.0),
        })
    }
}

/// Waiting for a moment.
struct Nap {
    deadline: tokio::time::Instant,
    sleep: Arc<Mutex<Pin<Box<tokio::time::Sleep>>>>,
}

impl Future for Nap {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut sleep = self.sleep.lock().unwrap_or_else(PoisonError::into_inner);
        if sleep.deadline() != self.deadline {
            sleep.as_mut().reset(self.deadline);
        }
        sleep.as_mut().poll(context)
    }
}

impl Sleep for Nap {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_moment_takes_the_place_of_an_earlier_one() {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        runtime.enable_all().build().unwrap().block_on(async {
            let (clock, begun) = (Clock::new(), Instant::now());
            clock.sleep(Duration::from_millis(20)).await;
            assert!(begun.elapsed() >= Duration::from_millis(20));
            let first = clock.sleep(Duration::from_millis(20));
            drop(tokio::time::timeout(Duration::from_millis(1), first).await);
            clock.sleep(Duration::from_millis(60)).await;
            assert!(begun.elapsed() >= Duration::from_millis(80));
        });
    }
}
