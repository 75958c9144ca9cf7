//! Output of supergateway, which carries a server on standard input and output over HTTP, or the
//! other way round.
//!
//! A line names both ends of a message and an arrow between them: `StreamableHttp → Child: {…}`.
//! Some messages are written as a dump of an object, which is no JSON; they are gaps. Most lines do
//! not name their session: if two connections overlap, no answer can be matched.

use std::borrow::Cow;
use std::io;

use mcp_assay::syntax::{Kind, Node, Tape, scan};
use mcp_assay::{Direction, Limits};
use memchr::memmem;

use super::broken::Lost;
use super::epochs::Epochs;
use super::fidelity::{Fidelity, Missing};
use super::reader::{Beginning, Likeness, ReadLines, Reader};
use super::record::{Content, Gap, Payload, Record, Sink};
use super::sessions::label;
use super::stamp::stamped;
use super::text::logged_message;
use crate::lines::Line;

/// The program's mark before its lines.
const MARK: &[u8] = b"[supergateway]";
const ARROW: &str = " → ";
const UNPARSED: &str = "Child non-JSON";
const RESPONSE: &str = "Response:";
const CLOSED: &str = "StreamableHttp connection closed";

/// A remark before the client's message is written again, behind a handshake of the program.
const HANDSHAKE_FIRST: &str = "Non-initialize message detected";
const HANDSHAKE: &str = "auto-initialize";

/// The session of messages that cannot be attributed.
const OVERLAPPING: &str = "overlapping connections";

/// Reads the lines of the output.
#[derive(Default)]
pub(crate) struct Supergateway {
    epochs: Epochs,
    tape: Tape,
    /// The line, in a log that is JSON.
    line_tape: Tape,
    /// A client's message that the program may write again.
    held: Option<Held>,
    /// Connections without a name that were opened and not closed.
    open: u32,
    /// Whether two of them overlapped.
    overlaps: bool,
}

/// A message that waits for the next line.
struct Held {
    line: u64,
    time: Option<f64>,
    is_call: bool,
    message: Vec<u8>,
}

impl Reader for Supergateway {
    const NAME: &'static str = "supergateway";
    const DESCRIBED: Option<&'static str> = Some("a supergateway log");
    const FIDELITY: Fidelity = Fidelity::Reserialised;
    const MISSING: &'static [Missing] = &[Missing::RawBytes, Missing::Headers];
    const HEADERS_REMARK: Option<&'static str> =
        Some("connections that overlap without a name are not told apart");

    fn detect(part: &Beginning<'_>) -> Likeness {
        match part {
            Beginning::Object { line: None, .. } | Beginning::EntryKey(_) => Likeness::None,
            Beginning::Object {
                line: Some(line), ..
            }
            | Beginning::Line(line) => {
                let mut tape = Tape::new();
                match Entry::read(line, &Limits::DEFAULT, &mut tape) {
                    Some(entry) if Route::of(&entry.text).is_some() => Likeness::Sure,
                    Some(entry) if entry.is_marked => Likeness::Some,
                    _ => Likeness::None,
                }
            }
        }
    }
}

impl ReadLines for Supergateway {
    fn line(&mut self, line: Line<'_>, limits: &Limits, sink: &mut dyn Sink) -> io::Result<()> {
        let mut tape = std::mem::take(&mut self.line_tape);
        let done = match Entry::read(line.bytes, limits, &mut tape) {
            Some(entry) => self.entry(line, &entry, limits, sink),
            None => Ok(()),
        };
        self.line_tape = tape;
        done
    }

    fn end(&mut self, sink: &mut dyn Sink) -> io::Result<()> {
        self.flush(sink)
    }
}

impl Supergateway {
    fn entry(
        &mut self,
        line: Line<'_>,
        entry: &Entry<'_>,
        limits: &Limits,
        sink: &mut dyn Sink,
    ) -> io::Result<()> {
        let route = Route::of(&entry.text);
        let is_repeated = entry.text.starts_with(HANDSHAKE_FIRST)
            || route
                .as_ref()
                .is_some_and(|route| route.remark == Some(HANDSHAKE));
        if is_repeated {
            self.held = None;
        }
        self.flush(sink)?;
        if let Some(route) = route {
            return self.message(line, entry, &route, limits, sink);
        }
        if entry.text.starts_with(CLOSED) {
            self.open = self.open.saturating_sub(1);
        }
        Ok(())
    }

