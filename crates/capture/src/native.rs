//! Lines of our own format: a message as it is, or a record around one.

use std::borrow::Cow;
use std::io;

use mcp_assay::syntax::{Kind, Node, Tape, scan};
use mcp_assay::{Direction, Limits, Party, Revision};
use memchr::memmem;

use super::broken::{Broken, Lost};
use super::fidelity::Missing;
use super::guess::{Guess, guess};
use super::http::{Headers, RequestHead, ResponseHead};
use super::reader::{Beginning, Likeness, ReadLines, Reader};
use super::record::{Content, Event, Gap, Payload, Record, Sink};
use super::text::BYTE_ORDER_MARK;
use crate::lines::Line;

/// A record may be longer than the message in it: every byte may be escaped as `\u0000`, and it has
/// members of its own.
const ESCAPED: usize = 6;
const RECORD_OVERHEAD: usize = 64 << 10;

/// Lines that are records of a capture, or messages.
#[derive(Default)]
pub(crate) struct Capture {
    tape: Tape,
}

impl Reader for Capture {
    const NAME: &'static str = "capture";

    fn detect(part: &Beginning<'_>) -> Likeness {
        Likeness::sure_if(match part {
            Beginning::Object { .. } => false,
            Beginning::EntryKey(key) => *key == b"jsonrpc",
            // Traffic with text before it: what a server says on its standard output.
            Beginning::Line(line) => match guess(line) {
                Guess::Record => true,
                Guess::Message => {
                    let text = line.trim_ascii_start();
                    let batch = text.strip_prefix(b"[").map(<[u8]>::trim_ascii_start);
                    batch.unwrap_or(text).starts_with(b"{")
                        && memmem::find(line, b"\"jsonrpc\"").is_some()
                }
                Guess::Blank | Guess::Unsure => false,
            },
        })
    }
}

impl ReadLines for Capture {
    fn line_limit(&self, beginning: &[u8], limits: &Limits) -> usize {
        record_limits(beginning, limits).bytes
    }

    fn line(&mut self, line: Line<'_>, limits: &Limits, sink: &mut dyn Sink) -> io::Result<()> {
        let bytes = without_return(&line);
        // Before a record a byte-order mark is the editor's; before a message it is a fault.
        let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        let guess = guess(text);
        match guess {
            Guess::Blank if text.len() == bytes.len() => return Ok(()),
            Guess::Blank | Guess::Message => return bare(line.number, bytes, sink),
            Guess::Unsure if line.cut => return bare(line.number, bytes, sink),
            Guess::Record if line.cut => {
                return sink.lost(&Lost::at(
                    line.number,
                    "it is far longer than the size limit",
                ));
            }
            Guess::Unsure | Guess::Record => {}
        }
        let fault = scan(
            text,
            &record_limits(text, limits).for_scan(),
            &mut self.tape,
        )
        .err();
        match (fault, self.tape.root(text)) {
            (None, Some(root)) if is_record(root) => match read(root, line.number) {
                Ok(record) => sink.record(&record),
                Err(why) => sink.lost(&Lost::at(line.number, why)),
            },
            (Some(fault), _) if guess == Guess::Record => {
                sink.lost(&Lost::at(line.number, Broken::not_json(fault.start)))
            }
            _ => bare(line.number, bytes, sink),
        }
    }
}

/// Lines that are messages, whatever they look like. Only the user can say that they are.
#[derive(Default)]
pub(crate) struct Ndjson;

impl Reader for Ndjson {
    const NAME: &'static str = "ndjson";
    const MISSING: &'static [Missing] = &[Missing::Direction, Missing::Timing, Missing::Headers];

    fn detect(_: &Beginning<'_>) -> Likeness {
        Likeness::None
    }
}

impl ReadLines for Ndjson {
    fn line_limit(&self, _: &[u8], limits: &Limits) -> usize {
        limits.bytes
    }

    fn line(&mut self, line: Line<'_>, _: &Limits, sink: &mut dyn Sink) -> io::Result<()> {
        let bytes = without_return(&line);
        // White space is no message, unless a byte-order mark makes it one.
        if bytes.trim_ascii().is_empty() {
            return Ok(());
        }
        bare(line.number, bytes, sink)
    }
}

/// A line that may end in CRLF. One that was cut stays as long as it is, above the limit.
fn without_return<'a>(line: &Line<'a>) -> &'a [u8] {
    if line.cut {
        line.bytes
    } else {
        line.bytes.strip_suffix(b"\r").unwrap_or(line.bytes)
    }
}

/// A message as it is.
fn bare(line: u64, bytes: &[u8], sink: &mut dyn Sink) -> io::Result<()> {
    let payload = Payload::Bytes(Cow::Borrowed(bytes));
    sink.record(&Record {
        bare: true,
        ..Record::new(line, Content::Message(payload))
    })
}

/// The limits of a line: those of a message, unless it is a record around one.
fn record_limits(line: &[u8], limits: &Limits) -> Limits {
    let mut limits = *limits;
    if guess(line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line)) == Guess::Record {
        limits.bytes = limits
            .bytes
            .saturating_mul(ESCAPED)
            .saturating_add(RECORD_OVERHEAD);
    }
    limits
}

