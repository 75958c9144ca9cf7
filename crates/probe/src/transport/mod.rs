//! The raw client: it sends any bytes, knows nothing of the protocol, and never waits longer than
//! it is told.

mod failure;
mod http;
mod sse;
mod stdio;
pub(crate) mod url;

use std::fmt;
use std::time::Duration;

use mcp_assay::Party;

use crate::record::Content;

pub(crate) use self::http::{HttpClient, Unanswered};
pub(crate) use self::stdio::{Process, Sent};

/// The target of a probe.
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
    /// A client, which is started and served.
    Client(ClientUnderTest),
}

/// A client that is probed: it is started once for every scenario.
#[derive(Clone, Debug)]
pub struct ClientUnderTest {
    /// The command that starts it. `{server}`, `{url}` and `{config}` in its words say where its
    /// server is.
    pub command: Vec<String>,
    /// The way it reaches the server.
    pub reach: Reach,
}

/// The way a client reaches the server that probes it.
#[derive(Clone, Debug)]
pub enum Reach {
    /// It starts a server: these words, and two more that name the prober, run
    /// [`relay`](crate::relay).
    Stdio(Vec<String>),
    /// It calls a URL.
    Http,
}

impl Target {
    /// Whether it is reached over HTTP.
    #[must_use]
    pub fn is_http(&self) -> bool {
        match self {
            Self::Command(_) => false,
            Self::Url { .. } => true,
            Self::Client(client) => matches!(client.reach, Reach::Http),
        }
    }

    /// The party that is checked.
    #[must_use]
    pub fn party(&self) -> Party {
        match self {
            Self::Command(_) | Self::Url { .. } => Party::Server,
            Self::Client(_) => Party::Client,
        }
    }
}

/// The reason why a server or a client cannot be probed.
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
    /// The URL answers, but not as a server of the protocol; what it answers.
    NotMcp(String),
    /// It never completed a handshake; the reason, in several lines.
    NoHandshake(String),
    /// The client never connected; what it said on standard error.
    NoConnection(String),
    /// There is no place where a client could connect to.
    Listen(std::io::Error),
}

impl fmt::Display for Unreachable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(error) => write!(f, "the command could not be started: {error}"),
            Self::NoCommand => f.write_str("there is no command to start"),
            Self::Connect(error) => write!(f, "the server could not be reached: {error}"),
            Self::Authorisation(status) => write!(
                f,
                "the server wants authorisation (status {status}): \
                 --header 'Authorization: Bearer TOKEN'"
            ),
            Self::NotMcp(why) | Self::NoHandshake(why) => f.write_str(why),
            Self::NoConnection(stderr) if stderr.is_empty() => {
                f.write_str("the client never connected to the server it was given")
            }
            Self::NoConnection(stderr) => write!(
                f,
                "the client never connected to the server it was given; it said: {stderr}"
            ),
            Self::Listen(error) => write!(f, "no port could be opened for the client: {error}"),
        }
    }
}

impl std::error::Error for Unreachable {}

/// A message from the server, or its end.
#[derive(Debug)]
pub(crate) enum Incoming {
    /// Something for the record.
    Content(Content, Duration),
    /// The server closed its output.
    Closed,
}

/// Bytes kept of one message; a longer one is cut, which makes it unreadable.
pub(crate) const MOST_BYTES: usize = 16 << 20;

/// Messages that wait to be read; a server that sends more waits, too.
pub(crate) const MOST_WAITING: usize = 4;