    fn message(
        &mut self,
        line: Line<'_>,
        entry: &Entry<'_>,
        route: &Route<'_>,
        limits: &Limits,
        sink: &mut dyn Sink,
    ) -> io::Result<()> {
        let number = line.number;
        let name = route.session.map(|id| label(id.as_bytes()));
        if route.is_unparsed {
            let payload = Payload::Bytes(Cow::Borrowed(route.message.as_bytes()));
            let session = self.session(name.as_deref(), Handshake::No);
            let gap = self.gap().filter(|_| name.is_none());
            return sink.record(&Record {
                time: entry.time,
                direction: route.direction,
                session: session.map(Cow::Owned),
                gap,
                ..Record::new(number, Content::Line(payload))
            });
        }
        let text = route.message.trim();
        let written = match entry.data {
            Some(data) if text.is_empty() => data,
            _ => text.as_bytes(),
        };
        let found = if line.cut {
            Err("it is far longer than the size limit".into())
        } else {
            logged_message(written, limits, &mut self.tape)
        };
        let message = match found {
            Ok((message, rest)) if rest.trim_ascii().is_empty() => message,
            Ok(_) => {
                return self.lost(
                    number,
                    route,
                    name.as_deref(),
                    "other text stands behind it",
                    sink,
                );
            }
            Err(why) if written.starts_with(b"{\"") => {
                return self.lost(number, route, name.as_deref(), &why.to_string(), sink);
            }
            // A dump of an object: a message passed here, and nobody knows which.
            Err(_) => {
                return sink.record(&Record {
                    direction: route.direction,
                    session: self.session(name.as_deref(), Handshake::No).map(Cow::Owned),
                    gap: Some(Gap::Before),
                    ..Record::new(number, Content::Nothing)
                });
            }
        };
        let root = self.tape.root(message);
        let method = root.and_then(|root| root.get("method"));
        let is_handshake = method.is_some_and(|method| method.is_text("initialize"));
        let may_be_repeated = name.is_none()
            && route.direction == Some(Direction::ClientToServer)
            && route.remark.is_none()
            && !is_handshake;
        let held = Held {
            line: number,
            time: entry.time,
            is_call: method.is_some(),
            message: message.to_vec(),
        };
        if may_be_repeated {
            self.held = Some(held);
            return Ok(());
        }
        let handshake = if is_handshake {
            Handshake::Yes
        } else {
            Handshake::No
        };
        self.give(&held, route.direction, name.as_deref(), handshake, sink)
    }

    fn flush(&mut self, sink: &mut dyn Sink) -> io::Result<()> {
        match self.held.take() {
            Some(held) => {
                let direction = Some(Direction::ClientToServer);
                self.give(&held, direction, None, Handshake::No, sink)
            }
            None => Ok(()),
        }
    }

    fn give(
        &mut self,
        held: &Held,
        direction: Option<Direction>,
        name: Option<&str>,
        handshake: Handshake,
        sink: &mut dyn Sink,
    ) -> io::Result<()> {
        if name.is_none() && handshake == Handshake::Yes {
            self.overlaps |= self.open > 0;
            self.open += 1;
        }
        let session = self.session(name, handshake);
        let gap = self.gap().filter(|_| name.is_none());
        // An answer may belong to any of the connections.
        let content = if gap.is_some() && !held.is_call {
            Content::Nothing
        } else {
            Content::Message(Payload::Bytes(Cow::Borrowed(&held.message)))
        };
        sink.record(&Record {
            time: held.time,
            direction,
            session: session.map(Cow::Owned),
            fidelity: Fidelity::Reserialised,
            gap,
            ..Record::new(held.line, content)
        })
    }

    fn lost(
        &mut self,
        line: u64,
        route: &Route<'_>,
        name: Option<&str>,
        why: &str,
        sink: &mut dyn Sink,
    ) -> io::Result<()> {
        let session = self.session(name, Handshake::No);
        sink.lost(&Lost {
            line,
            session: session.as_deref(),
            direction: route.direction,
            why: why.to_owned().into(),
        })
    }

