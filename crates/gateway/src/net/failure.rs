//! The reasons why a server gives no answer.

use std::error::Error as StdError;
use std::io;

use super::body::Body;

/// The cause of a missing answer, as it is counted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Cause {
    /// The name of the server has no address.
    Dns,
    /// Nobody listens there.
    Refused,
    /// No connection for another reason.
    Unreachable,
    /// The server cannot be trusted, or does not speak TLS as we do.
    Tls,
    /// It took too long.
    Timeout,
    /// The connection ended before the answer did.
    Reset,
    /// The bytes that came are no answer of HTTP.
    Protocol,
    /// The client did not finish its request: no fault of the server.
    Client,
}

impl Cause {
    /// The value of the label `cause`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Dns => "dns",
            Self::Refused => "refused",
            Self::Unreachable => "unreachable",
            Self::Tls => "tls",
            Self::Timeout => "timeout",
            Self::Reset => "reset",
            Self::Protocol => "protocol",
            Self::Client => "client",
        }
    }
}

/// The reason why there is no answer of a server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Failure {
    pub(crate) cause: Cause,
    /// In words, with the text of the error.
    pub(crate) reason: String,
}

/// A request without an answer.
pub(crate) struct Unanswered {
    pub(crate) failure: Failure,
    /// Its body, if nothing of it was sent.
    pub(crate) unsent: Option<Body>,
}

impl Failure {
    pub(crate) fn new(cause: Cause, reason: impl Into<String>) -> Self {
        let reason = reason.into();
        Self { cause, reason }
    }

    /// The name of the server cannot be looked up.
    pub(crate) fn of_lookup(error: &io::Error) -> Self {
        Self::new(
            Cause::Dns,
            format!("the name of the server cannot be resolved: {error}"),
        )
    }

    /// No connection was made.
    pub(crate) fn of_connecting(error: &io::Error) -> Self {
        let (cause, what) = match error.kind() {
            io::ErrorKind::TimedOut => {
                let what = "the server does not take connections in time";
                return Self::new(Cause::Timeout, what);
            }
            io::ErrorKind::ConnectionRefused => (Cause::Refused, "the server refuses connections"),
            _ => (Cause::Unreachable, "the server cannot be reached"),
        };
        Self::new(cause, format!("{what}: {error}"))
    }

    /// The handshake of TLS failed.
    pub(crate) fn of_tls(error: &io::Error) -> Self {
        Self::new(
            Cause::Tls,
            format!("TLS with the server failed: {}", in_words(error)),
        )
    }

    /// The exchange of HTTP failed, or the body of an answer.
    pub(crate) fn of_http(error: &hyper::Error) -> Self {
        if error.is_user() {
            return Self::new(Cause::Client, "the client did not finish its request");
        }
        if error.is_parse() {
            return Self::new(
                Cause::Protocol,
                format!("the answer is not HTTP/1.1: {}", in_words(error)),
            );
        }
        if error.is_timeout() {
            return Self::silent();
        }
        let reason = format!("the server broke off: {}", in_words(error));
        Self::new(Cause::Reset, reason)
    }

    /// The answer does not begin in time.
    pub(crate) fn silent() -> Self {
        Self::new(Cause::Timeout, "the server does not answer in time")
    }

    /// The answer does not go on.
    pub(crate) fn stalled() -> Self {
        Self::new(Cause::Timeout, "the server does not go on with its answer")
    }
}

/// An error with its causes.
fn in_words(error: &dyn StdError) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        let more = error.to_string();
        if !text.contains(&more) {
            text.push_str(": ");
            text.push_str(&more);
        }
        source = error.source();
    }
    text
}
