//! Logs of Claude Desktop: `mcp.log` of all servers, and `mcp-server-NAME.log` of one.
//!
//! A line of the application has a time, the server and the level in brackets, in either order, and
//! a text. The server's standard error and dumps of objects stand between them without a time; they
//! are no traffic.

use std::borrow::Cow;
use std::io;

use mcp_assay::syntax::Tape;
use mcp_assay::{Direction, Limits};
use memchr::memmem;

use super::broken::{Broken, Lost};
use super::epochs::Epochs;
use super::fidelity::{Fidelity, Missing};
use super::reader::{Beginning, Likeness, ReadLines, Reader};
use super::record::{Content, Payload, Record, Sink};
use super::stamp::stamped;
use super::text::logged_message;
use crate::lines::Line;

const FROM_CLIENT: &[u8] = b"Message from client:";
const FROM_SERVER: &[u8] = b"Message from server:";

/// Remarks of the application when it starts a server.
const BEGINNINGS: [&[u8]; 2] = [b"Initializing server", b"Server started and connected"];

/// Other remarks about servers.
const REMARKS: [&[u8]; 5] = [
    b"Using MCP server command",
    b"Server transport closed",
    b"Client transport closed",
    b"Server disconnected",
    b"Shutting down server",
];

/// The complaint of its parser about a line of the server, of which it keeps no more than the
/// beginning.
const NOT_JSON: [&[u8]; 3] = [
    b"is not valid JSON",
    b"in JSON at position",
    b"Unexpected end of JSON input",
];

const LEVELS: [&[u8]; 8] = [
    b"info", b"error", b"warn", b"warning", b"debug", b"trace", b"verbose", b"silly",
];

/// Reads the lines of a log.
#[derive(Default)]
pub(crate) struct Claude {
    epochs: Epochs,
    tape: Tape,
}

impl Reader for Claude {
    const NAME: &'static str = "claude";
    const DESCRIBED: Option<&'static str> = Some("a Claude Desktop log");
    const FIDELITY: Fidelity = Fidelity::Reserialised;
    const MISSING: &'static [Missing] = &[Missing::RawBytes, Missing::Headers];

    fn detect(part: &Beginning<'_>) -> Likeness {
        let Beginning::Line(line) = part else {
            return Likeness::None;
        };
        let Some(entry) = Entry::read(line) else {
            return Likeness::None;
        };
        if entry.message().is_some() {
            return Likeness::Sure;
        }
        let mut known = BEGINNINGS.iter().chain(&REMARKS);
        if known.any(|beginning| entry.text.starts_with(beginning)) {
            Likeness::Some
        } else {
            Likeness::None
        }
    }
}

impl ReadLines for Claude {
    fn line(&mut self, line: Line<'_>, limits: &Limits, sink: &mut dyn Sink) -> io::Result<()> {
        let Some(entry) = Entry::read(line.bytes) else {
            return Ok(());
        };
        let server = String::from_utf8_lossy(entry.server);
        if BEGINNINGS.iter().any(|text| entry.text.starts_with(text)) {
            self.epochs.begin(&server);
            return Ok(());
        }
        let Some((direction, text)) = entry.message() else {
            return match entry.complaint() {
                Some(why) => sink.lost(&Lost {
                    line: line.number,
                    session: self.epochs.current(&server),
                    direction: Some(Direction::ServerToClient),
                    why,
                }),
                None => Ok(()),
            };
        };
        let message = if line.cut {
            Err(Broken::from("it is far longer than the size limit"))
        } else {
            logged_message(text, limits, &mut self.tape).and_then(|(message, rest)| {
                // Newer versions write an object of their own behind the message.
                if rest.trim_ascii().is_empty() || rest.starts_with(b" {") {
                    Ok(message)
                } else {
                    Err(Broken::from("other text stands behind the message"))
                }
            })
        };
        match message {
            Ok(message) => {
                let root = self.tape.root(message);
                let handshake = root
                    .and_then(|root| root.get("method"))
                    .is_some_and(|method| method.is_text("initialize"));
                let session = self.epochs.message(&server, handshake);
                sink.record(&Record {
                    time: Some(entry.time),
                    direction: Some(direction),
                    session: session.map(Cow::Borrowed),
                    fidelity: Fidelity::Reserialised,
                    ..Record::new(
                        line.number,
                        Content::Message(Payload::Bytes(Cow::Borrowed(message))),
                    )
                })
            }
            Err(why) => sink.lost(&Lost {
                line: line.number,
                session: self.epochs.message(&server, false),
                direction: Some(direction),
                why,
            }),
        }
    }
}

/// A line of the application.
struct Entry<'a> {
    time: f64,
    server: &'a [u8],
    is_error: bool,
    text: &'a [u8],
}

impl<'a> Entry<'a> {
    fn read(line: &'a [u8]) -> Option<Self> {
        let (time, rest) = stamped(line)?;
        let rest = rest.trim_ascii_start();
        let (server, level, rest) = match level(rest) {
            Some((level, rest)) => {
                let (server, rest) = server_before_text(rest).unwrap_or((b"", rest));
                (server, level, rest)
            }
            None => server_before_level(rest)?,
        };
        Some(Self {
            time,
            server,
            is_error: level.eq_ignore_ascii_case(b"error"),
            text: rest.trim_ascii(),
        })
    }

    fn message(&self) -> Option<(Direction, &'a [u8])> {
        if let Some(text) = self.text.strip_prefix(FROM_CLIENT) {
            Some((Direction::ClientToServer, text))
        } else {
            let text = self.text.strip_prefix(FROM_SERVER)?;
            Some((Direction::ServerToClient, text))
        }
    }

    /// A line of the server that the application could not parse.
    fn complaint(&self) -> Option<Broken> {
        let mut phrases = NOT_JSON.iter();
        let complains = phrases.any(|phrase| memmem::find(self.text, phrase).is_some());
        (self.is_error && complains).then(|| {
            Broken::from("the server wrote a line that is not JSON, and the log does not keep it")
        })
    }
}

/// The level in the brackets that stand next, and the text behind them.
fn level(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let inner = text.strip_prefix(b"[")?;
    let (level, rest) = inner.split_at_checked(memchr::memchr(b']', inner)?)?;
    let is_level = LEVELS.iter().any(|known| level.eq_ignore_ascii_case(known));
    is_level.then_some((level, &rest[1..]))
}

/// The server, the level and the text, in this order. The name of a server may hold brackets, so
/// the level shows where the name ends.
fn server_before_level(text: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let inner = text.strip_prefix(b"[")?;
    memmem::find_iter(inner, b"] [").find_map(|end| {
        let (level, rest) = level(&inner[end + 2..])?;
        Some((&inner[..end], level, rest))
    })
}

/// The server and the text behind it. The name of a server may hold brackets: a known text shows
/// where it ends; otherwise the brackets that belong together do.
fn server_before_text(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let inner = text.trim_ascii_start().strip_prefix(b"[")?;
    let split = |end: usize| (&inner[..end], &inner[end + 1..]);
    let known = [FROM_CLIENT, FROM_SERVER];
    let known = || known.iter().chain(&BEGINNINGS).chain(&REMARKS);
    let by_text = memmem::find_iter(inner, b"] ").find(|end| {
        let rest = inner[end + 1..].trim_ascii_start();
        known().any(|text| rest.starts_with(text))
    });
    let mut depth = 1_usize;
    let by_depth = || {
        inner.iter().position(|byte| {
            match byte {
                b'[' => depth += 1,
                b']' => depth -= 1,
                _ => {}
            }
            depth == 0
        })
    };
    by_text.or_else(by_depth).map(split)
}
