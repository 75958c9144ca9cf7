//! Records of everything that was sent and received: for checks, as evidence, and as lines of a
//! capture.

use std::fmt::Write as _;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mcp_assay::syntax::write_text;
use mcp_assay::{Carrier, Direction, Frame, Headers, Http, Part, Party, Revision};
use serde_json::Value;

/// Headers of one's own, in wire order.
pub type Pairs = Vec<(String, String)>;

/// One thing that passed between us and the server.
#[derive(Clone, Debug)]
pub struct Record {
    /// When, from the beginning of the connection.
    pub time: Duration,
    /// The content.
    pub content: Content,
}

/// One thing that passed.
#[derive(Clone, Debug)]
pub enum Content {
    /// A line of a stdio stream, without its newline.
    Line {
        /// Its sender.
        direction: Direction,
        /// Its bytes.
        bytes: Vec<u8>,
        /// Whether the stream ended before its newline.
        unterminated: bool,
    },
    /// An HTTP request of ours.
    Request {
        /// The number of the exchange.
        exchange: i64,
        /// `POST`, `GET` or another.
        method: String,
        /// The path with its query.
        path: String,
        /// The headers that matter to the protocol.
        headers: Pairs,
        /// The body.
        body: Vec<u8>,
    },
    /// The answer to it.
    Response {
        /// The number of the exchange.
        exchange: i64,
        /// The status code.
        status: u16,
        /// The headers.
        headers: Pairs,
        /// The body; empty for a stream.
        body: Vec<u8>,
        /// Whether its body is a stream of events.
        streamed: bool,
    },
    /// An event of a stream.
    Event {
        /// The number of the exchange.
        exchange: i64,
        /// The field `event`.
        name: Option<String>,
        /// The field `id`.
        id: Option<String>,
        /// The field `retry`.
        retry: Option<u64>,
        /// The field `data`.
        data: Vec<u8>,
    },
    /// The end of a stream.
    End {
        /// The number of the exchange.
        exchange: i64,
    },
}

impl Content {
    /// How many bytes the message has.
    pub(crate) fn weight(&self) -> usize {
        match self {
            Self::Line { bytes, .. }
            | Self::Request { body: bytes, .. }
            | Self::Response { body: bytes, .. }
            | Self::Event { data: bytes, .. } => bytes.len(),
            Self::End { .. } => 0,
        }
    }

    /// Keeps so many bytes of the message.
    pub(crate) fn shorten(&mut self, most: usize) {
        match self {
            Self::Line { bytes, .. }
            | Self::Request { body: bytes, .. }
            | Self::Response { body: bytes, .. }
            | Self::Event { data: bytes, .. } => bytes.truncate(most),
            Self::End { .. } => {}
        }
    }
}

impl Record {
    /// Its sender.
    #[must_use]
    pub fn direction(&self) -> Direction {
        match &self.content {
            Content::Line { direction, .. } => *direction,
            Content::Request { .. } => Direction::ClientToServer,
            _ => Direction::ServerToClient,
        }
    }

