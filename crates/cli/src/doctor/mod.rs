//! Examines the servers in the configurations of clients, and says what to mend.
//!
//! It changes nothing, and shows no argument and no variable: they may be secrets.

mod command;
mod examine;
mod handshake;
mod report;

use std::path::PathBuf;
use std::time::Duration;

pub(crate) use self::examine::examine;
pub(crate) use self::report::{human, json};
use crate::install::Client;

/// The servers to examine.
pub(crate) struct Scope<'a> {
    /// By name; all if empty.
    pub(crate) servers: &'a [String],
    /// How long a server may take; `None` if no server is to be started.
    pub(crate) timeout: Option<Duration>,
}

/// A configuration.
pub(crate) struct FileReport {
    /// `None` for a file that was named.
    pub(crate) client: Option<Client>,
    pub(crate) path: PathBuf,
    /// The reason why it cannot be read.
    pub(crate) problem: Option<Check>,
    pub(crate) servers: Vec<ServerReport>,
    /// The names of all of its servers, also of those that are not examined.
    all: Vec<String>,
}

/// A server of a configuration.
pub(crate) struct ServerReport {
    pub(crate) name: String,
    /// Its own command, or its address without a query.
    pub(crate) target: String,
    pub(crate) checks: Vec<Check>,
}

/// The result of one check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Check {
    /// `file`, `server`, `command`, `handshake` or `wrap`.
    pub(crate) name: &'static str,
    pub(crate) outcome: Outcome,
    pub(crate) message: String,
    /// The remedy.
    pub(crate) fix: Option<String>,
}

/// The outcome of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    Ok,
    /// It was not checked.
    Skipped,
    /// The server can be used.
    Warning,
    /// The server cannot be used.
    Error,
}

impl Outcome {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Skipped => "skipped",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl Check {
    fn new(name: &'static str, outcome: Outcome, message: impl Into<String>) -> Self {
        Self {
            name,
            outcome,
            message: message.into(),
            fix: None,
        }
    }

    fn fix(self, fix: impl Into<String>) -> Self {
        Self {
            fix: Some(fix.into()),
            ..self
        }
    }
}

impl FileReport {
    /// The names of its servers.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(String::as_str)
    }

    /// Whether something in it cannot be used.
    pub(crate) fn needs_mending(&self) -> bool {
        self.checks().any(|check| check.outcome == Outcome::Error)
    }

    fn checks(&self) -> impl Iterator<Item = &Check> {
        let servers = self.servers.iter().flat_map(|server| &server.checks);
        self.problem.iter().chain(servers)
    }
}
