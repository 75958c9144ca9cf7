//! Traces of `mcp-trace-capture`: one event a line, with parsed messages and a choice of HTTP
//! headers.
//!
//! An event says who sent it and whether it is a message, the head of an HTTP request or response,
//! or a moment in the life of the transport. A body follows its head as a message, so a head waits
//! here for the next event.

use std::borrow::Cow;
use std::io;

use mcp_assay::syntax::{Kind, Node, Tape, scan};
use mcp_assay::{Direction, Limits};

use super::broken::{Broken, Lost};
use super::epochs::Epochs;
use super::fidelity::{Fidelity, Missing};
use super::http::{Headers, RequestHead, ResponseHead, is_event_stream};
use super::reader::{Beginning, Likeness, ReadLines, Reader};
use super::record::{Content, Event, Payload, Record, Sink};
use super::stamp::stamped;
use crate::lines::Line;

/// The keys with which an event may begin.
const FIRST_KEYS: [&[u8]; 5] = [b"seq", b"ts", b"direction", b"transport", b"kind"];

/// Reads the lines of a trace.
#[derive(Default)]
pub(crate) struct Trace {
    tape: Tape,
    epochs: Epochs,
    /// A head whose body may follow.
    pending: Option<Record<'static>>,
    exchanges: Exchanges,
}

impl Reader for Trace {
    const NAME: &'static str = "trace";
    const DESCRIBED: Option<&'static str> = Some("an mcp-trace-capture trace");
    const FIDELITY: Fidelity = Fidelity::Reserialised;
    const MISSING: &'static [Missing] = &[Missing::RawBytes, Missing::Timing, Missing::Headers];
    const HEADERS_REMARK: Option<&'static str> =
        Some("only some headers are kept, so the layer http is not judged");

    fn detect(part: &Beginning<'_>) -> Likeness {
        match part {
            Beginning::Object { key, .. } if !FIRST_KEYS.contains(key) => Likeness::None,
            Beginning::Object { line: None, .. } => Likeness::Unknown,
            Beginning::Object {
                line: Some(line),
                limits,
                ..
            } => Likeness::sure_if(is_event(line, limits)),
            Beginning::EntryKey(_) | Beginning::Line(_) => Likeness::None,
        }
    }
}

impl ReadLines for Trace {
    fn line(&mut self, line: Line<'_>, limits: &Limits, sink: &mut dyn Sink) -> io::Result<()> {
        let text = line.bytes;
        if text.trim_ascii().is_empty() {
            return Ok(());
        }
        if line.cut {
            self.flush(sink)?;
            let why = "it is far longer than the size limit";
            return sink.lost(&Lost::at(line.number, why));
        }
        let mut limits = *limits;
        limits.bytes = self.line_limit(text, &limits);
        limits.depth = limits.depth.saturating_add(1);
        let mut tape = std::mem::take(&mut self.tape);
        let read = match scan(text, &limits.for_scan(), &mut tape) {
            Ok(()) => tape
                .root(text)
                .ok_or(Broken::from("it is empty"))
                .and_then(Entry::read),
            Err(fault) => Err(Broken::not_json(fault.start)),
        };
        let done = match read {
            Ok(entry) => self.entry(line.number, entry, sink),
            Err(why) => self
                .flush(sink)
                .and_then(|()| sink.lost(&Lost::at(line.number, why))),
        };
        self.tape = tape;
        done
    }

    fn end(&mut self, sink: &mut dyn Sink) -> io::Result<()> {
        self.flush(sink)
    }
}

impl Trace {
    /// Gives out a head that waits for its body.
    fn flush(&mut self, sink: &mut dyn Sink) -> io::Result<()> {
        match self.pending.take() {
            Some(record) => sink.record(&record),
            None => Ok(()),
        }
    }

    fn entry(&mut self, line: u64, entry: Entry<'_>, sink: &mut dyn Sink) -> io::Result<()> {
        let Entry {
            direction,
            time,
            over_http,
            what,
        } = entry;
        let base = Record {
            time,
            direction: Some(direction),
            session: None,
            fidelity: Fidelity::Reserialised,
            ..Record::new(line, Content::End { by: None })
        };
        let session = |epochs: &Epochs| epochs.current("").map(|name| Cow::Owned(name.to_owned()));
        match what {
            What::Message(payload) => {
                let method = payload.get("method");
                let handshake = direction == Direction::ClientToServer
                    && method.is_some_and(|method| method.is_text("initialize"));
                self.epochs.message("", handshake);
                let session = session(&self.epochs);
                let body = Payload::Bytes(Cow::Borrowed(payload.raw()));
                // A message may also come on a stream while a head without a body waits.
                if let Some(head) = self.pending.take_if(|head| {
                    head.direction == Some(direction) && may_have_body(head, payload.raw())
                }) {
                    return sink.record(&with_body(head, line, session, body));
                }
                self.flush(sink)?;
                let (content, exchange) = if over_http && direction == Direction::ServerToClient {
                    let event = Event {
                        name: None,
                        id: None,
                        retry: None,
                        data: Some(body),
                    };
                    (Content::Event(event), self.exchanges.answering)
                } else {
                    (Content::Message(body), None)
                };
                sink.record(&Record {
                    exchange,
                    session,
                    content,
                    ..base
                })
            }
            What::Request(head) => {
                self.flush(sink)?;
                self.pending = Some(Record {
                    exchange: Some(self.exchanges.request()),
                    session: session(&self.epochs),
                    content: Content::Request(head.into_owned(), None),
                    ..base
                });
                Ok(())
            }
            What::Response(head) => {
                self.flush(sink)?;
                let streamed = head.streamed;
                let record = Record {
                    exchange: self.exchanges.response(),
                    session: session(&self.epochs),
                    content: Content::Response(head.into_owned(), None),
                    ..base
                };
                if streamed {
                    return sink.record(&record);
                }
                self.pending = Some(record);
                Ok(())
            }
            What::Open => {
                if !over_http {
                    self.epochs.begin("");
                }
                self.flush(sink)
            }
            What::Other => self.flush(sink),
        }
    }
}

