//! Parts of an exchange, as they are kept until they are judged.

use std::sync::Arc;

use mcp_assay::{Direction, Headers, Part};

/// The head of a request.
#[derive(Debug)]
pub(in crate::gateway) struct RequestHead {
    pub(in crate::gateway) method: String,
    /// The path with its query, as the client wrote it.
    pub(in crate::gateway) path: String,
    pub(in crate::gateway) headers: Vec<(String, String)>,
}

/// The head of a response.
#[derive(Debug)]
pub(in crate::gateway) struct ResponseHead {
    pub(in crate::gateway) status: u16,
    pub(in crate::gateway) reason: Option<String>,
    pub(in crate::gateway) headers: Vec<(String, String)>,
    /// Whether events follow.
    pub(in crate::gateway) streamed: bool,
}

/// A part of an exchange.
pub(in crate::gateway) enum Piece {
    Request(Arc<RequestHead>),
    Response(Arc<ResponseHead>),
    Event {
        name: Option<String>,
        id: Option<String>,
        retry: Option<u64>,
    },
    End,
}

impl Piece {
    pub(super) fn direction(&self) -> Direction {
        match self {
            Self::Request(_) => Direction::ClientToServer,
            Self::Response(_) | Self::Event { .. } | Self::End => Direction::ServerToClient,
        }
    }

    pub(super) fn pairs(&self) -> Vec<(&str, &str)> {
        let headers = match self {
            Self::Request(head) => &head.headers,
            Self::Response(head) => &head.headers,
            Self::Event { .. } | Self::End => return Vec::new(),
        };
        headers
            .iter()
            .map(|(name, value)| (&**name, &**value))
            .collect()
    }

    pub(super) fn part<'p>(&'p self, pairs: &'p [(&'p str, &'p str)]) -> Part<'p> {
        let headers = Headers(pairs);
        match self {
            Self::Request(head) => Part::Request {
                method: &head.method,
                path: &head.path,
                headers,
            },
            Self::Response(head) => Part::Response {
                status: head.status,
                headers,
                streamed: head.streamed,
            },
            Self::Event { name, id, retry } => Part::Event {
                name: name.as_deref(),
                id: id.as_deref(),
                retry: *retry,
            },
            Self::End => Part::End,
        }
    }
}
