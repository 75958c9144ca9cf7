//! A part of an HTTP exchange: the head of a request, the head of a response, an event of a stream,
//! or its end.

use crate::Party;

/// A part of an HTTP exchange, as the carrier of a message or on its own.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Http<'a> {
    /// The number of the exchange: one HTTP request with its response and events.
    pub exchange: Option<i64>,
    /// The part.
    pub part: Part<'a>,
}

impl<'a> Http<'a> {
    /// A part of an exchange.
    #[must_use]
    pub fn new(exchange: Option<i64>, part: Part<'a>) -> Self {
        Self { exchange, part }
    }

    /// Whether it is a response that refuses the request.
    pub(crate) fn is_refusal(&self) -> bool {
        matches!(self.part, Part::Response { status, .. } if status >= 400)
    }

    /// Whether the bytes that it holds are meant to be a message. Some events only resemble one,
    /// and a server or proxy may refuse with a page, a word or an OAuth error.
    pub(super) fn carries_message(&self, bytes: &[u8]) -> bool {
        let has = |text: &str| memchr::memmem::find(bytes, text.as_bytes()).is_some();
        let has_member = || bytes.starts_with(b"{\"jsonrpc\"") || has("\"jsonrpc\"");
        // Registration, tokens and metadata of authorisation use the same server. A key may be
        // written with escapes.
        let may_be_message = || has_member() || has("\"method\"") || has("\\u");
        let is_oauth = || !may_be_message() && OAUTH.iter().any(|member| has(member));
        let is_json = || matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'['));
        match self.part {
            Part::Request { headers, .. } => {
                let is_form = headers
                    .get("content-type")
                    .is_some_and(|value| value.starts_with("application/x-www-form-urlencoded"));
                !bytes.is_empty() && !is_form && !is_oauth()
            }
            // A refusal may quote the message that it refuses.
            Part::Response { status, .. } if status >= 400 => is_json() && has_member(),
            Part::Response { headers, .. } => {
                let labelled = headers.get("content-type").is_some_and(|value| {
                    let kind = value.split(';').next().unwrap_or_default();
                    kind.trim().eq_ignore_ascii_case("application/json")
                });
                !bytes.is_empty() && (labelled || is_json()) && !is_oauth()
            }
            Part::Event { name, .. } => {
                !bytes.is_empty() && name.is_none_or(|name| matches!(name, "" | "message"))
            }
            Part::End { .. } => false,
        }
    }
}

/// Members of documents that belong to authorisation.
const OAUTH: &[&str] = &[
    "\"redirect_uris\"",
    "\"authorization_servers\"",
    "\"issuer\"",
    "\"access_token\"",
    "\"client_id\"",
];

/// A part of an exchange.
#[derive(Clone, Copy, Debug)]
pub enum Part<'a> {
    /// The request.
    Request {
        /// `POST`, `GET` or another.
        method: &'a str,
        /// The path with its query.
        path: &'a str,
        /// The headers.
        headers: Headers<'a>,
    },
    /// The response.
    Response {
        /// The status code.
        status: u16,
        /// The headers.
        headers: Headers<'a>,
        /// Whether its body is streamed, event by event.
        streamed: bool,
    },
    /// One event of a stream.
    Event {
        /// The field `event`.
        name: Option<&'a str>,
        /// The field `id`.
        id: Option<&'a str>,
        /// The field `retry`, in milliseconds.
        retry: Option<u64>,
    },
    /// The end of a stream.
    End {
        /// The party that ended it, if that is known.
        by: Option<Party>,
    },
}

/// Headers in wire order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Headers<'a>(pub &'a [(&'a str, &'a str)]);

impl<'a> Headers<'a> {
    /// The value of the first header of this name, whatever its case.
    #[must_use]
    pub fn get(self, name: &str) -> Option<&'a str> {
        self.find(name).map(|(_, value)| value)
    }

    /// The first header of this name with its position.
    #[must_use]
    pub fn find(self, name: &str) -> Option<(u16, &'a str)> {
        self.all(name).next()
    }

    /// All headers of this name with their positions.
    pub fn all(self, name: &str) -> impl Iterator<Item = (u16, &'a str)> {
        self.iter()
            .filter(move |(_, key, _)| key.eq_ignore_ascii_case(name))
            .map(|(position, _, value)| (position, value))
    }

    /// All headers: position, name, value. White space around a value is not part of it (RFC 9110,
    /// 5.5).
    pub fn iter(self) -> impl Iterator<Item = (u16, &'a str, &'a str)> {
        (0..=u16::MAX)
            .zip(self.0)
            .map(|(position, (key, value))| (position, *key, value.trim_matches([' ', '\t'])))
    }
}
