//! Waiting for what the server says: never longer than it is told, whatever comes in the meantime.

use std::sync::mpsc::{RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{Client, Wire};
use crate::transport::Incoming;

/// How long a reaction may take: a machine may be busy, and silence is held against the server.
/// Other connections go on in the meantime.
const REACTION: Duration = Duration::from_secs(1);

/// How long nothing is sent before something that is malformed.
const SETTLE: Duration = Duration::from_millis(50);

/// How long an answer may come after that to a later request: a server may answer out of order.
const STRAGGLER: Duration = Duration::from_millis(150);

/// How long a stream is listened to that stays open.
const OPEN_STREAM: Duration = Duration::from_secs(2);

/// How often a process is looked at while nothing comes from it.
const LOOK: Duration = Duration::from_millis(50);

/// How long the output of a process is listened to that is gone: another one may hold it open.
const AFTERLIFE: Duration = Duration::from_millis(500);

impl Client<'_> {
    /// How long an answer is waited for: a server that has said nothing yet may still be starting.
    pub(super) fn patience(&self) -> Duration {
        if self.bytes == 0 {
            self.start_timeout.max(self.options.step_timeout)
        } else {
            self.options.step_timeout
        }
    }

    /// Looks at what comes until a condition holds; tells whether it does.
    pub(crate) fn wait(
        &mut self,
        patience: Duration,
        mut until: impl FnMut(&Self) -> bool,
    ) -> bool {
        let deadline = (Instant::now() + patience).min(self.options.deadline);
        self.take_waiting();
        loop {
            if until(self) {
                return true;
            }
            if self.closed {
                return false;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || self.options.interrupt.is_set() {
                return false;
            }
            let incoming = match &self.wire {
                Wire::Stdio(process) => &process.incoming,
                Wire::Http(client) => &client.incoming,
            };
            match incoming.recv_timeout(left.min(LOOK)) {
                Ok(Incoming::Content(content, time)) => self.take(content, time),
                Ok(Incoming::Closed) | Err(RecvTimeoutError::Disconnected) => self.closed = true,
                Err(RecvTimeoutError::Timeout) => self.look_after_process(),
            }
        }
    }

    /// Takes what has come already, and waits for nothing: streams that stay open beside others
    /// speak at any time.
    pub(super) fn take_waiting(&mut self) {
        while !self.closed {
            let incoming = match &self.wire {
                Wire::Stdio(process) => process.incoming.try_recv(),
                Wire::Http(client) => client.incoming.try_recv(),
            };
            match incoming {
                Ok(Incoming::Content(content, time)) => self.take(content, time),
                Ok(Incoming::Closed) | Err(TryRecvError::Disconnected) => self.closed = true,
                Err(TryRecvError::Empty) => return,
            }
        }
    }

    /// Looks at what comes until a message of the server fits; its record.
    pub(crate) fn wait_for(
        &mut self,
        patience: Duration,
        from: usize,
        mut fits: impl FnMut(&Value) -> bool,
    ) -> Option<usize> {
        // Each record is read once, however many there are.
        let (mut next, mut found) = (from, None);
        self.wait(patience, |client| {
            while found.is_none() && next < client.records.len() {
                let record = &client.records[next];
                let is_theirs = record.direction().sender() == mcp_assay::Party::Server;
                if is_theirs && record.message().is_some_and(|message| fits(&message)) {
                    found = Some(next);
                }
                next += 1;
            }
            found.is_some()
        });
        found
    }

    /// Lets a server on standard input and output finish what it does after its last answer: one
    /// that is interrupted by the next message may lose the answer to that.
    pub(crate) fn settle(&mut self) {
        if !self.is_http() {
            self.wait(SETTLE, |_| false);
        }
    }

    /// Waits for the reaction to something that may be met with silence. Nothing else is sent
    /// meanwhile: a server that reads two messages at once may lose the answer to one. Over HTTP
    /// the end of its own exchange tells that none will come.
    pub(crate) fn wait_for_reaction(
        &mut self,
        exchange: Option<i64>,
        mut until: impl FnMut(&Self) -> bool,
    ) {
        if exchange.is_none() {
            self.wait(REACTION, until);
            return;
        }
        self.wait(self.options.step_timeout.min(OPEN_STREAM), |client| {
            let status = client.status_of(exchange);
            // Without even a head there is nothing to wait for.
            status.is_none_or(|(_, is_over)| is_over) || until(client)
        });
    }

    /// After a later request was answered: waits a little for an answer that was overtaken.
    pub(crate) fn wait_for_straggler(&mut self, until: impl FnMut(&Self) -> bool) {
        if !self.is_http() || self.two_endpoints {
            self.wait(STRAGGLER, until);
        }
    }

    /// A process that is gone says nothing more, even if one that it started holds its output open.
    fn look_after_process(&mut self) {
        let Wire::Stdio(process) = &mut self.wire else {
            return;
        };
        if !process.is_over() {
            return;
        }
        let ended = *self.ended.get_or_insert_with(Instant::now);
        if ended.elapsed() >= AFTERLIFE {
            self.closed = true;
        }
    }
}
