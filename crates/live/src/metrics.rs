//! The names of the numbers that live checking counts, and their meaning: the same for every
//! carrier. `docs/metrics.md` describes them for users.
//!
//! A carrier implements [`Counters`] on its own store of numbers, and calls [`count`] for each
//! message that was judged. With the feature `metrics`, `FacadeCounters` is such a store: it hands
//! the numbers to whatever recorder the program has installed for the `metrics` crate.

use mcp_assay::{Direction, MessageKind, Verdict};

use crate::guard::{Action, Judged};

/// Messages, by `direction` (`c2s` or `s2c`) and `verdict` (`pass`, `flag` or `block`).
pub const MESSAGES: &str = "mcp_assay_messages_total";
/// Violations, by `rule`.
pub const VIOLATIONS: &str = "mcp_assay_violations_total";
/// Messages that did not pass as they were.
pub const BLOCKED: &str = "mcp_assay_blocked_total";
/// Messages that passed unchecked.
pub const UNCHECKED: &str = "mcp_assay_unchecked_total";
/// Messages whose check failed.
pub const CHECKS_FAILED: &str = "mcp_assay_checks_failed_total";
/// Entries of recording, log, report and notices that were not written, by `output`.
pub const DROPPED: &str = "mcp_assay_dropped_total";
/// The time to check a message, a histogram.
pub const CHECK_SECONDS: &str = "mcp_assay_check_seconds";
/// The time until the server began its answer, a histogram of the gateway.
pub const UPSTREAM_SECONDS: &str = "mcp_assay_upstream_seconds";
/// Requests to servers without an answer, by `cause`, of the gateway.
pub const UPSTREAM_FAILURES: &str = "mcp_assay_upstream_failures_total";
/// Connections of clients that were refused because there were too many, of the gateway.
pub const REFUSED_CONNECTIONS: &str = "mcp_assay_refused_connections_total";
/// Sessions that are tracked, a gauge of the gateway.
pub const SESSIONS: &str = "mcp_assay_sessions";
/// Connections of clients, a gauge of the gateway.
pub const CONNECTIONS: &str = "mcp_assay_connections";

/// All names.
pub const ALL: [&str; 12] = [
    MESSAGES,
    VIOLATIONS,
    BLOCKED,
    UNCHECKED,
    CHECKS_FAILED,
    DROPPED,
    CHECK_SECONDS,
    UPSTREAM_SECONDS,
    UPSTREAM_FAILURES,
    REFUSED_CONNECTIONS,
    SESSIONS,
    CONNECTIONS,
];

/// Gets each event that is counted.
pub trait Counters {
    /// A message was checked ([`MESSAGES`]).
    fn message(&self, direction: Option<Direction>, verdict: Verdict);

    /// A rule was violated ([`VIOLATIONS`]).
    fn violation(&self, rule: &'static str);

    /// A message did not pass as it was ([`BLOCKED`]).
    fn blocked(&self);

    /// The check of a message failed ([`CHECKS_FAILED`]).
    fn check_failed(&self);
}

/// Counts a message, or a part of an HTTP exchange without one, that was judged. A part without a
/// message is no message, but its violations count.
///
/// ```
/// use std::cell::RefCell;
/// use mcp_assay::{Direction, Frame, Policy, Session, Verdict};
/// use mcp_assay_live::guard::{Guard, Mode};
/// use mcp_assay_live::metrics::{Counters, count};
///
/// struct Seen(RefCell<Vec<String>>);
/// impl Counters for Seen {
///     fn message(&self, _: Option<Direction>, verdict: Verdict) {
///         self.0.borrow_mut().push(verdict.name().to_owned());
///     }
///     fn violation(&self, rule: &'static str) {
///         self.0.borrow_mut().push(rule.to_owned());
///     }
///     fn blocked(&self) {
///         self.0.borrow_mut().push("blocked".to_owned());
///     }
///     fn check_failed(&self) {}
/// }
///
/// let call = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#;
/// let mut guard = Guard::new(Policy::default(), Mode::Enforce);
/// let seen = Seen(RefCell::default());
/// let frame = Frame::new(call).direction(Direction::ClientToServer);
/// count(&guard.judge(&mut Session::new(), frame), &seen);
/// assert_eq!(seen.0.into_inner(), ["block", "schema/missing-member", "blocked"]);
/// ```
pub fn count(judged: &Judged<'_>, counters: &impl Counters) {
    let checked = &judged.checked;
    if judged.failed {
        counters.check_failed();
    } else {
        if checked.kind() != MessageKind::Empty {
            counters.message(checked.direction(), checked.verdict());
        }
        for violation in checked.violations() {
            counters.violation(violation.rule.name);
        }
    }
    if judged.action != Action::Forward {
        counters.blocked();
    }
}

#[cfg(feature = "metrics")]
pub use self::facade::FacadeCounters;

#[cfg(feature = "metrics")]
mod facade {
    use std::fmt;

    use metrics::{Counter, counter};

    use super::{
        BLOCKED, CHECKS_FAILED, Counters, Direction, MESSAGES, UNCHECKED, VIOLATIONS, Verdict,
    };

    /// The counters of the recorder that is installed for the `metrics` crate when this is made;
    /// violations go to the one that is installed when they are found.
    #[derive(Clone)]
    pub struct FacadeCounters {
        /// By direction and verdict.
        messages: [[Counter; 3]; 3],
        blocked: Counter,
        unchecked: Counter,
        checks_failed: Counter,
    }

    impl FacadeCounters {
        /// Looks the counters up, once: a valid message then costs one atomic addition.
        #[must_use]
        pub fn new() -> Self {
            let direction = |name: &'static str| {
                [Verdict::Pass, Verdict::Flag, Verdict::Block].map(
                    |verdict| counter!(MESSAGES, "direction" => name, "verdict" => verdict.name()),
                )
            };
            let [up, down] =
                [Direction::ClientToServer, Direction::ServerToClient].map(Direction::name);
            Self {
                messages: [direction(up), direction(down), direction("")],
                blocked: counter!(BLOCKED),
                unchecked: counter!(UNCHECKED),
                checks_failed: counter!(CHECKS_FAILED),
            }
        }

        /// A message passed unchecked.
        pub fn unchecked(&self) {
            self.unchecked.increment(1);
        }
    }

    impl Default for FacadeCounters {
        fn default() -> Self {
            Self::new()
        }
    }

    impl Counters for FacadeCounters {
        fn message(&self, direction: Option<Direction>, verdict: Verdict) {
            let direction = match direction {
                Some(Direction::ClientToServer) => 0,
                Some(Direction::ServerToClient) => 1,
                None => 2,
            };
            let verdict = match verdict {
                Verdict::Pass => 0,
                Verdict::Flag => 1,
                Verdict::Block => 2,
            };
            self.messages[direction][verdict].increment(1);
        }

        fn violation(&self, rule: &'static str) {
            counter!(VIOLATIONS, "rule" => rule).increment(1);
        }

        fn blocked(&self) {
            self.blocked.increment(1);
        }

        fn check_failed(&self) {
            self.checks_failed.increment(1);
        }
    }

    impl fmt::Debug for FacadeCounters {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.debug_struct("FacadeCounters").finish_non_exhaustive()
        }
    }
}
