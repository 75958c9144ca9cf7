//! Sessions whose messages the host hands over one by one.

use std::time::Duration;

use mcp_assay::{Carrier, Direction, Frame, Party, Revision};
use mcp_assay_live::guard::{Action, Decision, Guard};
use mcp_assay_report::{Origin, write_ending, write_message};

use crate::options::Options;

/// A session between a client and a server.
pub(crate) struct Session {
    guard: Guard,
    tracked: mcp_assay::Session,
    carrier: Carrier,
    messages: u64,
    /// The decision about the last message, with its texts.
    decision: Decision,
    text: Vec<u8>,
    split_off: Vec<u8>,
}

/// The data of a message beside its bytes.
#[derive(Clone, Copy, Default)]
pub(crate) struct About<'a> {
    pub(crate) direction: Option<Direction>,
    pub(crate) answers: Option<&'a str>,
    pub(crate) time: Option<Duration>,
}

impl Session {
    pub(crate) fn new(options: &[u8]) -> Result<Self, String> {
        let options = Options::read(options)?;
        Ok(Self {
            guard: options.guard()?,
            carrier: options.carrier()?,
            tracked: mcp_assay::Session::new(),
            messages: 0,
            decision: Decision::Forward,
            text: Vec::new(),
            split_off: Vec::new(),
        })
    }

    /// Checks a message, and writes its row.
    pub(crate) fn check(&mut self, bytes: &[u8], about: About<'_>, out: &mut Vec<u8>) {
        self.messages += 1;
        let mut frame = Frame::new(bytes).carrier(self.carrier).at(self.messages);
        (frame.direction, frame.answers, frame.time) = (about.direction, about.answers, about.time);
        let judged = self.guard.judge(&mut self.tracked, frame);
        let action: Action<'_> = judged.action;
        self.decision = action.decision();
        for (kept, text) in [
            (&mut self.text, action.text()),
            (&mut self.split_off, action.split_off()),
        ] {
            kept.clear();
            kept.extend_from_slice(text);
        }
        // Writing to memory cannot fail.
        let _ = write_message(&origin(self.messages), &judged.checked, out);
    }

    /// The number of the decision about the last message.
    pub(crate) fn action(&self) -> u8 {
        number(self.decision)
    }

    /// The text that goes on in place of the last message, or back to its sender.
    pub(crate) fn text(&self) -> &[u8] {
        &self.text
    }

    /// The text that goes back while another goes on.
    pub(crate) fn split_off(&self) -> &[u8] {
        &self.split_off
    }

    /// Writes what is missing at the end of the session as an array of rows. The next session
    /// begins anew.
    pub(crate) fn end(&mut self, by: Option<Party>, out: &mut Vec<u8>) {
        let mut session = std::mem::take(&mut self.tracked);
        self.messages = 0;
        if let Some(party) = by {
            session.close(party);
        }
        out.push(b'[');
        for (index, ending) in self.guard.validator().end(&session).iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            // Writing to memory cannot fail.
            let _ = write_ending(&origin(ending.at), ending, out);
        }
        out.push(b']');
    }

    /// The revision in force, once it is known.
    pub(crate) fn revision(&self) -> Option<Revision> {
        self.tracked.revision()
    }
}

/// The number of a decision for the host.
pub(crate) fn number(decision: Decision) -> u8 {
    match decision {
        Decision::Forward => 0,
        Decision::Replace => 1,
        Decision::Refuse => 2,
        Decision::Split => 3,
        Decision::Drop => 4,
        Decision::Divert => 5,
    }
}

/// The origin of a message in reports: its number in the session.
pub(crate) fn origin(line: u64) -> Origin<'static> {
    Origin {
        line,
        ..Origin::default()
    }
}
