//! Recordings as JSON Lines, by whatever program: one object a line, with a member that names the
//! sender and a member that holds the message.
//!
//! The lists of names and values are short on purpose: a member that might mean something else
//! proves nothing. A word that depends on where the recorder stands (`sent`, `incoming`) does not
//! show the sender; the message may.

use std::borrow::Cow;
use std::io;

use mcp_assay::syntax::{Kind, Node, Tape, scan};
use mcp_assay::{Direction, Limits};
use memchr::memmem;

use super::broken::{Broken, Lost};
use super::epochs::Epochs;
use super::fidelity::{Fidelity, Missing};
use super::reader::{Beginning, Likeness, ReadLines, Reader};
use super::record::{Content, Payload, Record, Sink};
use super::sessions::label;
use super::stamp::stamped;
use crate::lines::Line;

/// Members that name the way of a message.
const DIRECTION: [&str; 2] = ["direction", "dir"];

/// Members that name the sender of a message.
const SENDER: [&str; 4] = ["from", "sender", "origin", "source"];

/// Values of the first kind, without spaces and in lower case.
const FROM_CLIENT: [&str; 7] = [
    "client->server",
    "client→server",
    "client-to-server",
    "client_to_server",
    "clienttoserver",
    "c2s",
    "client2server",
];
const FROM_SERVER: [&str; 7] = [
    "server->client",
    "server→client",
    "server-to-client",
    "server_to_client",
    "servertoclient",
    "s2c",
    "server2client",
];

/// Values that depend on where the recorder stands, or name the kind of the message.
const RELATIVE: [&str; 14] = [
    "in",
    "out",
    "inbound",
    "outbound",
    "incoming",
    "outgoing",
    "sent",
    "received",
    "send",
    "recv",
    "receive",
    "request",
    "response",
    "notification",
];

/// Members that hold a message.
const MESSAGE: [&str; 7] = ["message", "payload", "msg", "raw", "data", "frame", "body"];

/// Members that name the session.
const SESSION: [&str; 6] = [
    "session",
    "sessionId",
    "session_id",
    "connection",
    "connectionId",
    "connection_id",
];

/// Members that name the time.
const TIME: [&str; 5] = ["timestamp", "ts", "time", "t", "at"];

/// The members of an object that make it a message, or what should be one.
const OF_MESSAGES: [&str; 5] = ["jsonrpc", "method", "result", "error", "id"];

/// Reads the lines of a recording.
#[derive(Default)]
pub(crate) struct Recorder {
    tape: Tape,
    epochs: Epochs,
}

impl Reader for Recorder {
    const NAME: &'static str = "jsonl";
    const DESCRIBED: Option<&'static str> = Some("a recording as JSON Lines");
    const MISSING: &'static [Missing] = &[Missing::Headers];

    fn detect(part: &Beginning<'_>) -> Likeness {
        match part {
            Beginning::Object {
                key: b"jsonrpc", ..
            }
            | Beginning::EntryKey(_) => Likeness::None,
            Beginning::Object { line: None, .. } => Likeness::Unknown,
            Beginning::Object {
                line: Some(line),
                limits,
                ..
            } => Likeness::sure_if(is_entry(line, limits)),
            Beginning::Line(line) => Likeness::sure_if(is_entry(line, &Limits::DEFAULT)),
        }
    }
}

impl ReadLines for Recorder {
    fn line(&mut self, line: Line<'_>, limits: &Limits, sink: &mut dyn Sink) -> io::Result<()> {
        let text = line.bytes;
        if !text.trim_ascii_start().starts_with(b"{") {
            return Ok(());
        }
        if line.cut {
            let why = "it is far longer than the size limit";
            return sink.lost(&Lost::at(line.number, why));
        }
        if let Err(fault) = scan(text, &wide(text, limits).for_scan(), &mut self.tape) {
            return sink.lost(&Lost::at(line.number, Broken::not_json(fault.start)));
        }
        let Some(entry) = self.tape.root(text).and_then(Entry::read) else {
            return Ok(());
        };
        // Of a message that names no known sender nothing else is known, but it was sent.
        if entry.named.is_none() && !entry.names(b"\"jsonrpc\"") {
            return Ok(());
        }
        let handshake = entry.names(b"\"initialize\"");
        let session = match &entry.session {
            Some(session) => Some(Cow::Owned(label(session.as_bytes()))),
            None => self.epochs.message("", handshake).map(Cow::Borrowed),
        };
        sink.record(&Record {
            time: entry.time,
            direction: entry.named.and_then(Named::known),
            session,
            fidelity: entry.fidelity,
            ..Record::new(line.number, Content::Message(entry.message))
        })
    }
}

/// The limits of a line around a message.
fn wide(line: &[u8], limits: &Limits) -> Limits {
    let mut limits = *limits;
    limits.bytes = limits.bytes.saturating_add(line.len());
    limits.depth = limits.depth.saturating_add(1);
    limits
}

