//! The output of an MCP server in VS Code, as its channel shows it and as its log files keep it.
//!
//! Messages are there from the level *debug* or *trace* on. A line that VS Code could not parse is
//! there at any level, and it is the one thing that is kept as it was sent.

use std::borrow::Cow;
use std::io;

use mcp_assay::syntax::Tape;
use mcp_assay::{Direction, Limits};

use super::broken::{Broken, Lost};
use super::epochs::Epochs;
use super::fidelity::{Fidelity, Missing};
use super::reader::{Beginning, Likeness, ReadLines, Reader};
use super::record::{Content, Payload, Record, Sink};
use super::stamp::stamped;
use super::text::logged_message;
use crate::lines::Line;

const MESSAGES: [(&[u8], Direction); 4] = [
    (b"[editor -> server]", Direction::ClientToServer),
    (b"[server -> editor]", Direction::ServerToClient),
    (b"[Client Says]", Direction::ClientToServer),
    (b"[Server Says]", Direction::ServerToClient),
];

const UNPARSED: &[u8] = b"Failed to parse message:";
const BEGINNING: &[u8] = b"Starting server ";

/// Other remarks of VS Code about servers.
const REMARKS: [&[u8]; 4] = [
    b"Connection state:",
    b"Stopping server ",
    b"Waiting for server to respond to `initialize`",
    b"[server stderr]",
];

/// Reads the lines of a log.
#[derive(Default)]
pub(crate) struct VsCode {
    epochs: Epochs,
    server: String,
    tape: Tape,
}

impl Reader for VsCode {
    const NAME: &'static str = "vscode";
    const DESCRIBED: Option<&'static str> = Some("a VS Code log");
    const FIDELITY: Fidelity = Fidelity::Reserialised;
    const MISSING: &'static [Missing] = &[Missing::RawBytes, Missing::Headers];

    fn detect(part: &Beginning<'_>) -> Likeness {
        let Beginning::Line(line) = part else {
            return Likeness::None;
        };
        let (time, text) = entry(line);
        if message(text).is_some() {
            return Likeness::Sure;
        }
        let known = |beginning: &[u8]| text.starts_with(beginning);
        let remarks = REMARKS.into_iter().chain([BEGINNING, UNPARSED]);
        if time.is_some() && remarks.into_iter().any(known) {
            Likeness::Some
        } else {
            Likeness::None
        }
    }
}

impl ReadLines for VsCode {
    fn line(&mut self, line: Line<'_>, limits: &Limits, sink: &mut dyn Sink) -> io::Result<()> {
        let (time, text) = entry(line.bytes);
        if let Some(server) = text.strip_prefix(BEGINNING) {
            // The other line of this beginning names the host of the extension.
            if !server.starts_with(b"from ") {
                self.server = String::from_utf8_lossy(server.trim_ascii()).into_owned();
                self.epochs.begin(&self.server);
            }
            return Ok(());
        }
        let mut handshake = false;
        let (direction, fidelity, content) = if let Some((direction, text)) = message(text) {
            let found = if line.cut {
                Err(Broken::from("it is far longer than the size limit"))
            } else {
                logged_message(text, limits, &mut self.tape)
            };
            let content = found.and_then(|(message, rest)| {
                if !rest.trim_ascii().is_empty() {
                    return Err(Broken::from("other text stands behind the message"));
                }
                let method = self.tape.root(message).and_then(|root| root.get("method"));
                handshake = method.is_some_and(|method| method.is_text("initialize"));
                Ok(Content::Message(Payload::Bytes(Cow::Borrowed(message))))
            });
            (direction, Fidelity::Reserialised, content)
        } else if let Some(text) = text.strip_prefix(UNPARSED).filter(|_| time.is_some()) {
            let content = match unparsed(text, line.cut) {
                Ok(None) => return Ok(()),
                Ok(Some(content)) => Ok(content),
                Err(why) => Err(why),
            };
            (Direction::ServerToClient, Fidelity::Exact, content)
        } else {
            return Ok(());
        };
        let session = self.epochs.message(&self.server, handshake);
        match content {
            Ok(content) => sink.record(&Record {
                time,
                direction: Some(direction),
                session: session.map(Cow::Borrowed),
                fidelity,
                ..Record::new(line.number, content)
            }),
            Err(why) => sink.lost(&Lost {
                line: line.number,
                session,
                direction: Some(direction),
                why,
            }),
        }
    }
}

/// The time of a line, if it has one, and the text behind time and level.
fn entry(line: &[u8]) -> (Option<f64>, &[u8]) {
    let Some((time, rest)) = stamped(line) else {
        return (None, line.trim_ascii());
    };
    let text = rest.trim_ascii();
    let level = text.strip_prefix(b"[").and_then(|inner| {
        let end = memchr::memchr(b']', inner)?;
        let is_level = inner[..end].iter().all(u8::is_ascii_lowercase);
        is_level.then(|| inner[end + 1..].trim_ascii_start())
    });
    (Some(time), level.unwrap_or(text))
}

fn message(text: &[u8]) -> Option<(Direction, &[u8])> {
    MESSAGES
        .iter()
        .find_map(|(marker, direction)| Some((*direction, text.strip_prefix(*marker)?)))
}

/// A line that VS Code could not parse, from the JSON string that it wrote of it; nothing if it is
/// blank.
fn unparsed(text: &[u8], cut: bool) -> Result<Option<Content<'static>>, Broken> {
    let text = text.trim_ascii();
    let Some(raw) = Some(text)
        .filter(|_| !cut)
        .and_then(|text| serde_json::from_slice::<String>(text).ok())
    else {
        return Err(Broken::from(
            "the server wrote a line that is not JSON, and the log does not keep all of it",
        ));
    };
    if raw.trim().is_empty() {
        return Ok(None);
    }
    let line = raw.strip_suffix('\n');
    let bytes = line.map_or(&*raw, |line| line.strip_suffix('\r').unwrap_or(line));
    let payload = Payload::Bytes(Cow::Owned(bytes.as_bytes().to_vec()));
    Ok(Some(match line {
        // Only stdio hands over lines with their ends.
        Some(_) => Content::Line(payload),
        None => Content::Message(payload),
    }))
}
