//! Messages that a profile allows or refuses. A test runs them.

use crate::{Direction, Revision};

/// Messages of one session, and what a profile makes of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Example {
    pub(crate) messages: Vec<(Direction, String)>,
    /// The revision in force; `None` reads it from the messages.
    pub(crate) revision: Option<Revision>,
    pub(crate) expected: Expected,
}

/// The expected result of an example.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Expected {
    /// No errors.
    Allowed,
    /// An error of this rule, and of no other.
    Refused(String),
}

impl Example {
    /// Messages that are allowed.
    #[must_use]
    pub fn allowed(messages: Vec<(Direction, String)>) -> Self {
        Self {
            messages,
            revision: None,
            expected: Expected::Allowed,
        }
    }

    /// Messages that violate a rule, and no other.
    #[must_use]
    pub fn refused(messages: Vec<(Direction, String)>, rule: &str) -> Self {
        Self {
            expected: Expected::Refused(rule.to_owned()),
            ..Self::allowed(messages)
        }
    }

    /// Sets the revision in force.
    #[must_use]
    pub fn revision(self, revision: Revision) -> Self {
        Self {
            revision: Some(revision),
            ..self
        }
    }

    /// Whether the messages are allowed.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.expected == Expected::Allowed
    }
}
