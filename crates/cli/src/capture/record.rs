//! A record: one line of a capture that says what was seen on the wire.

use std::borrow::Cow;
use std::fmt;

use base64::Engine;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use mcp_assay::syntax::{Kind, Node};
use mcp_assay::{Direction, Revision};

/// What was seen on the wire.
pub(crate) struct Record<'a> {
    /// Who sent it.
    pub(crate) direction: Direction,
    /// The session, where several are in one file.
    pub(crate) session: Option<Cow<'a, str>>,
    /// The revision that it forces.
    pub(crate) revision: Option<Revision>,
    /// The method that a lone response answers.
    pub(crate) answers: Option<Cow<'a, str>>,
    /// The number of the HTTP exchange.
    pub(crate) exchange: Option<i64>,
    /// What it holds.
    pub(crate) content: Content<'a>,
}

/// What a record holds.
pub(crate) enum Content<'a> {
    /// A line of stdio.
    Line(Payload<'a>),
    /// The head of an HTTP request or answer, with its body if that is whole.
    Http(Http<'a>, Option<Payload<'a>>),
    /// An event of a streamed answer; `None` if it carries no message.
    Event(Option<Payload<'a>>),
    /// The end of a streamed answer.
    End,
}

/// The head of an HTTP request or answer, as far as it matters here.
pub(crate) struct Http<'a> {
    /// The status of an answer.
    status: Option<i64>,
    content_type: Option<Cow<'a, str>>,
    /// The revision in the header `mcp-protocol-version`.
    pub(crate) revision: Option<Revision>,
    /// The answer goes on in further records.
    pub(crate) streamed: bool,
}

/// The exact bytes of something, as a string of the record.
#[derive(Clone, Copy)]
pub(crate) enum Payload<'a> {
    Text(Node<'a>),
    Base64(Node<'a>),
}

/// Why a record cannot be read: fits after "the record is broken:".
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Broken(Cow<'static, str>);

/// Padding is not worth a complaint.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Whether an object is a record and not a message.
pub(crate) fn is_record(root: Node<'_>) -> bool {
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

impl<'a> Record<'a> {
    /// Reads a record. Members that are not known are ignored.
    pub(crate) fn read(root: Node<'a>) -> Result<Self, Broken> {
        let mut members = Members::default();
        for (key, value) in root.members() {
            let name = key.text().unwrap_or_default();
            if let Some(member) = members.named(&name) {
                // A writer may spell an absent member as null.
                *member = Some(value).filter(|value| value.kind() != Kind::Null);
            }
        }
        if let Some(time) = members.time
            && time.kind() != Kind::Number
        {
            return Err(Broken::from("`t` is not a number"));
        }
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
        boolean(members.unterminated, "unterminated")?;
        Ok(Self {
            direction,
            session: text(members.session, "session")?,
            revision,
            answers: text(members.answers, "answers")?,
            exchange,
            content: members.content()?,
        })
    }
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
    session: Option<Node<'a>>,
    revision: Option<Node<'a>>,
    answers: Option<Node<'a>>,
    unterminated: Option<Node<'a>>,
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
            "session" => &mut self.session,
            "revision" => &mut self.revision,
            "answers" => &mut self.answers,
            "unterminated" => &mut self.unterminated,
            _ => return None,
        })
    }

    fn content(&self) -> Result<Content<'a>, Broken> {
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
                Ok(Content::Http(Http::read(head, streamed)?, body))
            }
            (None, None, Some(event), false) => Ok(Content::Event(message_of_event(event)?)),
            (None, None, None, true) => Ok(Content::End),
            (None, None, None, false) => Err(Broken::from(
                "it holds nothing: no `raw`, `http`, `sse` or `end`",
            )),
            _ => Err(Broken::from(
                "it holds several things; of `raw`, `http`, `sse` and `end` a record has one",
            )),
        }
    }
}

