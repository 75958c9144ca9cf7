//! One HTTP exchange: a request and all that answers it.

use super::endpoints::Place;
use crate::session::Moment;

/// What is remembered of an HTTP exchange.
#[derive(Clone, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "facts that do not depend on each other"
)]
pub(crate) struct Exchange {
    pub(super) verb: Verb,
    /// Whether its request is of a revision without handshake.
    pub(super) stateless: bool,
    pub(super) posted: Posted,
    /// The path of a `GET`.
    pub(super) path: Box<str>,
    /// Where it went.
    pub(super) place: Place,
    /// The session that it belongs to.
    pub(super) realm: u64,
    /// Whether it names a session.
    pub(crate) in_session: bool,
    /// Whether it went to where MCP is spoken.
    pub(crate) at_endpoint: bool,
    /// Method and params of the request in it.
    pub(super) call: Option<u64>,
    /// The token under which that request asks for progress.
    pub(super) token: Option<u64>,
    /// Whether that request lacks what every request has to say in `_meta`.
    pub(crate) lacks_meta: bool,
    /// Whether it takes up a stream that broke off.
    pub(crate) resumes: bool,
    /// Whether its own stream was taken up again.
    pub(super) resumed: bool,
    /// Whether its response is a stream.
    pub(super) streamed: bool,
    /// Whether some event could not be read, is not meant to be, or answers no open request: it may have held the response.
    pub(super) unclear: bool,
    /// How many events came.
    pub(crate) events: u64,
    /// How many of its requests were answered, wherever.
    pub(crate) answers: u64,
    /// The exchange whose stream carried the answer to its request, if it was not its own.
    pub(crate) answered_on: Option<i64>,
    /// The last event, by its id and its data.
    pub(super) last_event: Option<u64>,
    /// Whether some event had an id.
    pub(crate) has_id: bool,
    /// The last `retry` field, in milliseconds.
    pub(crate) retry: Option<u64>,
    /// When its stream ended.
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

    /// Whether its request has no session, and is not answered yet: what answers in it can only mean this one.
    pub(crate) fn asks_alone(&self) -> bool {
        self.stateless && self.posted == Posted::Request && self.answers == 0
    }

    /// Whether its body is a notification or a response.
    pub(crate) fn posted_no_request(&self) -> bool {
        self.posted == Posted::NoRequest
    }

    /// Whether its body is no JSON.
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

/// What the body of a request is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Posted {
    /// There is none, or it is not known what it is.
    #[default]
    Nothing,
    /// A request, or a batch with requests.
    Request,
    /// A notification or a response.
    NoRequest,
    /// Something that is no JSON.
    Unreadable,
}
