//! The two streams of a server on standard input and output: the host carries the bytes.

use std::time::Duration;

use mcp_assay::{Direction, Lines};
use mcp_assay_live::guard::Judged;
use mcp_assay_live::lines::LineSession;
use mcp_assay_report::write_message;

use crate::options::Options;
use crate::session;

/// The traffic of one connection of a server.
pub(crate) struct Stream {
    session: LineSession,
    /// Lines that are being read, and written.
    read: Lines,
    written: Lines,
    /// In `enforce`, the bytes that the server may read, and those that go to the client.
    inbound: Vec<u8>,
    outbound: Vec<u8>,
    /// Rows of messages with violations, one a line, each after the number of its decision.
    reports: Vec<u8>,
}

/// Bytes of reports that nobody has taken yet; further ones are dropped.
const MAX_REPORTS: usize = 16 << 20;

impl Stream {
    pub(crate) fn new(options: &[u8]) -> Result<Self, String> {
        let session = LineSession::new(Options::read(options)?.guard()?);
        let limit = session.limit();
        Ok(Self {
            session,
            read: Lines::new(limit),
            written: Lines::new(limit),
            inbound: Vec::new(),
            outbound: Vec::new(),
            reports: Vec::new(),
        })
    }

    /// Bytes came from a side; none of them mean the end of its stream.
    pub(crate) fn feed(&mut self, direction: Direction, time: Duration, bytes: &[u8]) {
        let Self {
            session: tracked,
            read,
            written,
            inbound,
            outbound,
            reports,
        } = self;
        let (lines, on, back) = match direction {
            Direction::ClientToServer => (read, inbound, outbound),
            Direction::ServerToClient => (written, outbound, inbound),
        };
        let take = |line: mcp_assay::Line<'_>| {
            let line_number = tracked.number() + 1;
            tracked.line(direction, time, line, on, back, |judged| {
                report(line_number, judged, reports);
            });
        };
        if bytes.is_empty() {
            lines.end(take);
        } else {
            lines.feed(bytes, take);
        }
    }

    /// Takes the bytes that go in a direction.
    pub(crate) fn take(&mut self, direction: Direction) -> Vec<u8> {
        std::mem::take(match direction {
            Direction::ClientToServer => &mut self.inbound,
            Direction::ServerToClient => &mut self.outbound,
        })
    }

    /// Takes the rows of messages with violations.
    pub(crate) fn take_reports(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.reports)
    }
}

fn report(line: u64, judged: &Judged<'_>, reports: &mut Vec<u8>) {
    if judged.checked.violations().is_empty() || reports.len() > MAX_REPORTS {
        return;
    }
    reports.push(b'0' + session::number(judged.action.decision()));
    // Writing to memory cannot fail.
    let _ = write_message(&session::origin(line), &judged.checked, reports);
    reports.push(b'\n');
}
