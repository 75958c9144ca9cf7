//! Parts of an exchange, owned until they are checked.

use std::borrow::Cow;

use http::uri::PathAndQuery;
use http::{HeaderMap, Method, StatusCode};
use hyper::ext::ReasonPhrase;
use mcp_assay::{Direction, Headers, Part, Party};

use crate::headers;

/// The head of a request.
#[derive(Debug)]
pub(crate) struct RequestHead {
    pub(crate) method: Method,
    /// The path with its query, as the client wrote it.
    pub(crate) path: PathAndQuery,
    pub(crate) headers: HeaderMap,
}

/// The head of a response.
#[derive(Debug)]
pub(crate) struct ResponseHead {
    pub(crate) status: StatusCode,
    /// If it is not the usual one.
    pub(crate) reason: Option<ReasonPhrase>,
    pub(crate) headers: HeaderMap,
    /// Whether events follow.
    pub(crate) streamed: bool,
}

impl ResponseHead {
    pub(crate) fn reason(&self) -> Option<Cow<'_, str>> {
        match &self.reason {
            Some(reason) => Some(String::from_utf8_lossy(reason.as_bytes())),
            None => self.status.canonical_reason().map(Cow::Borrowed),
        }
    }
}

/// A part of an exchange.
pub(crate) enum HttpPart {
    Request(Box<RequestHead>),
    Response(Box<ResponseHead>),
    Event {
        name: Option<String>,
        id: Option<String>,
        retry: Option<u64>,
    },
    End {
        by: Party,
    },
}

impl HttpPart {
    pub(crate) fn direction(&self) -> Direction {
        match self {
            Self::Request(_) => Direction::ClientToServer,
            Self::Response(_) | Self::Event { .. } | Self::End { .. } => Direction::ServerToClient,
        }
    }

    /// Its headers as texts.
    pub(crate) fn texts(&self) -> Vec<(&str, Cow<'_, str>)> {
        match self {
            Self::Request(head) => headers::texts(&head.headers),
            Self::Response(head) => headers::texts(&head.headers),
            Self::Event { .. } | Self::End { .. } => Vec::new(),
        }
    }

    pub(crate) fn part<'p>(&'p self, pairs: &'p [(&'p str, &'p str)]) -> Part<'p> {
        let headers = Headers(pairs);
        match self {
            Self::Request(head) => Part::Request {
                method: head.method.as_str(),
                path: head.path.as_str(),
                headers,
            },
            Self::Response(head) => Part::Response {
                status: head.status.as_u16(),
                headers,
                streamed: head.streamed,
            },
            Self::Event { name, id, retry } => Part::Event {
                name: name.as_deref(),
                id: id.as_deref(),
                retry: *retry,
            },
            Self::End { by } => Part::End { by: Some(*by) },
        }
    }
}
