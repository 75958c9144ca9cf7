//! Traffic as plain records, so that it can be changed: taken from dialogues, or from captures of
//! real programs.

mod capture;
mod run;

use mcp_assay::{Direction, Headers, Part, Party, Revision};
use serde_json::Value;

pub use self::run::{Finding, Runner};

/// Messages and parts of HTTP exchanges in the order in which they were seen.
#[derive(Clone)]
pub struct Traffic {
    /// Where it comes from.
    pub name: String,
    /// The revision to judge by; `None` if the traffic shows it.
    pub revision: Option<Revision>,
    /// The bytes that were sent.
    pub records: Vec<Record>,
}

/// A message, or a part of an HTTP exchange.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its sender.
    pub direction: Direction,
    /// When, in seconds.
    pub time: f64,
    /// Its carrier.
    pub carrier: Carried,
    /// The bytes of the message; empty if there is none.
    pub bytes: Vec<u8>,
}

/// The carrier of a message.
#[derive(Clone, Debug)]
pub enum Carried {
    /// A line.
    Line {
        /// Whether it is a line of a stdio stream, or nobody knows.
        stdio: bool,
        /// Whether the stream ended without its newline.
        unterminated: bool,
    },
    /// HTTP.
    Http {
        /// The exchange that it is part of.
        exchange: Option<i64>,
        /// Which part.
        head: Head,
        /// Name and value.
        headers: Vec<(String, String)>,
    },
}

/// Which part of an HTTP exchange.
#[derive(Clone, Debug)]
pub enum Head {
    /// A request.
    Request {
        /// Its HTTP method.
        method: String,
        /// Its target.
        path: String,
    },
    /// A response.
    Response {
        /// Its status.
        status: u16,
        /// Whether its body is streamed.
        streamed: bool,
    },
    /// An event of a stream.
    Event {
        /// The field `event`.
        name: Option<String>,
        /// The field `id`.
        id: Option<String>,
        /// The field `retry`.
        retry: Option<u64>,
    },
    /// The end of a stream.
    End {
        /// The party that ended it, if that is known.
        by: Option<Party>,
    },
}

impl Head {
    /// The same for the validator.
    #[must_use]
    pub fn part<'a>(&'a self, headers: Headers<'a>) -> Part<'a> {
        match self {
            Self::Request { method, path } => Part::Request {
                method,
                path,
                headers,
            },
            Self::Response { status, streamed } => Part::Response {
                status: *status,
                headers,
                streamed: *streamed,
            },
            Self::Event { name, id, retry } => Part::Event {
                name: name.as_deref(),
                id: id.as_deref(),
                retry: *retry,
            },
            Self::End { by } => Part::End { by: *by },
        }
    }
}

impl Record {
    /// The message as a value, if it is JSON.
    #[must_use]
    pub fn value(&self) -> Option<Value> {
        serde_json::from_slice(&self.bytes).ok()
    }

    /// The same record with another message.
    #[must_use]
    pub fn with(&self, message: &Value) -> Self {
        Self {
            bytes: message.to_string().into_bytes(),
            ..self.clone()
        }
    }

    /// Whether it is a line.
    #[must_use]
    pub fn is_line(&self) -> bool {
        matches!(self.carrier, Carried::Line { .. })
    }

    /// The HTTP exchange that it is part of.
    #[must_use]
    pub fn exchange(&self) -> Option<i64> {
        match self.carrier {
            Carried::Http { exchange, .. } => exchange,
            Carried::Line { .. } => None,
        }
    }

    /// The part of an HTTP exchange that it is.
    #[must_use]
    pub fn head(&self) -> Option<&Head> {
        match &self.carrier {
            Carried::Http { head, .. } => Some(head),
            Carried::Line { .. } => None,
        }
    }

    /// The headers of an HTTP request or response.
    #[must_use]
    pub fn headers(&self) -> &[(String, String)] {
        match &self.carrier {
            Carried::Http { headers, .. } => headers,
            Carried::Line { .. } => &[],
        }
    }

    /// The value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers().iter();
        let found = headers.find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}