    /// The bytes of the message in it; empty if there is none.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match &self.content {
            Content::Line { bytes, .. } => bytes,
            Content::Request { body, .. } | Content::Response { body, .. } => body,
            Content::Event { data, .. } => data,
            Content::End { .. } => &[],
        }
    }

    /// Whether it is a line of the server that does not even begin like a message.
    #[must_use]
    pub fn is_noise(&self) -> bool {
        let is_line = matches!(self.content, Content::Line { .. });
        is_line
            && self.direction() == Direction::ServerToClient
            && !matches!(self.bytes().trim_ascii_start().first(), Some(b'{' | b'['))
    }

    /// The number of its HTTP exchange.
    #[must_use]
    pub fn exchange(&self) -> Option<i64> {
        match &self.content {
            Content::Line { .. } => None,
            Content::Request { exchange, .. }
            | Content::Response { exchange, .. }
            | Content::Event { exchange, .. }
            | Content::End { exchange } => Some(*exchange),
        }
    }

    /// The message in it, if it is JSON.
    #[must_use]
    pub fn message(&self) -> Option<Value> {
        let bytes = self.bytes().trim_ascii_start();
        // A server may send a lot that is no message.
        matches!(bytes.first(), Some(b'{' | b'['))
            .then(|| serde_json::from_slice(bytes).ok())
            .flatten()
    }

    /// The revision that its header names.
    #[must_use]
    pub fn header_revision(&self) -> Option<Revision> {
        let Content::Request { headers, .. } = &self.content else {
            return None;
        };
        let (_, value) = headers
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case("mcp-protocol-version"))?;
        value.parse().ok()
    }

    /// Shows the record as the validator wants it.
    pub fn with_frame<T>(
        &self,
        at: u64,
        header_revision: Option<Revision>,
        look: impl FnOnce(Frame<'_>) -> T,
    ) -> T {
        let pairs: Vec<(&str, &str)> = match &self.content {
            Content::Request { headers, .. } | Content::Response { headers, .. } => headers
                .iter()
                .map(|(name, value)| (name.as_str(), value.as_str()))
                .collect(),
            _ => Vec::new(),
        };
        let headers = Headers(&pairs);
        let part = match &self.content {
            Content::Line { .. } => None,
            Content::Request { method, path, .. } => Some(Part::Request {
                method,
                path,
                headers,
            }),
            Content::Response {
                status, streamed, ..
            } => Some(Part::Response {
                status: *status,
                headers,
                streamed: *streamed,
            }),
            Content::Event {
                name, id, retry, ..
            } => Some(Part::Event {
                name: name.as_deref(),
                id: id.as_deref(),
                retry: *retry,
            }),
            Content::End { .. } => Some(Part::End {
                by: Some(Party::Server),
            }),
        };
        let http = part.map(|part| Http::new(self.exchange(), part));
        let mut frame = match &http {
            Some(http) => Frame::over_http(self.bytes(), http),
            None => Frame::new(self.bytes()).carrier(Carrier::Stdio),
        }
        .direction(self.direction())
        .time(self.time)
        .at(at);
        if let Content::Line { unterminated, .. } = self.content {
            frame.unterminated = unterminated;
        }
        frame.header_revision = header_revision;
        look(frame)
    }

    /// The record as a line of a capture.
    #[must_use]
    pub fn to_capture(&self) -> String {
        let mut line = String::from("{");
        // Writing to a string cannot fail.
        let _ = write!(line, "\"t\":{:.6}", self.time.as_secs_f64());
        if let Some(exchange) = self.exchange() {
            let _ = write!(line, ",\"n\":{exchange}");
        }
        let _ = write!(line, ",\"dir\":\"{}\"", self.direction().name());
        match &self.content {
            Content::Line {
                bytes,
                unterminated,
                ..
            } => {
                member("raw", bytes, &mut line);
                if *unterminated {
                    line.push_str(",\"unterminated\":true");
                }
            }
            Content::Request {
                method,
                path,
                headers,
                body,
                ..
            } => {
                line.push_str(",\"http\":{\"method\":");
                write_text(method, &mut line);
                line.push_str(",\"path\":");
                write_text(path, &mut line);
                write_headers(headers, &mut line);
                if !body.is_empty() {
                    member("body", body, &mut line);
                }
            }
            Content::Response {
                status,
                headers,
                body,
                streamed,
                ..
            } => {
                let _ = write!(line, ",\"http\":{{\"status\":{status}");
                write_headers(headers, &mut line);
                if *streamed {
                    line.push_str(",\"stream\":true");
                } else if !body.is_empty() {
                    member("body", body, &mut line);
                }
            }
            Content::Event {
                name,
                id,
                retry,
                data,
                ..
            } => {
                line.push_str(",\"sse\":{");
                for (member, text) in [("event", name), ("id", id)] {
                    if let Some(text) = text {
                        let _ = write!(line, "\"{member}\":");
                        write_text(text, &mut line);
                        line.push(',');
                    }
                }
                if let Some(retry) = retry {
                    let _ = write!(line, "\"retry\":{retry},");
                }
                line.push_str("\"data\":");
                write_text(&String::from_utf8_lossy(data), &mut line);
                line.push('}');
            }
            Content::End { .. } => line.push_str(",\"end\":true,\"by\":\"server\""),
        }
        line.push('}');
        line
    }

    /// The record in a line for people; what came from outside is not made harmless yet.
    #[must_use]
    pub fn shown(&self) -> String {
        let text = String::from_utf8_lossy(self.bytes());
        match &self.content {
            Content::Line { .. } | Content::Event { .. } => text.into_owned(),
            Content::Request {
                method,
                path,
                headers,
                ..
            } => {
                let headers: Vec<_> = headers
                    .iter()
                    .map(|(name, value)| format!("{name}: {value}"))
                    .collect();
                // A query may hold a credential; an authorisation request is nothing but its query,
                // and holds none.
                let (place, query) = path.split_once('?').unwrap_or((path, ""));
                let path = if query.contains("response_type=") {
                    path
                } else {
                    place
                };
                format!("{method} {path} [{}] {text}", headers.join("; "))
            }
            Content::Response {
                status,
                streamed,
                headers,
                ..
            } => {
                let what = if *streamed { "(stream)" } else { &*text };
                // Where to go next.
                let tells = |(name, _): &&(String, String)| {
                    ["location", "www-authenticate"].contains(&name.to_ascii_lowercase().as_str())
                };
                match headers.iter().find(tells) {
                    Some((name, value)) => format!("HTTP {status} [{name}: {value}] {what}"),
                    None => format!("HTTP {status} {what}"),
                }
            }
            Content::End { .. } => "(end of stream)".to_owned(),
        }
    }
}

/// Writes headers as pairs, and the end of the object that holds them.
fn write_headers(headers: &Pairs, line: &mut String) {
    line.push_str(",\"headers\":[");
    for (number, (name, value)) in headers.iter().enumerate() {
        line.push_str(if number == 0 { "[" } else { ",[" });
        write_text(name, line);
        line.push(',');
        write_text(value, line);
        line.push(']');
    }
    line.push_str("]}");
}

/// A member with the exact bytes: as a string, or in Base64 where they are not UTF-8.
fn member(name: &str, bytes: &[u8], line: &mut String) {
    // Writing to a string cannot fail.
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = write!(line, ",\"{name}\":");
        write_text(text, line);
    } else {
        let _ = write!(line, ",\"{name}_b64\":\"{}\"", STANDARD.encode(bytes));
    }
}
