//! One stdio session, as it is watched.

use std::time::Duration;

use mcp_assay::{Carrier, Direction, Frame, Session};
use mcp_assay_live::guard::{Decision, Guard};
use mcp_assay_report::Totals;

use super::{Judge, Line, ReportFile};
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
        guard: Guard,
        report: Option<ReportFile>,
        log: Option<Log>,
    ) -> Self {
        Self {
            judge: Judge::new(source, guard, report, log),
            session: Session::new(),
        }
    }

    /// Judges a line.
    pub(crate) fn see(&mut self, seen: Seen<'_>) -> Decision {
        if seen.line.bytes.trim_ascii().is_empty() && !seen.line.unterminated {
            return Decision::Forward;
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

#[cfg(test)]
mod tests {
    use mcp_assay_live::guard::Mode;

    use super::*;
    use crate::live::tests::defective;

    #[test]
    fn a_line_whose_check_fails_is_refused_by_enforce_alone() {
        for (mode, expected) in [
            (Mode::Shadow, Decision::Forward),
            (Mode::Enforce, Decision::Refuse),
        ] {
            let mut watch = Watch::new("test".to_owned(), defective(mode), None, None);
            let mut see = |text: &str| {
                let seen = Seen {
                    number: 1,
                    time: Duration::ZERO,
                    direction: Direction::ClientToServer,
                    line: Line {
                        bytes: text.as_bytes(),
                        unterminated: false,
                    },
                    joined: None,
                };
                (watch.see(seen), watch.text().to_vec())
            };
            let (passing, text) = see(r#"{"jsonrpc":"2.0","id":1,"method":"defect"}"#);
            assert_eq!(passing, expected);
            let error = br#"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"#;
            assert_eq!(text.starts_with(error), mode == Mode::Enforce);
            let (passing, _) = see(r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#);
            assert_eq!(passing, Decision::Forward, "{mode:?} goes on");
            let then = match mode {
                Mode::Shadow => "1 message passed unchecked",
                Mode::Enforce => "1 message did not pass",
            };
            let notice = format!("{then}, because the check failed: please report this");
            assert!(watch.notices().contains(&notice), "{:?}", watch.notices());
            assert_eq!(watch.totals().messages, 1, "the other one was not checked");
        }
    }
}
