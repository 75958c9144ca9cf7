//! The result of a probe, rule by rule.

use mcp_assay::{Level, Revision, SchemaPlace};

use crate::findings::Findings;
use crate::judge::Broken;
use crate::record::Record;
use crate::transcript::Connection;

/// The outcome of a rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Status {
    /// It was broken.
    Fail,
    /// It was put to the test, and held.
    Pass,
    /// It could not be put to the test.
    NotObserved,
    /// It does not concern this server or client.
    NotApplicable,
}

impl Status {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::Fail,
        Self::Pass,
        Self::NotObserved,
        Self::NotApplicable,
    ];

    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fail => "fail",
            Self::Pass => "pass",
            Self::NotObserved => "not observed",
            Self::NotApplicable => "not applicable",
        }
    }
}

/// A failure, once for every place where it shows.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Failure {
    /// The finding, and what was expected instead.
    pub message: String,
    /// The JSON Pointer into the message at fault; empty if it is the whole of it.
    pub pointer: String,
    /// The keyword of the schema behind it, if a schema states the rule.
    pub schema: Option<SchemaPlace>,
    /// The method that the message at fault calls or answers.
    pub method: Option<String>,
    /// The revisions in which it shows.
    pub revisions: Vec<Revision>,
    /// The exact messages.
    pub evidence: Vec<Record>,
    /// A capture that shows it to `check`; for passive rules only.
    pub capture: Vec<Record>,
}

/// A rule and what came of it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Entry {
    /// `family/requirement`.
    pub id: &'static str,
    /// The rule in a sentence: what it demands, or for those of `check` what is wrong.
    pub about: &'static str,
    /// The level of a violation.
    pub level: Level,
    /// Whether traffic that is only watched shows it: then `check` finds it too.
    pub passive: bool,
    /// The outcome.
    pub status: Status,
    /// The reason why it was not put to the test.
    pub reason: String,
    /// The places of the violations.
    pub failures: Vec<Failure>,
}

impl Entry {
    /// The first half of its id.
    #[must_use]
    pub fn family(&self) -> &'static str {
        self.id
            .split_once('/')
            .map_or(self.id, |(family, _)| family)
    }
}

/// The result of a probe.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// Every rule, in the order of its name.
    pub entries: Vec<Entry>,
    /// The revisions that the server or client speaks.
    pub revisions: Vec<Revision>,
    /// Remarks for people: time was up, and the like.
    pub notes: Vec<String>,
    /// Texts of errors that the peer sent, a few of them.
    pub errors: Vec<String>,
    /// Messages that passed.
    pub messages: usize,
    /// Connections that were made.
    pub connections: usize,
    /// The status with which the server asked for authorisation, if nothing else could be put to
    /// the test for that.
    pub authorisation: Option<u16>,
    /// Those that were kept.
    pub transcript: Vec<Connection>,
}

impl Report {
    /// The rules that were broken.
    pub fn failures(&self) -> impl Iterator<Item = &Entry> {
        self.entries
            .iter()
            .filter(|entry| entry.status == Status::Fail)
    }

    /// How many rules have this status.
    #[must_use]
    pub fn count(&self, status: Status) -> usize {
        let has = |entry: &&Entry| entry.status == status;
        self.entries.iter().filter(has).count()
    }
}

/// Texts of errors that are kept.
pub(crate) const MAX_ERRORS: usize = 50;

impl Gathered {
    /// Keeps the texts of the errors in records.
    pub(crate) fn note_errors(&mut self, records: &[Record]) {
        let errors = records.iter().filter_map(|record| {
            let message = record.message()?;
            message["error"]["message"].as_str().map(str::to_owned)
        });
        let left = MAX_ERRORS.saturating_sub(self.errors.len());
        self.errors.extend(errors.take(left));
    }
}

/// A passive rule that was broken, with the connection that shows it.
pub(crate) struct Shown {
    pub(crate) broken: Broken,
    pub(crate) evidence: Vec<Record>,
    pub(crate) capture: Vec<Record>,
}

/// Everything that the connections showed.
#[derive(Default)]
pub(crate) struct Gathered {
    pub(crate) findings: Findings,
    pub(crate) broken: Vec<Shown>,
    pub(crate) asked: std::collections::BTreeSet<&'static str>,
    pub(crate) revisions: Vec<Revision>,
    pub(crate) notes: Vec<String>,
    pub(crate) errors: Vec<String>,
    pub(crate) messages: usize,
    pub(crate) connections: usize,
    pub(crate) authorisation: Option<u16>,
    pub(crate) transcript: Vec<Connection>,
}
