//! The settings of a gateway, as plain data.

use std::path::PathBuf;
use std::time::Duration;

use mcp_assay::Limits;

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
    /// The largest body of a request in `enforce`, in bytes.
    pub body_limit: usize,
    /// Whether the server is asked for its tools before a call of one that it has not listed, in
    /// `enforce`.
    pub list_unknown_tools: bool,
    /// How long connecting to a server may take.
    pub connect_timeout: Duration,
    /// How long a server may take to begin its answer, or to go on with a body that is no stream.
    pub response_timeout: Duration,
    /// Sessions that are tracked at the same time; those that were idle longest are dropped first.
    pub max_sessions: usize,
    /// How long an idle session is tracked.
    pub session_idle: Duration,
    /// How long exchanges may take to end after the gateway was stopped.
    pub grace: Duration,
    /// Hosts that are accepted besides the listening address, localhost and loopback addresses; `*`
    /// means every host.
    pub allowed_hosts: Vec<String>,
    /// Origins of web pages that are accepted besides those of allowed hosts; `*` means every
    /// origin.
    pub allowed_origins: Vec<String>,
    /// A PEM file with certificates that are trusted in servers besides the usual roots.
    pub certificates: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            message_limit: Limits::DEFAULT.bytes,
            body_limit: Limits::DEFAULT.bytes,
            list_unknown_tools: false,
            connect_timeout: Duration::from_secs(10),
            response_timeout: Duration::from_secs(300),
            max_sessions: 20_000,
            session_idle: Duration::from_secs(3600),
            grace: Duration::from_secs(5),
            allowed_hosts: Vec::new(),
            allowed_origins: Vec::new(),
            certificates: None,
        }
    }
}
