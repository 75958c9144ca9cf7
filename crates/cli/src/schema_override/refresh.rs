//! Reads the document again while traffic flows: when asked, and at intervals.
//!
//! A thread of its own does it, so that neither the traffic nor a signal waits for a server, a
//! compilation or standard error.

use std::io;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use mcp_assay_report::visible;

use super::load::{Document, Reading};
use crate::log::Notices;
use crate::output;

/// The thread that reads a document again. It ends with this value.
pub(crate) struct Refresher {
    wake: SyncSender<()>,
    log: Arc<Mutex<Option<Notices>>>,
}

impl Refresher {
    /// Starts the thread. It reads at these intervals, if any, and whenever it is asked.
    pub(crate) fn start(document: Document, every: Option<Duration>) -> io::Result<Self> {
        // Names in a document may be anything.
        Self::start_with(document, every, |text| output::say(&visible(&text)))
    }

    pub(super) fn start_with(
        document: Document,
        every: Option<Duration>,
        say: impl FnMut(String) + Send + 'static,
    ) -> io::Result<Self> {
        // One request that waits is as good as several.
        let (wake, asked) = mpsc::sync_channel(1);
        let log = Arc::<Mutex<Option<Notices>>>::default();
        let logged = Arc::clone(&log);
        let mut worker = Worker {
            document,
            last_failure: None,
            say,
            log: logged,
        };
        thread::Builder::new()
            .name("schema-refresh".to_owned())
            .spawn(move || worker.run(&asked, every))?;
        Ok(Self { wake, log })
    }

    /// Reports to a log, too.
    pub(crate) fn log_to(&self, notices: Notices) {
        *lock(&self.log) = Some(notices);
    }

    /// Asks for the document to be read again. Returns at once.
    pub(crate) fn wake(&self) {
        let _ = self.wake.try_send(());
    }
}

/// The state of the thread.
struct Worker<S> {
    document: Document,
    last_failure: Option<String>,
    say: S,
    log: Arc<Mutex<Option<Notices>>>,
}

impl<S: FnMut(String)> Worker<S> {
    fn run(&mut self, asked: &Receiver<()>, every: Option<Duration>) {
        loop {
            let woken = match every {
                None => asked.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(every) => asked.recv_timeout(every),
            };
            match woken {
                Ok(()) => self.refresh(Occasion::Asked),
                Err(RecvTimeoutError::Timeout) => self.refresh(Occasion::Interval),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn refresh(&mut self, occasion: Occasion) {
        let name = self.document.name();
        let read = self.document.refresh();
        let failure = read
            .as_ref()
            .err()
            .map(|error| format!("failed to {error}"));
        let is_replaced = matches!(read, Ok(Reading::Replaced));
        // A server that is down is reported once, not at every interval.
        let is_news = occasion == Occasion::Asked
            || is_replaced
            || failure.is_some() && failure != self.last_failure;
        if is_news
            && (failure.is_some() || is_replaced)
            && let Some(notices) = &*lock(&self.log)
        {
            notices.definitions(&name, failure.as_deref());
        }
        if is_news {
            (self.say)(match (&failure, read) {
                (Some(failure), _) => {
                    format!("{name}: {failure}; the definitions before it stay in force")
                }
                (None, Ok(Reading::Replaced)) => {
                    format!("{name}: the new definitions are in force")
                }
                (None, _) => format!("{name}: the definitions have not changed"),
            });
        }
        self.last_failure = failure;
    }
}

/// The occasion of a reading.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Occasion {
    Asked,
    Interval,
}

/// The state behind the lock is consistent whenever it is released.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