/// Whether an object is a record and not a message.
fn is_record(root: Node<'_>) -> bool {
    let mut holds = false;
    let (mut directed, mut is_message) = (false, false);
    for (key, _) in root.members() {
        let Some(name) = key.text() else { continue };
        match &*name {
            "jsonrpc" => return false,
            "raw" | "raw_b64" | "http" | "sse" | "end" | "stream" => holds = true,
            "dir" => directed = true,
            "method" | "result" | "error" => is_message = true,
            _ => {}
        }
    }
    // One that says who sent it and not what is broken rather than a message without everything.
    holds || directed && !is_message
}

/// Reads a record. Members that are not known are ignored.
fn read(root: Node<'_>, line: u64) -> Result<Record<'_>, Broken> {
    let mut members = Members::default();
    for (key, value) in root.members() {
        let name = key.text().unwrap_or_default();
        if let Some(member) = members.named(&name) {
            // A writer may spell an absent member as null.
            *member = Some(value).filter(|value| value.kind() != Kind::Null);
        }
    }
    let time = match members.time {
        Some(time) if time.kind() != Kind::Number => {
            return Err(Broken::from("`t` is not a number"));
        }
        time => time.map(Node::as_f64).filter(|time| time.is_finite()),
    };
    let direction = match members.direction {
        Some(direction) if direction.is_text("c2s") => Direction::ClientToServer,
        Some(direction) if direction.is_text("s2c") => Direction::ServerToClient,
        Some(_) => return Err(Broken::from("`dir` is neither \"c2s\" nor \"s2c\"")),
        None => return Err(Broken::from("`dir` is missing: who sent it?")),
    };
    let exchange = match members.exchange {
        Some(number) => Some(
            number
                .as_i64()
                .ok_or(Broken::from("`n` is not a whole number"))?,
        ),
        None => None,
    };
    let revision = match members.revision {
        Some(name) => Some(released(name)?),
        None => None,
    };
    Ok(Record {
        time,
        exchange,
        direction: Some(direction),
        session: text(members.session, "session")?,
        revision,
        answers: text(members.answers, "answers")?,
        unterminated: boolean(members.unterminated, "unterminated")?,
        gap: gap(members.gap)?,
        ..Record::new(line, members.content(direction)?)
    })
}

/// The members of a record; of repeated ones the last.
#[derive(Default)]
struct Members<'a> {
    time: Option<Node<'a>>,
    exchange: Option<Node<'a>>,
    direction: Option<Node<'a>>,
    raw: Option<Node<'a>>,
    raw_base64: Option<Node<'a>>,
    http: Option<Node<'a>>,
    body: Option<Node<'a>>,
    body_base64: Option<Node<'a>>,
    event: Option<Node<'a>>,
    stream: Option<Node<'a>>,
    end: Option<Node<'a>>,
    by: Option<Node<'a>>,
    session: Option<Node<'a>>,
    revision: Option<Node<'a>>,
    answers: Option<Node<'a>>,
    unterminated: Option<Node<'a>>,
    gap: Option<Node<'a>>,
}

impl<'a> Members<'a> {
    fn named(&mut self, name: &str) -> Option<&mut Option<Node<'a>>> {
        Some(match name {
            "t" => &mut self.time,
            "n" => &mut self.exchange,
            "dir" => &mut self.direction,
            "raw" => &mut self.raw,
            "raw_b64" => &mut self.raw_base64,
            "http" => &mut self.http,
            "body" => &mut self.body,
            "body_b64" => &mut self.body_base64,
            "sse" => &mut self.event,
            "stream" => &mut self.stream,
            "end" => &mut self.end,
            "by" => &mut self.by,
            "session" => &mut self.session,
            "revision" => &mut self.revision,
            "answers" => &mut self.answers,
            "unterminated" => &mut self.unterminated,
            "gap" => &mut self.gap,
            _ => return None,
        })
    }

    fn content(&self, direction: Direction) -> Result<Content<'a>, Broken> {
        let ended = boolean(self.end, "end")?;
        let streamed = boolean(self.stream, "stream")?;
        let line = payload(self.raw, self.raw_base64, "raw", "raw_b64")?;
        let body = payload(self.body, self.body_base64, "body", "body_b64")?;
        match (line, self.http, self.event, ended) {
            (Some(line), None, None, false) => Ok(Content::Line(line)),
            (None, Some(head), None, false) => {
                if streamed && body.is_some() {
                    return Err(Broken::from(
                        "`stream` says that the body follows in other records, but there is a body",
                    ));
                }
                http(head, direction, streamed, body)
            }
            (None, None, Some(event), false) => Ok(Content::Event(read_event(event)?)),
            (None, None, None, true) => {
                let by = self.by.and_then(Node::text);
                let by = by.and_then(|name| Party::named(&name));
                Ok(Content::End { by })
            }
            (None, None, None, false) if self.gap.is_some() => Ok(Content::Nothing),
            (None, None, None, false) => Err(Broken::from(
                "it holds nothing: no `raw`, `http`, `sse` or `end`",
            )),
            _ => Err(Broken::from(
                "it holds several things; of `raw`, `http`, `sse` and `end` a record has one",
            )),
        }
    }
}