/// Whether a line is an event of a trace.
fn is_event(line: &[u8], limits: &Limits) -> bool {
    let mut tape = Tape::new();
    scan(line, &limits.for_scan(), &mut tape).is_ok()
        && tape.root(line).is_some_and(|root| {
            root.get("jsonrpc").is_none()
                && root.get("kind").is_some_and(|kind| kind.text().is_some())
                && root.get("seq").is_some()
                && root.get("direction").and_then(direction_of).is_some()
        })
}

/// Whether a message can be the body of a head: the message is lost otherwise.
fn may_have_body(head: &Record<'_>, message: &[u8]) -> bool {
    match &head.content {
        Content::Request(head, _) => head.carries_message(message),
        Content::Response(head, _) => {
            !matches!(head.status, Some(202 | 204)) && head.carries_message(message)
        }
        _ => false,
    }
}

/// A head together with the body that followed it.
fn with_body<'a>(
    head: Record<'static>,
    line: u64,
    session: Option<Cow<'a, str>>,
    body: Payload<'a>,
) -> Record<'a> {
    let content = match head.content {
        Content::Request(head, _) => Content::Request(head, Some(body)),
        Content::Response(head, _) => Content::Response(head, Some(body)),
        // No other content waits.
        _ => Content::Message(body),
    };
    Record {
        line,
        session,
        content,
        ..head
    }
}

/// Numbers exchanges. A trace does not, so with several under way nobody knows which one is
/// answered.
#[derive(Default)]
struct Exchanges {
    last: i64,
    /// The number of the last ones that wait for a response.
    waiting: i64,
    /// The exchange that the server is answering, if that is certain.
    answering: Option<i64>,
    /// Loses track of the waiting requests: some of them were answered.
    mixed: bool,
}

impl Exchanges {
    fn request(&mut self) -> i64 {
        self.last += 1;
        self.waiting += 1;
        self.last
    }

    fn response(&mut self) -> Option<i64> {
        self.mixed |= self.waiting > 1;
        self.answering = (self.waiting > 0 && !self.mixed).then_some(self.last);
        self.waiting = (self.waiting - 1).max(0);
        if self.waiting == 0 {
            self.mixed = false;
        }
        self.answering
    }
}

/// An event of a trace.
struct Entry<'a> {
    direction: Direction,
    time: Option<f64>,
    over_http: bool,
    what: What<'a>,
}

enum What<'a> {
    Message(Node<'a>),
    Request(RequestHead<'a>),
    Response(ResponseHead<'a>),
    /// A transport begins.
    Open,
    /// Something else in the life of a transport.
    Other,
}

impl<'a> Entry<'a> {
    fn read(root: Node<'a>) -> Result<Self, Broken> {
        if root.kind() != Kind::Object {
            return Err(Broken::from("it is not an event of a trace"));
        }
        let direction = root
            .get("direction")
            .and_then(direction_of)
            .ok_or_else(|| Broken::not("direction", "one of a trace"))?;
        let kind = root.get("kind").and_then(Node::text).unwrap_or_default();
        let what = match &*kind {
            "message" => What::Message(
                root.get("payload")
                    .ok_or(Broken::from("`payload` is missing"))?,
            ),
            "http" => head(root, direction)?,
            "lifecycle" => match root.get("event") {
                Some(event) if event.is_text("transport-open") => What::Open,
                _ => What::Other,
            },
            _ => return Err(Broken::from("`kind` is none that is known")),
        };
        let time = root.get("ts").and_then(Node::text);
        Ok(Self {
            direction,
            time: time.and_then(|time| Some(stamped(time.as_bytes())?.0)),
            over_http: root
                .get("transport")
                .is_some_and(|transport| transport.is_text("streamable-http")),
            what,
        })
    }
}

fn direction_of(direction: Node<'_>) -> Option<Direction> {
    if direction.is_text("client-to-server") {
        Some(Direction::ClientToServer)
    } else if direction.is_text("server-to-client") {
        Some(Direction::ServerToClient)
    } else {
        None
    }
}

fn head(root: Node<'_>, direction: Direction) -> Result<What<'_>, Broken> {
    let headers = match root.get("headers") {
        Some(headers) if headers.kind() != Kind::Object => {
            return Err(Broken::not("headers", "an object"));
        }
        Some(headers) => Headers(
            headers
                .members()
                .filter_map(|(name, value)| Some((name.text()?, value.text()?)))
                .collect(),
        ),
        None => Headers::default(),
    };
    if direction == Direction::ClientToServer {
        return Ok(What::Request(RequestHead {
            method: root.get("method").and_then(Node::text),
            path: None,
            headers,
        }));
    }
    let status = match root.get("status") {
        Some(status) => Some(
            status
                .as_i64()
                .and_then(|status| u16::try_from(status).ok())
                .ok_or_else(|| Broken::not("status", "a status code"))?,
        ),
        None => None,
    };
    let streamed = headers.get("content-type").is_some_and(is_event_stream);
    Ok(What::Response(ResponseHead {
        status,
        reason: None,
        headers,
        streamed,
    }))
}
