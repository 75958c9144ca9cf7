//! Reads the document again while traffic flows: when asked, and at intervals.
//!
//! A thread of its own does it, so that neither the traffic nor a signal waits for a server, a
//! compilation or standard error.

use std::io;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::Duration;

use super::load::{Document, Reading};
use crate::output;

/// The thread that reads a document again. It ends with this value.
pub(crate) struct Refresher {
    wake: SyncSender<()>,
}

impl Refresher {
    /// Starts the thread. It reads at these intervals, if any, and whenever it is asked.
    pub(crate) fn start(document: Document, every: Option<Duration>) -> io::Result<Self> {
        Self::start_with(document, every, |text| output::say(&text))
    }

    pub(super) fn start_with(
        document: Document,
        every: Option<Duration>,
        say: impl FnMut(String) + Send + 'static,
    ) -> io::Result<Self> {
        // One request that waits is as good as several.
        let (wake, asked) = mpsc::sync_channel(1);
        thread::Builder::new()
            .name("schema-refresh".to_owned())
            .spawn(move || run(document, &asked, every, say))?;
        Ok(Self { wake })
    }

    /// Asks for the document to be read again. Returns at once.
    pub(crate) fn wake(&self) {
        let _ = self.wake.try_send(());
    }
}

fn run(
    mut document: Document,
    asked: &Receiver<()>,
    every: Option<Duration>,
    mut say: impl FnMut(String),
) {
    let mut last_failure = None;
    loop {
        let is_asked = match every {
            None => asked.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(every) => asked.recv_timeout(every),
        };
        let is_asked = match is_asked {
            Ok(()) => true,
            Err(RecvTimeoutError::Timeout) => false,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        let name = document.name();
        match document.refresh() {
            Ok(Reading::Replaced) => {
                last_failure = None;
                say(format!("{name}: the new definitions are in force"));
            }
            Ok(Reading::Unchanged) => {
                last_failure = None;
                if is_asked {
                    say(format!("{name}: the definitions have not changed"));
                }
            }
            Err(error) => {
                let text =
                    format!("{name}: failed to {error}; the definitions before it stay in force");
                // A server that is down is reported once, not at every interval.
                if is_asked || last_failure.as_ref() != Some(&text) {
                    say(text.clone());
                }
                last_failure = Some(text);
            }
        }
    }
}
