//! The findings of the steps, rule by rule, before they are put together.

use std::collections::{BTreeMap, BTreeSet};

use mcp_assay::Revision;

use crate::record::Record;

/// The outcome of a step for a rule.
#[derive(Clone, Debug)]
pub(crate) enum Outcome {
    Pass,
    Fail {
        message: String,
        evidence: Vec<Record>,
    },
    NotApplicable(String),
    NotObserved(String),
}

/// The findings of the steps.
#[derive(Default)]
pub(crate) struct Findings {
    /// Tools that took too long: they are not called again in other revisions.
    pub(crate) slow: BTreeSet<String>,
    /// Whether the server also speaks revisions with a handshake.
    pub(crate) serves_older: bool,
    found: BTreeMap<&'static str, Vec<(Option<Revision>, Outcome)>>,
}

impl Findings {
    pub(crate) fn add(&mut self, id: &'static str, revision: Option<Revision>, outcome: Outcome) {
        self.found.entry(id).or_default().push((revision, outcome));
    }

    /// Takes over the findings of another connection.
    pub(crate) fn extend(&mut self, other: Self) {
        self.slow.extend(other.slow);
        for (id, outcomes) in other.found {
            self.found.entry(id).or_default().extend(outcomes);
        }
    }

    pub(crate) fn of(&self, id: &str) -> &[(Option<Revision>, Outcome)] {
        self.found.get(id).map_or(&[], Vec::as_slice)
    }
}