    /// The session of a message of a connection with this name, or without one.
    fn session(&mut self, name: Option<&str>, handshake: Handshake) -> Option<String> {
        let session = match name {
            Some(name) => Some(name),
            None if self.overlaps => Some(OVERLAPPING),
            None => self.epochs.message("", handshake == Handshake::Yes),
        };
        session.map(str::to_owned)
    }

    fn gap(&self) -> Option<Gap> {
        self.overlaps.then_some(Gap::Before)
    }
}

/// Whether a message opens a connection.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Handshake {
    Yes,
    No,
}

/// A line of the program.
struct Entry<'a> {
    /// Whether the program's mark is before the text.
    is_marked: bool,
    time: Option<f64>,
    text: Cow<'a, str>,
    /// The value beside the text, in a log that is JSON.
    data: Option<&'a [u8]>,
}

impl<'a> Entry<'a> {
    fn read(line: &'a [u8], limits: &Limits, tape: &'a mut Tape) -> Option<Self> {
        if let Some(at) = memmem::find(line, MARK) {
            let text = line[at + MARK.len()..].trim_ascii();
            return Some(Self {
                is_marked: true,
                time: stamped(line).map(|(time, _)| time),
                text: String::from_utf8_lossy(text),
                data: None,
            });
        }
        let may_be_json = line.trim_ascii_start().starts_with(b"{")
            && memmem::find(line, b"\"msg\"").is_some()
            && memmem::find(line, b"\"level\"").is_some();
        if !may_be_json {
            return None;
        }
        let mut limits = *limits;
        limits.bytes = limits.bytes.saturating_add(line.len());
        scan(line, &limits.for_scan(), tape).ok()?;
        let root = tape.root(line).filter(|root| root.kind() == Kind::Object)?;
        let time = root.get("time").and_then(Node::text);
        Some(Self {
            is_marked: false,
            time: time.and_then(|time| Some(stamped(time.as_bytes())?.0)),
            text: root.get("msg").and_then(Node::text)?,
            data: root.get("data").map(Node::raw),
        })
    }
}

/// The way of a message, as a line states it.
struct Route<'t> {
    /// The direction, where the words prove it.
    direction: Option<Direction>,
    /// The id of the session or client.
    session: Option<&'t str>,
    /// Another word in brackets.
    remark: Option<&'t str>,
    /// Whether it is a line of the server that is not JSON.
    is_unparsed: bool,
    /// The text behind the colon.
    message: &'t str,
}

impl<'t> Route<'t> {
    fn of(text: &'t str) -> Option<Self> {
        if let Some(message) = text.strip_prefix(RESPONSE) {
            let direction = Some(Direction::ServerToClient);
            return Some(Self::new(direction, "", message));
        }
        let colon = text
            .find(": ")
            .or_else(|| text.strip_suffix(':').map(str::len))?;
        let (way, message) = (&text[..colon], &text[colon + 1..]);
        if let Some(remark) = way.strip_prefix(UNPARSED) {
            let direction = Some(Direction::ServerToClient);
            let message = message.strip_prefix(' ').unwrap_or(message);
            return Some(Self {
                is_unparsed: true,
                ..Self::new(direction, remark, message)
            });
        }
        let (from, to) = way.split_once(ARROW)?;
        let (to, remark) = to.split_once(" (").unwrap_or((to, ""));
        let is_network = |end: &str| {
            let names = [
                "StreamableHttp",
                "Streamable HTTP",
                "SSE",
                "WebSocket",
                "WS",
            ];
            names.iter().any(|name| end.eq_ignore_ascii_case(name))
        };
        let direction = match (from, to) {
            (from, "Child") if is_network(from) => Some(Direction::ClientToServer),
            ("Child", to) if is_network(to) => Some(Direction::ServerToClient),
            ("Stdio", to) if is_network(to) => Some(Direction::ClientToServer),
            // Some versions write these words for messages of the client.
            (from, "Stdio") if is_network(from) => None,
            _ => return None,
        };
        Some(Self::new(direction, remark, message))
    }

    fn new(direction: Option<Direction>, remark: &'t str, message: &'t str) -> Self {
        let remark = remark.trim().trim_start_matches('(').trim_end_matches(')');
        let session = ["session ", "client "]
            .into_iter()
            .find_map(|word| remark.strip_prefix(word));
        Self {
            direction,
            session,
            remark: Some(remark).filter(|remark| !remark.is_empty() && session.is_none()),
            is_unparsed: false,
            message,
        }
    }
}
