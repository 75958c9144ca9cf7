//! How long exchanges took.

use std::time::Duration;

use mcp_assay_probe::{Answer, Record, Reply};

/// How long one exchange took, from the bytes of the request to those of the answer.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Timing {
    /// The question.
    pub method: String,
    /// The time when the request was sent, from the beginning of the connection.
    pub sent: Duration,
    /// How long the answer took; `None` if none came.
    pub took: Option<Duration>,
    /// The outcome.
    pub outcome: Outcome,
}

/// The outcome of an exchange.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// A result.
    Result,
    /// An error.
    Error,
    /// Nothing that answers the request.
    Nothing,
}

impl Outcome {
    /// The name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Result => "result",
            Self::Error => "error",
            Self::Nothing => "nothing",
        }
    }
}

impl Timing {
    pub(crate) fn of(method: &str, answer: &Answer, records: &[Record]) -> Self {
        let time = |at: usize| {
            answer
                .evidence
                .get(at)
                .and_then(|at| records.get(*at))
                .map(|record| record.time)
        };
        let sent = time(0).unwrap_or_default();
        let outcome = match answer.reply {
            Reply::Result(_) => Outcome::Result,
            Reply::Error(..) => Outcome::Error,
            _ => Outcome::Nothing,
        };
        let took = time(1)
            .filter(|_| outcome != Outcome::Nothing)
            .map(|answered| answered.saturating_sub(sent));
        Self {
            method: method.to_owned(),
            sent,
            took,
            outcome,
        }
    }
}
