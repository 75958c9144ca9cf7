//! Lines in `enforce`: they are checked before they go on.

use std::time::{Duration, Instant};

use mcp_assay::Line;
use mcp_assay_live::lines::{Delivery, Destination, JoinerLine, SeenLine};

use super::checking::Checking;
use super::copy::Copy;

/// How long the beginning of a message is held back while nothing follows.
const HOLD_TIMEOUT: Duration = Duration::from_secs(1);

/// Checks lines of one direction, and delivers them.
pub(super) struct Enforcer<'p> {
    pub(super) checking: &'p mut Checking,
    /// From the beginning of the session.
    pub(super) time: Duration,
    /// The direction of the lines.
    pub(super) copy: &'p mut Copy,
    /// The direction of answers to them.
    pub(super) back: &'p mut Copy,
    /// The text in place of a line.
    pub(super) text: &'p mut Vec<u8>,
}

impl Enforcer<'_> {
    /// A line came.
    pub(super) fn line(&mut self, line: Line<'_>) {
        let number = self.checking.record(self.time, self.copy.direction, line);
        let Some(mut joiner) = self.copy.joiner.take() else {
            return self.deliver(JoinerLine {
                number,
                line,
                joined: None,
            });
        };
        joiner.take(number, line, |line| self.deliver(line));
        self.copy.held_until = joiner.holds().then(|| Instant::now() + HOLD_TIMEOUT);
        self.copy.joiner = Some(joiner);
    }

    /// Releases lines that do not become a message.
    pub(super) fn release(&mut self) {
        self.copy.held_until = None;
        if let Some(mut joiner) = self.copy.joiner.take() {
            joiner.release(|line| self.deliver(line));
            self.copy.joiner = Some(joiner);
        }
    }

    /// Writes in both directions.
    pub(super) fn flush(self) {
        self.copy.flush();
        self.back.flush();
    }

    fn deliver(&mut self, given: JoinerLine<'_>) {
        let line = given.line;
        let seen = SeenLine {
            number: given.number,
            time: self.time,
            direction: self.copy.direction,
            line,
        };
        let decision = self.checking.check(seen, given.joined, self.text);
        let mut delivery = Delivery::new(line, decision, self.text, self.copy.limit);
        let (direction, batches) = (self.copy.direction, &mut self.checking.batches);
        let merged = match delivery.to {
            Destination::Peer => batches.merge(direction, delivery.bytes),
            _ => None,
        };
        if let Some(merged) = &merged {
            delivery.bytes = merged;
        }
        match delivery.to {
            Destination::Peer => self.copy.queue(&delivery),
            Destination::Sender => self.back.queue(&delivery),
            Destination::Aside => {
                crate::output::write_error(&[line.bytes, b"\n"].concat());
            }
            Destination::Nowhere => {}
        }
        let split_off = std::mem::take(&mut self.checking.split_off);
        if !split_off.is_empty() {
            let back = direction.reverse();
            self.checking.record_answer(self.time, back, &split_off);
            if !self.checking.batches.hold(back, self.text, &split_off) {
                let delivery = Delivery::whole(Destination::Sender, &split_off);
                self.back.queue(&delivery);
            }
        }
    }
}
