//! One stdio session, as it is checked.

use std::sync::Arc;

use mcp_assay::{Party, Session};
use mcp_assay_gateway::Metrics;
use mcp_assay_live::guard::{Decision, Guard};
use mcp_assay_live::lines::{Joined, SeenLine, frame};
use mcp_assay_report::Totals;

use super::{Judge, ReportFile};
use crate::log::Log;

/// One session, as it is checked.
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

    /// Counts what is checked.
    pub(crate) fn count(&mut self, metrics: Arc<Metrics>) {
        self.judge.count(metrics);
    }

    /// Checks a line, which may have been joined.
    pub(crate) fn check(&mut self, seen: SeenLine<'_>, joined: Option<Joined>) -> Decision {
        let Some(frame) = frame(&seen) else {
            return Decision::Forward;
        };
        if let Some(joined) = joined {
            self.judge.joined(frame, joined);
        }
        self.judge.judge(&mut self.session, None, frame, |_| {})
    }

    /// Counts lines that went on unchecked.
    pub(crate) fn skip(&mut self, count: u64) {
        if count > 0 {
            self.judge.skip(count);
            self.session.lose_track();
        }
    }

    /// The text in place of the last line, or back to its sender.
    pub(crate) fn text(&self) -> &[u8] {
        self.judge.text()
    }

    /// The text that goes back to the sender of the last line while another goes on.
    pub(crate) fn split_off(&self) -> &[u8] {
        self.judge.split_off()
    }

    /// Ends the session: reports missing responses, and ends the report.
    pub(crate) fn end(&mut self, closed_by: Option<Party>) {
        if let Some(party) = closed_by {
            self.session.close(party);
        }
        self.judge.end_session(&self.session, None);
        self.judge.finish();
    }

    pub(crate) fn totals(&self) -> &Totals {
        self.judge.totals()
    }

    /// Sentences for a person at the end.
    pub(crate) fn notices(&self) -> Vec<String> {
        self.judge.notices()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use mcp_assay::{Direction, Line};
    use mcp_assay_live::guard::Mode;
    use mcp_assay_testkit::failing;

    use super::*;

    #[test]
    fn a_line_whose_check_fails_is_refused_by_enforce_alone() {
        for (mode, expected) in [
            (Mode::Shadow, Decision::Forward),
            (Mode::Enforce, Decision::Refuse),
        ] {
            let mut watch = Watch::new("test".to_owned(), failing::guard(mode), None, None);
            let mut see = |text: &str| {
                let seen = SeenLine {
                    number: 1,
                    time: Duration::ZERO,
                    direction: Direction::ClientToServer,
                    line: Line {
                        bytes: text.as_bytes(),
                        unterminated: false,
                    },
                };
                (watch.check(seen, None), watch.text().to_vec())
            };
            let (passing, text) = see(failing::MESSAGE);
            assert_eq!(passing, expected);
            assert_eq!(text == failing::REFUSAL.as_bytes(), mode == Mode::Enforce);
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
