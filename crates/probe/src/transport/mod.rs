//! The raw client: it sends any bytes, knows nothing of the protocol, and never waits longer than it is told.

mod http;
mod sse;
mod stdio;
pub(crate) mod url;

use std::fmt;
use std::time::Duration;

use crate::record::Content;

pub(crate) use self::http::{HttpClient, Unanswered};
pub(crate) use self::stdio::{Process, Sent};

/// What is probed.
#[derive(Clone, Debug)]
pub enum Target {
    /// A command that is started, with its arguments.
    Command(Vec<String>),
    /// An endpoint of Streamable HTTP, with headers for every request.
    Url {
        /// The endpoint.
        url: String,
        /// Headers for every request, such as `Authorization`.
        headers: Vec<(String, String)>,
    },
}

impl Target {
    /// Whether it is reached over HTTP.
    #[must_use]
    pub fn is_http(&self) -> bool {
        matches!(self, Self::Url { .. })
    }
}

/// Why a server cannot be probed.
#[derive(Debug)]
#[non_exhaustive]
pub enum Unreachable {
    /// The command could not be started.
    Start(std::io::Error),
    /// The command is empty.
    NoCommand,
    /// Nothing answers at the URL.
    Connect(String),
    /// The server wants authorisation; the status.
    Authorisation(u16),
    /// It started but never completed a handshake; what it said on standard error.
    NoHandshake(String),
}

impl fmt::Display for Unreachable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(error) => write!(f, "the server could not be started: {error}"),
            Self::NoCommand => f.write_str("there is no command to start"),
            Self::Connect(error) => write!(f, "the server could not be reached: {error}"),
            Self::Authorisation(status) => write!(
                f,
                "the server wants authorisation (status {status}); give it with --header"
            ),
            Self::NoHandshake(stderr) if stderr.is_empty() => {
                f.write_str("the server completed no handshake in any revision")
            }
            Self::NoHandshake(stderr) => write!(
                f,
                "the server completed no handshake in any revision; it said: {stderr}"
            ),
        }
    }
}

impl std::error::Error for Unreachable {}

/// What came from the server.
#[derive(Debug)]
pub(crate) enum Incoming {
    /// Something for the record.
    Content(Content, Duration),
    /// The server closed its output.
    Closed,
}

/// So many bytes of one message are kept; a longer one is cut, which makes it unreadable.
pub(crate) const MOST_BYTES: usize = 16 << 20;

/// So many messages wait to be looked at; a server that sends more waits too.
pub(crate) const MOST_WAITING: usize = 4;