impl<'a> Http<'a> {
    fn read(head: Node<'a>, streamed: bool) -> Result<Self, Broken> {
        if head.kind() != Kind::Object {
            return Err(Broken::from("`http` is not an object"));
        }
        let status = match head.get("status") {
            Some(status) => Some(
                status
                    .as_i64()
                    .ok_or(Broken::from("`http.status` is not a whole number"))?,
            ),
            None => None,
        };
        let mut http = Self {
            status,
            content_type: None,
            revision: None,
            streamed,
        };
        let Some(headers) = head.get("headers") else {
            return Ok(http);
        };
        if headers.kind() != Kind::Array {
            return Err(Broken::from("`http.headers` is not an array of pairs"));
        }
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
            if name.eq_ignore_ascii_case("content-type") {
                http.content_type = Some(value);
            } else if name.eq_ignore_ascii_case("mcp-protocol-version") {
                http.revision = Revision::from_bytes(value.trim().as_bytes());
            }
        }
        Ok(http)
    }

    /// Whether a body under this head is meant to be a message.
    pub(crate) fn carries_message(&self, body: &[u8]) -> bool {
        let essence = self
            .content_type
            .as_deref()
            .map(|kind| kind.split(';').next().unwrap_or_default().trim());
        let is_json = match essence {
            Some(essence) => essence.eq_ignore_ascii_case("application/json"),
            // A body that is sent to the endpoint is meant as a message even if it does not say so.
            None => self.status.is_none(),
        };
        // A refusal may have a JSON body of another kind, from authorisation for one.
        let refused = self.status.is_some_and(|status| status >= 400);
        is_json
            && !body.trim_ascii().is_empty()
            && (!refused || memchr::memmem::find(body, b"\"jsonrpc\"").is_some())
    }
}

impl Payload<'_> {
    /// The exact bytes; `buffer` holds them if they are not in the record as they are.
    pub(crate) fn bytes<'b>(self, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], Broken>
    where
        Self: 'b,
    {
        buffer.clear();
        match self {
            Self::Text(text) => match text.plain() {
                Some(plain) => return Ok(plain),
                None => text.text_into(buffer),
            },
            Self::Base64(text) => {
                let encoded = text.text().unwrap_or_default();
                if BASE64.decode_vec(&*encoded, buffer).is_err() {
                    return Err(Broken::from("what should be base64 is not"));
                }
            }
        }
        Ok(buffer)
    }
}

/// The data of an event of a stream, if it is a message: the first transport also sent events of another kind.
fn message_of_event(event: Node<'_>) -> Result<Option<Payload<'_>>, Broken> {
    if event.kind() != Kind::Object {
        return Err(Broken::from("`sse` is not an object"));
    }
    let name = text(event.get("event"), "sse.event")?;
    let data = payload(event.get("data"), None, "sse.data", "")?;
    let is_message = name.is_none_or(|name| name.is_empty() || name == "message");
    Ok(data.filter(|data| {
        is_message && !matches!(data, Payload::Text(text) if text.plain() == Some(b""))
    }))
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
            return Err(Broken(
                format!("it has both `{name}` and `{base64_name}`").into(),
            ));
        }
    };
    if node.kind() == Kind::String {
        Ok(Some(payload))
    } else {
        Err(not(name, "a string"))
    }
}

fn text<'a>(node: Option<Node<'a>>, name: &str) -> Result<Option<Cow<'a, str>>, Broken> {
    let Some(node) = node.filter(|node| node.kind() != Kind::Null) else {
        return Ok(None);
    };
    if node.kind() == Kind::String {
        Ok(node.text())
    } else {
        Err(not(name, "a string"))
    }
}

fn boolean(node: Option<Node<'_>>, name: &str) -> Result<bool, Broken> {
    match node.map(Node::kind) {
        None | Some(Kind::False | Kind::Null) => Ok(false),
        Some(Kind::True) => Ok(true),
        Some(_) => Err(not(name, "true or false")),
    }
}

fn released(name: Node<'_>) -> Result<Revision, Broken> {
    let text = text(Some(name), "revision")?.unwrap_or_default();
    text.parse()
        .map_err(|error| Broken(format!("`revision` is {error}").into()))
}

fn not(name: &str, expected: &str) -> Broken {
    Broken(format!("`{name}` is not {expected}").into())
}

impl Broken {
    /// It stops being JSON at this byte.
    pub(crate) fn not_json(at: u32) -> Self {
        Self(format!("it stops being JSON at byte {at}").into())
    }
}

impl From<&'static str> for Broken {
    fn from(text: &'static str) -> Self {
        Self(Cow::Borrowed(text))
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
