//! A session whose two streams are cut into lines elsewhere: checks each line, and delivers it.

use std::time::Duration;

use mcp_assay::{Direction, Line, Session};

use super::{BatchAnswers, Delivery, Destination, SeenLine, frame};
use crate::guard::{Decision, Guard, Judged, Mode};

/// A session between a client and a server on byte streams.
///
/// ```
/// use std::time::Duration;
///
/// use mcp_assay::{Direction, Line, Policy};
/// use mcp_assay_live::guard::{Guard, Mode};
/// use mcp_assay_live::lines::LineSession;
///
/// let mut session = LineSession::new(Guard::new(Policy::default(), Mode::Enforce));
/// let line = Line { bytes: br#"{"jsonrpc":"2.0","id":1,"method":7}"#, unterminated: false };
/// let (mut on, mut back) = (Vec::new(), Vec::new());
/// session.line(Direction::ClientToServer, Duration::ZERO, line, &mut on, &mut back, |_| ());
/// assert!(on.is_empty() && back.starts_with(br#"{"jsonrpc":"2.0","id":1,"error":"#));
/// ```
#[derive(Debug)]
pub struct LineSession {
    guard: Guard,
    session: Session,
    number: u64,
    batches: BatchAnswers,
}

impl LineSession {
    /// A session that has not begun.
    #[must_use]
    pub fn new(guard: Guard) -> Self {
        Self {
            guard,
            session: Session::new(),
            number: 0,
            batches: BatchAnswers::default(),
        }
    }

    /// Whether faults are only seen, or kept from passing.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.guard.mode
    }

    /// The number of lines so far, both directions together.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The size of the largest message. Of a longer line no more than one byte beyond it is needed.
    #[must_use]
    pub fn limit(&self) -> usize {
        self.guard.validator().policy().limits.bytes
    }

    /// Checks a line at a time since the session began. In `enforce`, appends the bytes that go on
    /// to `on`, and those that go back to its sender to `back`; text that belongs on standard error
    /// is dropped. In `shadow`, the caller forwards the line.
    pub fn line(
        &mut self,
        direction: Direction,
        time: Duration,
        line: Line<'_>,
        on: &mut Vec<u8>,
        back: &mut Vec<u8>,
        report: impl FnOnce(&Judged<'_>),
    ) {
        self.number += 1;
        let seen = SeenLine {
            number: self.number,
            time,
            direction,
            line,
        };
        let enforces = self.mode() == Mode::Enforce;
        let limit = self.limit();
        let Self {
            guard,
            session,
            batches,
            ..
        } = self;
        let mut deliver = |decision, text, split_off: &[u8]| {
            let mut delivery = Delivery::new(line, decision, text, limit);
            let merged = match delivery.to {
                Destination::Peer => batches.merge(direction, delivery.bytes),
                _ => None,
            };
            if let Some(merged) = &merged {
                delivery.bytes = merged;
            }
            match delivery.to {
                Destination::Peer => delivery.write(on),
                Destination::Sender => delivery.write(back),
                Destination::Aside | Destination::Nowhere => {}
            }
            if !split_off.is_empty() && !batches.hold(direction.reverse(), text, split_off) {
                Delivery::whole(Destination::Sender, split_off).write(back);
            }
        };
        let Some(frame) = frame(&seen) else {
            if enforces {
                deliver(Decision::Forward, &[], &[]);
            }
            return;
        };
        let judged = guard.judge(session, frame);
        if enforces {
            let action = judged.action;
            deliver(action.decision(), action.text(), action.split_off());
        }
        report(&judged);
    }
}
