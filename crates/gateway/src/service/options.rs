//! The settings of a gateway, as plain data.

use std::path::PathBuf;
use std::time::Duration;

use mcp_assay::{Limits, RefusalStatus};

/// The end of the service.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Until {
    /// It serves until it is stopped.
    #[default]
    Stopped,
    /// It serves until a session is over: the client has ended it with `DELETE`, the server with
    /// 404, its stream of the older transport is closed, it was idle too long, or no client has
    /// been connected for as long as [`Options::grace`].
    SessionOver,
}

/// The settings of a gateway: limits, times, and whom it trusts.
///
/// ```
/// use mcp_assay_gateway::Options;
///
/// let mut options = Options::default();
/// options.allowed_hosts = vec!["gateway.example.com".to_owned()];
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The largest message that is checked, in bytes.
    pub message_limit: usize,
    /// The HTTP status of the gateway's own refusals; the checker's policy has that of the others.
    pub refusal_status: RefusalStatus,
    /// The largest body of a request in `enforce`, in bytes.
    pub body_limit: usize,
    /// Whether the server is asked for its tools before a call of one that it has not listed, in
    /// `enforce`.
    pub list_unknown_tools: bool,
    /// How long connecting to a server may take.
    pub connect_timeout: Duration,
    /// How long a server may take to begin its answer, or to go on with a body that is no stream.
    pub response_timeout: Duration,
    /// How long a client may pause within the body of a request.
    pub body_timeout: Duration,
    /// The memory for all connections together, in bytes. Three eighths of what the program itself
    /// leaves are for bodies: in `shadow` a body that does not fit is forwarded unchecked, in
    /// `enforce` it is refused.
    pub max_memory: usize,
    /// Connections of clients at the same time; further ones are answered with 503.
    pub max_connections: usize,
    /// Sessions that are tracked at the same time; those that were idle longest are dropped first.
    pub max_sessions: usize,
    /// How long an idle session is tracked.
    pub session_idle: Duration,
    /// How long exchanges may take to end after the gateway was stopped.
    pub grace: Duration,
    /// The end of the service.
    pub until: Until,
    /// Hosts that are accepted besides the listening address, localhost and loopback addresses; `*`
    /// means every host.
    pub allowed_hosts: Vec<String>,
    /// Origins of web pages that are accepted besides those of allowed hosts; `*` means every
    /// origin.
    pub allowed_origins: Vec<String>,
    /// A PEM file with certificates that are trusted in servers besides the usual roots.
    pub certificates: Option<PathBuf>,
}

/// The memory that the program takes without any traffic, and for the buffers of connections.
const OWN_MEMORY: usize = 24 << 20;

impl Options {
    /// The memory for bodies that wait for their rest, for a check or for the server.
    pub(crate) fn memory_for_bodies(&self) -> usize {
        // As much again may be held by the allocator after bodies were given up.
        (self.max_memory.saturating_sub(OWN_MEMORY) / 8 * 3).max(self.max_memory / 8)
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            message_limit: Limits::DEFAULT.bytes,
            refusal_status: RefusalStatus::default(),
            body_limit: Limits::DEFAULT.bytes,
            list_unknown_tools: false,
            connect_timeout: Duration::from_secs(10),
            response_timeout: Duration::from_secs(300),
            body_timeout: Duration::from_secs(60),
            max_memory: 256 << 20,
            max_connections: 10_000,
            max_sessions: 20_000,
            session_idle: Duration::from_secs(3600),
            grace: Duration::from_secs(5),
            until: Until::default(),
            allowed_hosts: Vec::new(),
            allowed_origins: Vec::new(),
            certificates: None,
        }
    }
}
