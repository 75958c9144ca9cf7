//! The outcome of a probe of a live server or client, rule by rule, in every format.
//!
//! A run over traffic finds violations; a probe also knows which rules held, and which it could not
//! test. So its document has a row for each rule. The probe fills in a [`ProbeReport`], this module
//! shows it.

pub(crate) mod concise;
pub(crate) mod findings;
pub(crate) mod human;
pub(crate) mod json;
mod sdk_issue;

use mcp_assay::{Direction, Level, Revision, SchemaPlace};

use crate::Context;

/// The outcome of a probe, rule by rule.
///
/// ```
/// use mcp_assay::Level;
/// use mcp_assay_report::{Format, Outcome, ProbeReport, ProbeRow, View};
///
/// let row = ProbeRow::new("ping/any-phase", Level::Error, Outcome::Passed);
/// let report = ProbeReport { subject: "./server".into(), rows: vec![row], ..ProbeReport::default() };
/// let mut out = Vec::new();
/// report.write(Format::Junit, View::default(), &mut out)?;
/// assert!(String::from_utf8(out).unwrap().contains("name=\"ping/any-phase\""));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ProbeReport {
    /// The peer: a command line, or a URL.
    pub subject: String,
    /// A file that stands for it, for reports that need a place; relative to the working folder.
    pub file: Option<String>,
    /// The revisions in which it was tested.
    pub revisions: Vec<Revision>,
    /// Messages that were exchanged.
    pub messages: usize,
    /// Connections that carried them.
    pub connections: usize,
    /// The SDK that the peer is written with, and how that is known.
    pub sdk: Option<String>,
    /// Notes for the reader, one sentence each.
    pub notes: Vec<String>,
    /// The status with which the peer asked for authorisation, if little could be tested for that.
    pub authorisation: Option<u16>,
    /// The reason why nothing could be tested.
    pub trouble: Option<String>,
    /// The rules, in the order of their names.
    pub rows: Vec<ProbeRow>,
    /// The command that shows it again, and the base folders of paths.
    pub context: Context,
}

/// A rule and its outcome.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ProbeRow {
    /// `family/requirement`.
    pub rule: &'static str,
    /// The level.
    pub level: Level,
    /// The outcome.
    pub outcome: Outcome,
    /// The rule in a sentence.
    pub about: &'static str,
    /// The remedy, in one sentence.
    pub help: String,
    /// The clause, `revision/page#heading`.
    pub clause: String,
    /// The party to blame for its failures.
    pub blame: Blame,
    /// Whether traffic alone shows it, so that `check` would find it, too.
    pub is_passive: bool,
    /// The reason why it was not tested.
    pub reason: String,
    /// The places where it was broken.
    pub faults: Vec<Fault>,
}

/// The party to blame for the failures of a rule.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Blame {
    /// The server or client itself.
    #[default]
    Peer,
    /// The SDK that it is written with; the reason says what the SDK does.
    Sdk(String),
}

/// The outcome of a rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// It was broken.
    Failed,
    /// It was broken as the baseline says, and nowhere else.
    Known,
    /// It was tested, and held.
    Passed,
    /// It could not be tested.
    NotObserved,
    /// It does not concern this peer.
    NotApplicable,
}

/// A place where a rule was broken.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Fault {
    /// The found and the expected value.
    pub message: String,
    /// The method that the message at fault calls or answers.
    pub method: Option<String>,
    /// The JSON Pointer into it; empty for the whole.
    pub pointer: String,
    /// The keyword of the schema behind it, if a schema states the rule.
    pub schema: Option<SchemaPlace>,
    /// The revisions in which it was found.
    pub revisions: Vec<Revision>,
    /// The messages that show it.
    pub evidence: Vec<Evidence>,
    /// Whether the baseline has it.
    pub is_known: bool,
}

/// A message that shows a fault.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Evidence {
    /// The sender.
    pub direction: Direction,
    /// Its text, as received.
    pub text: String,
    /// The record of a capture with this message.
    pub capture: String,
    /// The source and the line of the timeline that has it.
    pub place: Option<(String, u64)>,
}

impl Outcome {
    /// All of them, in the order of reports.
    pub const ALL: [Self; 5] = [
        Self::Failed,
        Self::Known,
        Self::Passed,
        Self::NotObserved,
        Self::NotApplicable,
    ];

    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::Known => "known",
            Self::Passed => "passed",
            Self::NotObserved => "not observed",
            Self::NotApplicable => "not applicable",
        }
    }

    /// The word in reports for people and programs.
    fn status(self) -> &'static str {
        match self {
            Self::Failed => "fail",
            Self::Passed => "pass",
            other => other.name(),
        }
    }

    fn is_broken(self) -> bool {
        matches!(self, Self::Failed | Self::Known)
    }
}

impl ProbeRow {
    /// A row without details.
    #[must_use]
    pub fn new(rule: &'static str, level: Level, outcome: Outcome) -> Self {
        Self {
            rule,
            level,
            outcome,
            about: "",
            help: String::new(),
            clause: String::new(),
            blame: Blame::Peer,
            is_passive: false,
            reason: String::new(),
            faults: Vec::new(),
        }
    }

    /// The first half of the rule's name.
    pub(crate) fn family(&self) -> &'static str {
        self.rule
            .split_once('/')
            .map_or(self.rule, |(family, _)| family)
    }
}

/// Characters of a message that documents show.
const MAX_TEXT: usize = 4000;

impl Evidence {
    /// Evidence without a place in a timeline.
    #[must_use]
    pub fn new(direction: Direction, text: String, capture: String) -> Self {
        Self {
            direction,
            text,
            capture,
            place: None,
        }
    }

    pub(crate) fn arrow(&self) -> &'static str {
        match self.direction {
            Direction::ClientToServer => "-->",
            Direction::ServerToClient => "<--",
        }
    }

    /// The beginning of its text.
    pub(crate) fn beginning(&self) -> String {
        match self.text.char_indices().nth(MAX_TEXT) {
            Some((end, _)) => format!("{}…", &self.text[..end]),
            None => self.text.clone(),
        }
    }
}

impl Fault {
    /// The method, the place in the message and the revisions, as far as they are known.
    pub(crate) fn place(&self) -> String {
        let mut parts: Vec<String> = Vec::new();
        parts.extend(self.method.clone());
        if !self.pointer.is_empty() {
            parts.push(format!("at {}", self.pointer));
        }
        if !self.revisions.is_empty() {
            parts.push(format!("in {}", names(&self.revisions).join(", ")));
        }
        parts.join(", ")
    }
}

impl ProbeReport {
    /// The amount of traffic, in a sentence.
    fn traffic(&self) -> String {
        format!(
            "{} messages over {} connections; revisions: {}",
            self.messages,
            self.connections,
            names(&self.revisions).join(", ")
        )
    }

    /// The notes, after the traffic that they concern.
    pub(crate) fn all_notes(&self) -> Vec<String> {
        let traffic = self.trouble.is_none().then(|| self.traffic());
        traffic.into_iter().chain(self.notes.clone()).collect()
    }

    /// Rules that were broken, known ones too.
    fn broken(&self) -> usize {
        self.count(Outcome::Failed) + self.count(Outcome::Known)
    }

    pub(crate) fn count(&self, outcome: Outcome) -> usize {
        let has = |row: &&ProbeRow| row.outcome == outcome;
        self.rows.iter().filter(has).count()
    }
}

fn names(revisions: &[Revision]) -> Vec<&'static str> {
    revisions.iter().map(|revision| revision.name()).collect()
}
