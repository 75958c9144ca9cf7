//! The frame of a line, and its delivery after the check.

use std::time::Duration;

use mcp_assay::{Carrier, Direction, Frame, Line};

use crate::guard::Decision;

/// A line that came.
#[derive(Clone, Copy, Debug)]
pub struct SeenLine<'a> {
    /// The number of the line, both directions together.
    pub number: u64,
    /// Since the session began.
    pub time: Duration,
    /// Its direction.
    pub direction: Direction,
    /// Its bytes.
    pub line: Line<'a>,
}

/// The frame of a line; `None` for a blank line, which is no message and goes on as it is.
#[must_use]
pub fn frame<'a>(seen: &SeenLine<'a>) -> Option<Frame<'a>> {
    let line = seen.line;
    if line.bytes.trim_ascii().is_empty() && !line.unterminated {
        return None;
    }
    let mut frame = Frame::new(line.bytes)
        .carrier(Carrier::Stdio)
        .direction(seen.direction)
        .time(seen.time)
        .at(seen.number);
    frame.unterminated = line.unterminated;
    Some(frame)
}

/// The receiver of a delivery.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Destination {
    /// To the peer.
    Peer,
    /// Back to the sender.
    Sender,
    /// To standard error.
    Aside,
    /// Nowhere.
    Nowhere,
}

/// Bytes, and their receiver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Delivery<'a> {
    /// Their receiver.
    pub to: Destination,
    /// The bytes, without their newline.
    pub bytes: &'a [u8],
    /// Whether a newline follows them.
    pub newline: bool,
}

impl<'a> Delivery<'a> {
    /// Delivers a checked line, or the text that takes its place. `limit` is the size of the
    /// largest message: of a longer line only the beginning is here, so it cannot go on.
    ///
    /// A replacement always ends with a newline, even if the line did not: it is a whole message.
    #[must_use]
    pub fn new(line: Line<'a>, decision: Decision, text: &'a [u8], limit: usize) -> Self {
        let (to, bytes, newline) = match decision {
            Decision::Forward if line.bytes.len() <= limit => {
                (Destination::Peer, line.bytes, !line.unterminated)
            }
            Decision::Replace | Decision::Split => (Destination::Peer, text, true),
            Decision::Refuse => (Destination::Sender, text, true),
            Decision::Divert => (Destination::Aside, line.bytes, true),
            Decision::Forward | Decision::Drop => (Destination::Nowhere, &[][..], false),
        };
        Self { to, bytes, newline }
    }

    /// Delivers an answer to a part of a line, or the answers to a batch.
    #[must_use]
    pub fn whole(to: Destination, bytes: &'a [u8]) -> Self {
        let newline = true;
        Self { to, bytes, newline }
    }

    /// Appends the bytes, with their newline.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.bytes);
        if self.newline {
            out.push(b'\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_decision_has_its_destination() {
        let line = |bytes, unterminated| Line {
            bytes,
            unterminated,
        };
        let text = &b"{}"[..];
        for (line, decision, expected) in [
            (line(b"a", false), Decision::Forward, "Peer a\n"),
            (line(b"a", true), Decision::Forward, "Peer a"),
            (line(b"abc", false), Decision::Forward, "Nowhere "),
            (line(b"a", true), Decision::Replace, "Peer {}\n"),
            (line(b"abc", false), Decision::Refuse, "Sender {}\n"),
            (line(b"a", true), Decision::Divert, "Aside a\n"),
            (line(b"a", false), Decision::Drop, "Nowhere "),
        ] {
            let delivery = Delivery::new(line, decision, text, 2);
            let mut out = Vec::new();
            delivery.write(&mut out);
            let shown = format!("{:?} {}", delivery.to, String::from_utf8_lossy(&out));
            assert_eq!(shown, expected);
        }
    }

    #[test]
    fn a_blank_line_is_no_message_but_half_a_line_is_checked() {
        for (bytes, unterminated, is_checked) in [
            (&b" \r"[..], false, false),
            (b"", false, false),
            (b" ", true, true),
            (b"x", false, true),
        ] {
            let line = Line {
                bytes,
                unterminated,
            };
            let seen = SeenLine {
                number: 1,
                time: Duration::ZERO,
                direction: Direction::ClientToServer,
                line,
            };
            assert_eq!(frame(&seen).is_some(), is_checked, "{bytes:?}");
        }
    }
}
