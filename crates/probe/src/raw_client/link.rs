//! A connection for others than the probe: for whoever wants to talk to a server, and to know what
//! is wrong with it.

use std::borrow::Cow;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use mcp_assay::{Level, Revision};
use serde_json::Value;

use super::{Answer, Client, RequestHandler, Wire, pair};
use crate::judge::Broken;
use crate::options::Options;
use crate::record::Record;
use crate::transport::Unreachable;

/// No step takes longer: clocks do not count for ever.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// How many times a step the first answer of a process may take.
const START: u32 = 4;

/// A connection to a server: a raw client whose every message is kept and judged.
///
/// ```no_run
/// use mcp_assay_probe::{Link, Options, Target};
/// use serde_json::Value;
///
/// let options = Options::new(Target::Command(vec!["./server".to_owned()]));
/// let mut link = Link::open(options)?;
/// link.request("ping", Value::Null);
/// assert!(link.broken().is_empty());
/// # Ok::<(), mcp_assay_probe::Unreachable>(())
/// ```
pub struct Link {
    client: Client<'static>,
}

/// The way a server took it that the connection is over.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Farewell {
    /// Whether its process ended by itself; over HTTP there is none to end.
    pub ended_by_itself: bool,
    /// The way its process ended, if it did.
    pub status: Option<ExitStatus>,
}

impl Link {
    /// Connects; nothing is sent yet.
    pub fn open(mut options: Options) -> Result<Self, Unreachable> {
        options.step_timeout = options.step_timeout.min(LONGEST);
        // A process takes its time until it says anything.
        let times = if options.target.is_http() { 1 } else { START };
        options.start_timeout = options.step_timeout.saturating_mul(times);
        let client = Client::with(Cow::Owned(options))?;
        Ok(Self { client })
    }

    /// Lets lines on standard output pass that are text. They are kept.
    pub fn allow_noise(&mut self) {
        self.client.behaviour.allows_noise = true;
    }

    /// Ends the waiting for an answer as soon as a rule of this level is broken.
    pub fn stop_at(&mut self, level: Level) {
        self.client.behaviour.stops_at = Some(level);
    }

    /// Answers what the server asks. Otherwise the user declines everything.
    pub fn answer_with(&mut self, handler: RequestHandler) {
        self.client.behaviour.handler = handler;
    }

    /// Declares these capabilities in every request where a revision has no handshake.
    pub fn declare(&mut self, capabilities: Value) {
        self.client.behaviour.declared = capabilities;
    }

    /// The revision that is spoken from now on: it decides on headers and `_meta`.
    pub fn speak(&mut self, revision: Revision) {
        self.client.revision = Some(revision);
    }

    /// Sends a request as it should be, and waits for the answer.
    pub fn request(&mut self, method: &str, params: Value) -> Answer {
        self.client.request(method, params)
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: Value) {
        self.client.notify(method, params);
    }

    /// Looks at what comes until a condition on what is broken holds, or time is up.
    pub fn listen(&mut self, patience: Duration, mut until: impl FnMut(&[Broken]) -> bool) {
        let patience = patience.min(LONGEST);
        self.client.wait(patience, |client| until(&client.broken));
    }

    /// Ends the connection: standard input is closed, or the session of HTTP deleted. What the
    /// server says until its end is judged, and so is what it never said. A process that goes on is
    /// killed, and so is what a server left behind.
    pub fn hang_up(&mut self, patience: Duration) -> Farewell {
        let patience = patience.min(LONGEST);
        let (was_closed, until) = (self.client.closed, Instant::now() + patience);
        if let Wire::Stdio(process) = &mut self.client.wire {
            process.close_input();
            self.client.wait(patience, |_| false);
        } else {
            self.delete_session();
        }
        let farewell = match &mut self.client.wire {
            Wire::Stdio(process) => Farewell {
                ended_by_itself: process.close(until.saturating_duration_since(Instant::now())),
                status: process.status(),
            },
            Wire::Http(_) => Farewell {
                ended_by_itself: true,
                status: None,
            },
        };
        // A server that was gone before owes nothing.
        if !was_closed {
            let broken = self.client.judge.end();
            self.client.broken.extend(broken);
        }
        if let Wire::Stdio(process) = &mut self.client.wire {
            process.kill();
        }
        self.client.closed = true;
        farewell
    }

    /// The way the process of a server that is gone ended, if it did. Waits a little for that, and
    /// for what it said on standard error.
    pub fn last_words(&mut self, patience: Duration) -> Option<ExitStatus> {
        match &mut self.client.wire {
            Wire::Stdio(process) => process.last_words(patience.min(LONGEST)),
            Wire::Http(_) => None,
        }
    }

    /// Everything that passed so far, in order.
    pub fn records(&self) -> &[Record] {
        &self.client.records
    }

    /// Every rule that the server was seen to break so far, up to a bound.
    pub fn broken(&self) -> &[Broken] {
        &self.client.broken
    }

    /// The revision that is spoken.
    pub fn revision(&self) -> Option<Revision> {
        self.client.revision
    }

    /// The last of what the server said on standard error.
    pub fn stderr(&self) -> String {
        self.client.stderr()
    }

    /// Whether it is carried by HTTP.
    pub fn is_http(&self) -> bool {
        self.client.is_http()
    }

    /// Whether the server was cut off because it sent more than is kept.
    pub fn is_cut_off(&self) -> bool {
        self.client.is_cut_off()
    }

    fn delete_session(&mut self) {
        if self.client.session.is_some() && !self.client.closed {
            let mut headers = vec![pair("accept", "application/json, text/event-stream")];
            self.client.push_session(&mut headers);
            self.client.http("DELETE", headers, Vec::new());
        }
    }
}
