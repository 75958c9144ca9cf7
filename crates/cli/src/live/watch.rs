//! One stdio session, as it is watched.

use std::time::Duration;

use mcp_assay::{Carrier, Direction, Frame, Session};
use mcp_assay_live::guard::Guard;
use mcp_assay_report::Totals;

use super::{Judge, Line, Passing, ReportFile};
use crate::log::Log;

/// A line that somebody sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a> {
    /// The number of the line, both directions together: that of its record, if there is a recording.
    pub(crate) number: u64,
    pub(crate) time: Duration,
    pub(crate) direction: Direction,
    pub(crate) line: Line<'a>,
    /// What it was, if it was joined.
    pub(crate) joined: Option<Joined>,
}

/// Lines that were joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Joined {
    /// How many they were.
    pub(crate) lines: usize,
    /// Their bytes, with their newlines.
    pub(crate) bytes: usize,
}

/// One session, as it is watched.
pub(crate) struct Watch {
    judge: Judge,
    session: Session,
}

impl Watch {
    pub(crate) fn new(
        source: String,
        make: Box<dyn Fn() -> Guard + Send>,
        report: Option<ReportFile>,
        log: Option<Log>,
    ) -> Self {
        Self {
            judge: Judge::new(source, make, report, log),
            session: Session::new(),
        }
    }

    /// Judges a line.
    pub(crate) fn see(&mut self, seen: Seen<'_>) -> Passing {
        if seen.line.bytes.trim_ascii().is_empty() && !seen.line.unterminated {
            return Passing::Forward;
        }
        let mut frame = Frame::new(seen.line.bytes)
            .carrier(Carrier::Stdio)
            .direction(seen.direction)
            .time(seen.time)
            .at(seen.number);
        frame.unterminated = seen.line.unterminated;
        if let Some(joined) = seen.joined {
            self.judge.joined(frame, joined);
        }
        self.judge.judge(&mut self.session, None, frame, |_| {})
    }

    /// A line passed that could not be looked at.
    pub(crate) fn passed_unchecked(&mut self) {
        self.judge.passed_unchecked();
        self.session.lose_track();
    }

    /// What goes on in place of the last line, or back to its sender.
    pub(crate) fn text(&self) -> &[u8] {
        self.judge.text()
    }

    /// The session is over: says what is missing, and ends the report.
    pub(crate) fn end(&mut self) {
        self.judge.end_session(&self.session, None);
        self.judge.finish();
    }

    pub(crate) fn totals(&self) -> &Totals {
        self.judge.totals()
    }

    /// What a person should know at the end, line by line.
    pub(crate) fn notices(&self) -> Vec<String> {
        self.judge.notices()
    }
}