/// Whether a line is an entry of a recording, and no record of a capture.
fn is_entry(line: &[u8], limits: &Limits) -> bool {
    if !line.trim_ascii_start().starts_with(b"{") || memmem::find(line, b"jsonrpc").is_none() {
        return false;
    }
    let mut tape = Tape::new();
    scan(line, &wide(line, limits).for_scan(), &mut tape).is_ok()
        && tape.root(line).is_some_and(|root| {
            let of_capture = root
                .get("dir")
                .is_some_and(|dir| dir.is_text("c2s") || dir.is_text("s2c"));
            let holds = ["raw", "raw_b64", "http", "sse", "end", "stream"];
            let is_record = of_capture && holds.iter().any(|name| root.get(name).is_some());
            let entry = Entry::read(root).filter(|_| !is_record && root.get("jsonrpc").is_none());
            entry.is_some_and(|entry| entry.named.is_some() && entry.names(b"\"jsonrpc\""))
        })
}

/// An entry of a recording.
struct Entry<'a> {
    named: Option<Named>,
    time: Option<f64>,
    session: Option<Cow<'a, str>>,
    fidelity: Fidelity,
    message: Payload<'a>,
}

impl<'a> Entry<'a> {
    /// Reads an object; nothing if it has no message.
    fn read(root: Node<'a>) -> Option<Self> {
        let (message, fidelity) = MESSAGE
            .into_iter()
            .find_map(|name| message(root.get(name)?))?;
        let text = |names: &[&str]| {
            let mut found = names.iter().filter_map(|name| root.get(name));
            found.find_map(Node::text)
        };
        Some(Self {
            named: sender(root),
            time: TIME.into_iter().find_map(|name| time(root.get(name)?)),
            session: text(&SESSION),
            fidelity,
            message,
        })
    }

    /// Whether the message holds a text.
    fn names(&self, text: &[u8]) -> bool {
        let mut buffer = Vec::new();
        let message = self.message.bytes(&mut buffer).unwrap_or_default();
        memmem::find(message, text).is_some()
    }
}

/// The meaning of the member that names the sender.
#[derive(Clone, Copy)]
enum Named {
    Party(Direction),
    /// It names a side of the recorder.
    Relative,
}

impl Named {
    fn known(self) -> Option<Direction> {
        match self {
            Self::Party(direction) => Some(direction),
            Self::Relative => None,
        }
    }
}

fn sender(root: Node<'_>) -> Option<Named> {
    let value = |name: &&str| {
        let text = root.get(name)?.text()?;
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        Some(text.to_lowercase())
    };
    let way = DIRECTION.iter().filter_map(value).find_map(|text| {
        let text = text.as_str();
        if FROM_CLIENT.contains(&text) {
            Some(Named::Party(Direction::ClientToServer))
        } else if FROM_SERVER.contains(&text) {
            Some(Named::Party(Direction::ServerToClient))
        } else {
            RELATIVE.contains(&text).then_some(Named::Relative)
        }
    });
    way.or_else(|| {
        let mut senders = SENDER.iter().filter_map(value);
        senders.find_map(|text| match text.as_str() {
            "client" => Some(Named::Party(Direction::ClientToServer)),
            "server" => Some(Named::Party(Direction::ServerToClient)),
            _ => None,
        })
    })
}

/// The message in a member: a value, which was parsed and written anew, or its text.
fn message(node: Node<'_>) -> Option<(Payload<'_>, Fidelity)> {
    let is_message = |node: Node<'_>| OF_MESSAGES.iter().any(|name| node.get(name).is_some());
    match node.kind() {
        Kind::Object if is_message(node) => {}
        Kind::Array if node.items().next().is_some_and(is_message) => {}
        Kind::String => {
            let text = node.text()?;
            if !matches!(text.trim_start().as_bytes().first(), Some(b'{' | b'[')) {
                return None;
            }
            let payload = match text.strip_suffix('\n') {
                Some(line) => {
                    let line = line.strip_suffix('\r').unwrap_or(line);
                    Payload::Bytes(Cow::Owned(line.as_bytes().to_vec()))
                }
                None => Payload::Text(node),
            };
            return Some((payload, Fidelity::Exact));
        }
        _ => return None,
    }
    let payload = Payload::Bytes(Cow::Borrowed(node.raw()));
    Some((payload, Fidelity::Reserialised))
}

/// A time as a date, in seconds or in milliseconds.
fn time(node: Node<'_>) -> Option<f64> {
    /// The year 5138 in seconds, and 1973 in milliseconds.
    const MILLISECONDS: f64 = 1e11;
    match node.kind() {
        Kind::String => Some(stamped(node.text()?.as_bytes())?.0),
        Kind::Number => {
            let time = node.as_f64();
            let seconds = if time >= MILLISECONDS {
                time / 1000.0
            } else {
                time
            };
            Some(seconds).filter(|seconds| seconds.is_finite() && *seconds >= 0.0)
        }
        _ => None,
    }
}
