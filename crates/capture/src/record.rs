//! A record: something that was seen on the wire, whatever kind of source tells of it.
//!
//! The check reads nothing but this, so a reader that fills it is all that a further format needs.

use std::borrow::Cow;
use std::io;

use base64::Engine;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use mcp_assay::syntax::Node;
use mcp_assay::{Direction, Part, Party, Revision};

use super::broken::{Broken, Lost};
use super::fidelity::Fidelity;
use super::http::{RequestHead, ResponseHead};

/// Takes what a reader finds, in order.
pub trait Sink {
    /// Something that was seen. Fails only if the report cannot be written.
    fn record(&mut self, record: &Record<'_>) -> io::Result<()>;

    /// Something that cannot be read.
    fn lost(&mut self, lost: &Lost<'_>) -> io::Result<()>;

    /// Says that all places are numbers of entries from here on, because the source is one line.
    fn number_entries(&mut self) {}
}

/// Something that was seen on the wire.
#[derive(Clone)]
pub struct Record<'a> {
    /// The place where it stands in the source, from 1.
    pub line: u64,
    /// The time when it was seen, in seconds from a beginning that all records of the source share.
    pub time: Option<f64>,
    /// The number of the HTTP exchange.
    pub exchange: Option<i64>,
    /// Its sender, if the source says.
    pub direction: Option<Direction>,
    /// The session, where several are in one source.
    pub session: Option<Cow<'a, str>>,
    /// The revision that it forces.
    pub revision: Option<Revision>,
    /// The method that a lone response answers.
    pub answers: Option<Cow<'a, str>>,
    /// The stream ended without the newline of this line.
    pub unterminated: bool,
    /// Whether its bytes are those of the wire.
    pub fidelity: Fidelity,
    /// Whether the line of the source is the message itself.
    pub bare: bool,
    /// The gap in its session, if the source has one.
    pub gap: Option<Gap>,
    /// Its content.
    pub content: Content<'a>,
}

/// The place of a gap in a session: the recorder did not see all of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gap {
    /// Before a record.
    Before,
    /// After it.
    After,
}

impl Gap {
    const ALL: [Self; 2] = [Self::Before, Self::After];

    /// The name in a capture.
    pub fn name(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
        }
    }

    /// The one of this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|gap| gap.name() == name)
    }
}

/// The content of a record.
#[derive(Clone)]
pub enum Content<'a> {
    /// A message; what carried it is not known.
    Message(Payload<'a>),
    /// A line of stdio.
    Line(Payload<'a>),
    /// An HTTP request, with its body if it has one.
    Request(RequestHead<'a>, Option<Payload<'a>>),
    /// An HTTP response, with its body if that is whole.
    Response(ResponseHead<'a>, Option<Payload<'a>>),
    /// An event of a streamed response.
    Event(Event<'a>),
    /// The end of a streamed response; without an exchange, the end of the connection.
    End {
        /// The party that ended it, if that is known.
        by: Option<Party>,
    },
    /// Nothing: something of the session was not seen here.
    Nothing,
}

/// An event of a streamed response.
#[derive(Clone)]
pub struct Event<'a> {
    /// The field `event`.
    pub name: Option<Cow<'a, str>>,
    /// The field `id`.
    pub id: Option<Cow<'a, str>>,
    /// The field `retry`, in milliseconds.
    pub retry: Option<u64>,
    /// The field `data`.
    pub data: Option<Payload<'a>>,
}

/// The exact bytes of something.
#[derive(Clone)]
pub enum Payload<'a> {
    /// As a string of the source, with escapes.
    Text(Node<'a>),
    /// As a string in base64.
    Base64(Node<'a>),
    /// As they are.
    Bytes(Cow<'a, [u8]>),
}

impl<'a> Record<'a> {
    /// A record of which only the content is known.
    pub fn new(line: u64, content: Content<'a>) -> Self {
        Self {
            line,
            time: None,
            exchange: None,
            direction: None,
            session: None,
            revision: None,
            answers: None,
            unterminated: false,
            fidelity: Fidelity::Exact,
            bare: false,
            gap: None,
            content,
        }
    }
}

impl<'a> Content<'a> {
    /// The bytes, whatever they are.
    pub fn payload(&self) -> Option<&Payload<'a>> {
        match self {
            Self::Message(payload) | Self::Line(payload) => Some(payload),
            Self::Request(_, body) | Self::Response(_, body) => body.as_ref(),
            Self::Event(event) => event.data.as_ref(),
            Self::End { .. } | Self::Nothing => None,
        }
    }

    /// Whether the bytes are meant to be a message.
    pub fn carries_message(&self, bytes: &[u8]) -> bool {
        match self {
            Self::Message(_) | Self::Line(_) => true,
            Self::Request(head, body) => body.is_some() && head.carries_message(bytes),
            Self::Response(head, body) => body.is_some() && head.carries_message(bytes),
            Self::Event(event) => event.message().is_some(),
            Self::End { .. } | Self::Nothing => false,
        }
    }

    /// The headers, in the order of the wire.
    pub fn headers(&self) -> Vec<(&str, &str)> {
        let headers = match self {
            Self::Request(head, _) => &head.headers,
            Self::Response(head, _) => &head.headers,
            _ => return Vec::new(),
        };
        headers
            .0
            .iter()
            .map(|(name, value)| (&**name, &**value))
            .collect()
    }

    /// The part of an HTTP exchange, if it is one and all of its head is known.
    pub fn part<'p>(&'p self, headers: &'p [(&'p str, &'p str)]) -> Option<Part<'p>> {
        let headers = mcp_assay::Headers(headers);
        match self {
            Self::Message(_) | Self::Line(_) | Self::Nothing => None,
            Self::Request(head, _) => Some(Part::Request {
                method: head.method.as_deref()?,
                path: head.path.as_deref()?,
                headers,
            }),
            Self::Response(head, _) => Some(Part::Response {
                status: head.status?,
                headers,
                streamed: head.streamed,
            }),
            Self::Event(event) => Some(Part::Event {
                name: event.name.as_deref(),
                id: event.id.as_deref(),
                retry: event.retry,
            }),
            Self::End { by } => Some(Part::End { by: *by }),
        }
    }

    /// The revision in the header of an HTTP request or response.
    pub fn header_revision(&self) -> Option<Revision> {
        match self {
            Self::Request(head, _) => head.headers.revision(),
            Self::Response(head, _) => head.headers.revision(),
            _ => None,
        }
    }

    /// Whether nothing more comes in the HTTP exchange.
    pub fn ends_exchange(&self) -> bool {
        match self {
            Self::Response(head, _) => !head.streamed,
            Self::End { .. } => true,
            _ => false,
        }
    }
}

impl<'a> Event<'a> {
    /// The data, if it is meant to be a message: the first HTTP transport also sent events of
    /// another kind.
    pub fn message(&self) -> Option<&Payload<'a>> {
        let name = self.name.as_deref().unwrap_or_default();
        self.data
            .as_ref()
            .filter(|data| matches!(name, "" | "message") && !data.is_empty())
    }
}

/// Padding is not worth a complaint.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

impl Payload<'_> {
    /// The exact bytes; `buffer` holds them if they are not in the source as they are.
    pub fn bytes<'b>(&'b self, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], Broken> {
        buffer.clear();
        match self {
            Self::Bytes(bytes) => return Ok(bytes),
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

    /// Whether there is plainly nothing in it.
    fn is_empty(&self) -> bool {
        match self {
            Self::Text(text) | Self::Base64(text) => text.plain() == Some(b""),
            Self::Bytes(bytes) => bytes.is_empty(),
        }
    }
}
