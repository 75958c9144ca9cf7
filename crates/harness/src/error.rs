//! The reason why a call fails, in words that a failing test can print.

use std::fmt;
use std::time::Duration;

use mcp_assay::UnknownName;
use mcp_assay_probe::Unreachable;
use mcp_assay_report::visible;
use serde_json::Value;

use crate::Violation;

/// Violations shown.
const MOST_SHOWN: usize = 20;

/// The reason why a call fails. `Debug` is the same text as `Display`: a test that returns it, or
/// unwraps, prints something readable.
#[derive(Clone)]
#[non_exhaustive]
pub enum Error {
    /// The server could not be started.
    Start(String),
    /// A rule, family, layer or level of this name does not exist.
    UnknownName(UnknownName),
    /// A call that needs a handshake came before it.
    NoHandshake(String),
    /// Messages of the server break rules.
    Violations(Vec<Violation>),
    /// The server answered with an error, which is its right.
    Refused {
        /// The question.
        method: String,
        /// The error.
        error: RpcError,
    },
    /// HTTP answered with a status and without a message.
    Status {
        /// The question.
        method: String,
        /// The status.
        status: u16,
    },
    /// Nothing came in time.
    NoAnswer {
        /// The question.
        method: String,
        /// How long that was waited for.
        after: Duration,
        /// The last of what the server said on standard error.
        stderr: String,
    },
    /// The server is gone.
    Gone {
        /// The question.
        method: String,
        /// The way it ended, in words.
        how: String,
        /// The last of what the server said on standard error.
        stderr: String,
    },
    /// An answer lacks what its type is made of. In strict mode a rule says so before.
    Malformed {
        /// The question.
        method: String,
        /// The missing parts.
        what: &'static str,
    },
    /// The server went on although its standard input was closed, and was killed.
    StillRunning(Duration),
    /// An expectation of the test is not met.
    Unmet(String),
}

/// An error that a server answers with.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct RpcError {
    /// Its code.
    pub code: i64,
    /// Its message.
    pub message: String,
    /// Its data; null if there are none.
    pub data: Value,
}

impl RpcError {
    /// An error for a server to get.
    #[must_use]
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: Value::Null,
        }
    }

    pub(crate) fn read(code: i64, error: &Value) -> Self {
        Self {
            code,
            message: error["message"].as_str().unwrap_or_default().to_owned(),
            data: error["data"].clone(),
        }
    }

    pub(crate) fn to_value(&self) -> Value {
        let mut error = serde_json::json!({"code": self.code, "message": self.message});
        if !self.data.is_null() {
            error["data"] = self.data.clone();
        }
        error
    }
}

impl Error {
    /// The violations, if these are why.
    #[must_use]
    pub fn violations(&self) -> &[Violation] {
        match self {
            Self::Violations(violations) => violations,
            _ => &[],
        }
    }

    /// A word for programs: what kind of failure it is.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Start(_) => "start",
            Self::UnknownName(_) => "unknown_name",
            Self::NoHandshake(_) => "no_handshake",
            Self::Violations(_) => "violation",
            Self::Refused { .. } => "refused",
            Self::Status { .. } => "status",
            Self::NoAnswer { .. } => "no_answer",
            Self::Gone { .. } => "gone",
            Self::Malformed { .. } => "malformed",
            Self::StillRunning(_) => "still_running",
            Self::Unmet(_) => "unmet",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(why) => f.write_str(&visible(why)),
            Self::UnknownName(unknown) => write!(f, "{unknown}"),
            Self::NoHandshake(method) => write!(
                f,
                "`{}` before the handshake: call initialize() first, or request() to do it on \
                 purpose",
                visible(method)
            ),
            Self::Violations(violations) => {
                for (index, violation) in violations.iter().take(MOST_SHOWN).enumerate() {
                    let newline = if index == 0 { "" } else { "\n" };
                    write!(f, "{newline}strict mode: {violation}")?;
                }
                match violations.len().saturating_sub(MOST_SHOWN) {
                    0 => Ok(()),
                    more => write!(f, "\n... and {more} more"),
                }
            }
            Self::Refused { method, error } => write!(
                f,
                "{} was answered with error {}: {}",
                visible(method),
                error.code,
                visible(&error.message)
            ),
            Self::Status {
                method,
                status: status @ (401 | 403),
            } => write!(
                f,
                "{} was answered with HTTP status {status}: the server wants authorisation",
                visible(method)
            ),
            Self::Status { method, status } => write!(
                f,
                "{} was answered with HTTP status {status} and no message",
                visible(method)
            ),
            Self::NoAnswer {
                method,
                after,
                stderr,
            } => {
                write!(f, "{} was not answered within {after:?}", visible(method))?;
                said(stderr, f)
            }
            Self::Gone {
                method,
                how,
                stderr,
            } => {
                write!(f, "{} was not answered: {how}", visible(method))?;
                said(stderr, f)
            }
            Self::Malformed { method, what } => {
                write!(f, "the result of {} has no {what}", visible(method))
            }
            Self::StillRunning(after) => write!(
                f,
                "strict mode: the server was still running {after:?} after its standard input was \
                 closed, and was killed"
            ),
            Self::Unmet(what) => {
                // Only what we wrote breaks lines.
                let lines: Vec<String> = what.lines().map(visible).collect();
                f.write_str(&lines.join("\n"))
            }
        }
    }
}

fn said(stderr: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if stderr.is_empty() {
        return Ok(());
    }
    f.write_str("\n  on standard error:")?;
    stderr
        .lines()
        .try_for_each(|line| write!(f, "\n    {}", visible(line)))
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}

impl From<Unreachable> for Error {
    fn from(why: Unreachable) -> Self {
        Self::Start(why.to_string())
    }
}

impl From<UnknownName> for Error {
    fn from(unknown: UnknownName) -> Self {
        Self::UnknownName(unknown)
    }
}
