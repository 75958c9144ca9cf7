//! One message with the data of its carrier.

mod cut_lines;
mod events;
mod http;
mod invented;
mod lines;
mod media_type;

use core::time::Duration;

pub use self::cut_lines::{Line, Lines};
pub use self::events::{Event, Events};
pub use self::http::{Headers, Http, Part};
pub use self::lines::speaks_jsonrpc;
pub(crate) use self::lines::{Before, classify};
pub(crate) use self::media_type::{is_media_type, is_token};
use crate::{Direction, Revision};

/// The bytes of one message and the data of its carrier.
///
/// ```
/// use mcp_assay::{Direction, Frame};
///
/// let frame = Frame::new(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).direction(Direction::ClientToServer);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Frame<'a> {
    /// The message, without the newline that ended it.
    pub bytes: &'a [u8],
    /// The direction; `None` if the carrier does not show it. It is then inferred from the method
    /// or from the open requests.
    pub direction: Option<Direction>,
    /// The revision that the carrier forces for this message.
    pub revision: Option<Revision>,
    /// The revision in the `MCP-Protocol-Version` header.
    pub header_revision: Option<Revision>,
    /// The method that a lone response answers, if its request was not seen.
    pub answers: Option<&'a str>,
    /// The kind of carrier.
    pub carrier: Carrier,
    /// The part of an HTTP exchange that carried it.
    pub http: Option<&'a Http<'a>>,
    /// Whether there is a message at all: a part of an HTTP exchange may have none.
    pub empty: bool,
    /// Whether the stream ended without the newline of the line.
    pub unterminated: bool,
    /// The time of the message since any fixed point; without it no rule about time applies.
    pub time: Option<Duration>,
    /// The position in its source, as the caller counts (a line number). Reports at the end of a
    /// session refer to it.
    pub at: u64,
}

impl<'a> Frame<'a> {
    /// A message of which only the bytes are known.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        let carrier = Carrier::Unknown;
        Self {
            bytes,
            direction: None,
            revision: None,
            header_revision: None,
            answers: None,
            carrier,
            http: None,
            empty: false,
            unterminated: false,
            time: None,
            at: 0,
        }
    }

    /// The content of a part of an HTTP exchange: a message, or a text that is not meant to be one.
    #[must_use]
    pub fn over_http(bytes: &'a [u8], http: &'a Http<'a>) -> Self {
        Self {
            http: Some(http),
            empty: !http.carries_message(bytes),
            ..Self::new(bytes).carrier(Carrier::Http)
        }
    }

    /// A part of an HTTP exchange that carries no message: a `GET`, an empty body, the head of a
    /// stream, its end.
    #[must_use]
    pub fn without_message(http: &'a Http<'a>) -> Self {
        Self {
            empty: true,
            ..Self::over_http(&[], http)
        }
    }

    /// Sets the direction.
    #[must_use]
    pub fn direction(self, direction: Direction) -> Self {
        Self {
            direction: Some(direction),
            ..self
        }
    }

    /// Forces a revision for this message.
    #[must_use]
    pub fn revision(self, revision: Revision) -> Self {
        Self {
            revision: Some(revision),
            ..self
        }
    }

    /// Sets the method that a lone response answers.
    #[must_use]
    pub fn answers(self, method: &'a str) -> Self {
        Self {
            answers: Some(method),
            ..self
        }
    }

    /// Sets the time, since any fixed point.
    #[must_use]
    pub fn time(self, time: Duration) -> Self {
        Self {
            time: Some(time),
            ..self
        }
    }

    /// Sets the position in its source.
    #[must_use]
    pub fn at(self, at: u64) -> Self {
        Self { at, ..self }
    }

    /// Sets the kind of carrier.
    #[must_use]
    pub fn carrier(self, carrier: Carrier) -> Self {
        Self { carrier, ..self }
    }
}

impl<'a, B: AsRef<[u8]> + ?Sized> From<&'a B> for Frame<'a> {
    fn from(bytes: &'a B) -> Self {
        Self::new(bytes.as_ref())
    }
}

/// The kind of carrier of a message.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Carrier {
    /// Not known.
    Unknown,
    /// A line of a stdio stream.
    Stdio,
    /// A body or event of HTTP.
    Http,
}
