//! What `enforce` does with lines: they are judged before they go on.

use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use mcp_assay_live::guard::Decision;

use super::copy::Copy;
use super::join::Given;
use super::worker::Checking;
use crate::live::{Line, Seen};

/// How long the beginning of a message is held back while nothing follows. Whoever waits for it is then told what it is.
const PATIENCE: Duration = Duration::from_secs(1);

/// Judges lines of one direction, and does with them as they were judged.
pub(super) struct Enforcer<'p> {
    pub(super) checking: &'p mut Checking,
    /// From the beginning of the session.
    pub(super) time: Duration,
    /// Where lines go on.
    pub(super) copy: &'p mut Copy,
    /// Where answers to them go.
    pub(super) back: &'p mut Copy,
    /// What stands in place of a line.
    pub(super) text: &'p mut Vec<u8>,
}

impl Enforcer<'_> {
    /// A line came.
    pub(super) fn line(&mut self, line: Line<'_>) {
        let number = self.checking.came(self.time, self.copy.direction, line);
        let Some(mut joiner) = self.copy.joiner.take() else {
            return self.judge(Given {
                number,
                line,
                joined: None,
            });
        };
        joiner.take(number, line, |given| self.judge(given));
        self.copy.held_until = joiner.holds().then(|| Instant::now() + PATIENCE);
        self.copy.joiner = Some(joiner);
    }

    /// What was held back does not become a message.
    pub(super) fn release(&mut self) {
        self.copy.held_until = None;
        if let Some(mut joiner) = self.copy.joiner.take() {
            joiner.release(|given| self.judge(given));
            self.copy.joiner = Some(joiner);
        }
    }

    /// Writes what goes on, and what goes back.
    pub(super) fn flush(self) {
        self.copy.flush();
        self.back.flush();
    }

    fn judge(&mut self, given: Given<'_>) {
        let line = given.line;
        let seen = Seen {
            number: given.number,
            time: self.time,
            direction: self.copy.direction,
            line,
            joined: given.joined,
        };
        match self.checking.judge(seen, self.text) {
            Decision::Forward => {
                self.copy.queue(line.bytes);
                if !line.unterminated {
                    self.copy.queue(b"\n");
                }
            }
            Decision::Replace => {
                self.copy.queue(self.text);
                self.copy.queue(b"\n");
            }
            Decision::Refuse => {
                self.back.queue(self.text);
                self.back.queue(b"\n");
            }
            Decision::Drop => {}
            Decision::Divert => {
                // If nobody reads it there either, it is lost as it was meant to be.
                let _ = io::stderr().write_all(&[line.bytes, b"\n"].concat());
            }
        }
    }
}