fn http<'a>(
    head: Node<'a>,
    direction: Direction,
    streamed: bool,
    body: Option<Payload<'a>>,
) -> Result<Content<'a>, Broken> {
    if head.kind() != Kind::Object {
        return Err(Broken::from("`http` is not an object"));
    }
    let status = match present(head, "status") {
        Some(status) => Some(
            status
                .as_i64()
                .and_then(|status| u16::try_from(status).ok())
                .ok_or(Broken::from("`http.status` is not a status code"))?,
        ),
        None => None,
    };
    let headers = read_headers(head)?;
    if status.is_none() && direction == Direction::ClientToServer {
        let head = RequestHead {
            method: text(present(head, "method"), "http.method")?,
            path: text(present(head, "path"), "http.path")?,
            headers,
        };
        return Ok(Content::Request(head, body));
    }
    let head = ResponseHead {
        status,
        reason: text(present(head, "reason"), "http.reason")?,
        headers,
        streamed,
    };
    Ok(Content::Response(head, body))
}

fn read_headers(head: Node<'_>) -> Result<Headers<'_>, Broken> {
    let Some(headers) = present(head, "headers") else {
        return Ok(Headers::default());
    };
    if headers.kind() != Kind::Array {
        return Err(Broken::from("`http.headers` is not an array of pairs"));
    }
    let mut pairs = Vec::new();
    for header in headers.items() {
        let mut pair = header.items();
        let (Some(name), Some(value), None) = (pair.next(), pair.next(), pair.next()) else {
            return Err(Broken::from("`http.headers` is not an array of pairs"));
        };
        let (Some(name), Some(value)) = (name.text(), value.text()) else {
            return Err(Broken::from(
                "a pair in `http.headers` does not hold two strings",
            ));
        };
        pairs.push((name, value));
    }
    Ok(Headers(pairs))
}

fn read_event(event: Node<'_>) -> Result<Event<'_>, Broken> {
    if event.kind() != Kind::Object {
        return Err(Broken::from("`sse` is not an object"));
    }
    let retry = match present(event, "retry") {
        Some(retry) => {
            Some(milliseconds(retry).ok_or(Broken::not("sse.retry", "a number of milliseconds"))?)
        }
        None => None,
    };
    Ok(Event {
        name: text(present(event, "event"), "sse.event")?,
        id: text(present(event, "id"), "sse.id")?,
        retry,
        data: payload(
            present(event, "data"),
            present(event, "data_b64"),
            "sse.data",
            "sse.data_b64",
        )?,
    })
}

/// A number, or its digits as they stood in the stream.
fn milliseconds(retry: Node<'_>) -> Option<u64> {
    if retry.kind() != Kind::String {
        return u64::try_from(retry.as_i64()?).ok();
    }
    let digits = retry.text()?;
    let is_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_digits)
}

fn present<'a>(object: Node<'a>, name: &str) -> Option<Node<'a>> {
    object.get(name).filter(|value| value.kind() != Kind::Null)
}

fn payload<'a>(
    text: Option<Node<'a>>,
    base64: Option<Node<'a>>,
    name: &str,
    base64_name: &str,
) -> Result<Option<Payload<'a>>, Broken> {
    let (payload, node, name) = match (text, base64) {
        (None, None) => return Ok(None),
        (Some(node), None) => (Payload::Text(node), node, name),
        (None, Some(node)) => (Payload::Base64(node), node, base64_name),
        (Some(_), Some(_)) => {
            return Err(format!("it has both `{name}` and `{base64_name}`").into());
        }
    };
    if node.kind() == Kind::String {
        Ok(Some(payload))
    } else {
        Err(Broken::not(name, "a string"))
    }
}

fn text<'a>(node: Option<Node<'a>>, name: &str) -> Result<Option<Cow<'a, str>>, Broken> {
    match node {
        None => Ok(None),
        Some(node) if node.kind() == Kind::String => Ok(node.text()),
        Some(_) => Err(Broken::not(name, "a string")),
    }
}

fn boolean(node: Option<Node<'_>>, name: &str) -> Result<bool, Broken> {
    match node.map(Node::kind) {
        None | Some(Kind::False) => Ok(false),
        Some(Kind::True) => Ok(true),
        Some(_) => Err(Broken::not(name, "true or false")),
    }
}

fn gap(node: Option<Node<'_>>) -> Result<Option<Gap>, Broken> {
    let Some(name) = text(node, "gap")? else {
        return Ok(None);
    };
    let gap = Gap::named(&name).ok_or(Broken::from("`gap` is neither \"before\" nor \"after\""))?;
    Ok(Some(gap))
}

fn released(name: Node<'_>) -> Result<Revision, Broken> {
    let text = text(Some(name), "revision")?.unwrap_or_default();
    text.parse()
        .map_err(|error| format!("`revision` is {error}").into())
}
