//! One HTTP exchange: a request with its response and events.

use super::endpoints::Place;
use crate::session::Moment;

/// The state of an HTTP exchange.
#[derive(Clone, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "facts that do not depend on each other"
)]
pub(crate) struct Exchange {
    pub(super) verb: Verb,
    /// Whether its request belongs to a revision without handshake.
    pub(super) stateless: bool,
    pub(super) posted: Posted,
    /// The path of a `GET`, unless it is too long.
    pub(super) path: Option<Box<str>>,
    /// The place that it went to.
    pub(super) place: Place,
    /// The session that it belongs to.
    pub(super) realm: u64,
    /// Whether it names a session.
    pub(crate) in_session: bool,
    /// Whether it went to an MCP endpoint.
    pub(crate) at_endpoint: bool,
    /// The digest of the method and params of its request.
    pub(super) call: Option<u64>,
    /// The progress token of that request.
    pub(super) token: Option<u64>,
    /// Whether that request lacks the required members of `_meta`.
    pub(crate) lacks_meta: bool,
    /// Whether a header that mirrors the body is missing or says something else.
    pub(crate) is_mismatched: bool,
    /// Whether it resumes a stream that broke off.
    pub(crate) resumes: bool,
    /// Whether its own stream was resumed.
    pub(super) resumed: bool,
    /// Whether its response is a stream.
    pub(super) streamed: bool,
    /// Whether an event may have held the response: it could not be read, is no message, or matches
    /// no open request.
    pub(super) unclear: bool,
    /// The number of events.
    pub(crate) events: u64,
    /// The number of its requests that were answered, on any stream.
    pub(crate) answers: u64,
    /// The exchange whose stream carried the answer to its request, if it was another one.
    pub(crate) answered_on: Option<i64>,
    /// The digest of the id and data of the last event.
    pub(super) last_event: Option<u64>,
    /// Whether an event had an id.
    pub(crate) has_id: bool,
    /// The last `retry` field, in milliseconds.
    pub(crate) retry: Option<u64>,
    /// The moment at which its stream ended.
    pub(crate) ended: Option<Moment>,
}

impl Exchange {
    /// Whether it is a `POST`.
    pub(crate) fn posts(&self) -> bool {
        self.verb == Verb::Post
    }

    /// Whether it is a `GET`.
    pub(crate) fn listens(&self) -> bool {
        self.verb == Verb::Get
    }

    /// Whether its request has no session and is not answered yet, so that an answer in it can only
    /// match this request.
    pub(crate) fn asks_alone(&self) -> bool {
        self.stateless && self.posted == Posted::Request && self.answers == 0
    }

    /// Whether its body is a notification or a response.
    pub(crate) fn posted_no_request(&self) -> bool {
        self.posted == Posted::NoRequest
    }

    /// Whether its body is not JSON.
    pub(crate) fn posted_unreadable(&self) -> bool {
        self.posted == Posted::Unreadable
    }
}

/// The method of an HTTP request.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Verb {
    /// `POST`
    Post,
    /// `GET`
    Get,
    /// Any other.
    #[default]
    Other,
}

impl Verb {
    pub(super) fn of(method: &str) -> Self {
        match method {
            "POST" => Self::Post,
            "GET" => Self::Get,
            _ => Self::Other,
        }
    }
}

/// The kind of the body of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Posted {
    /// No body, or an unknown one.
    #[default]
    Nothing,
    /// A request, or a batch with requests.
    Request,
    /// A notification or a response.
    NoRequest,
    /// A text that is not JSON.
    Unreadable,
}
