//! Counts over a run.

use std::collections::BTreeMap;

use mcp_assay::{Checked, Ending, Level, MessageKind, Verdict};

/// Counts over a run, or over a part of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Totals {
    /// Messages checked.
    pub messages: u64,
    /// Those without a violation.
    pub pass: u64,
    /// Those with warnings or notes only.
    pub flag: u64,
    /// Those with an error.
    pub block: u64,
    /// Those without a violation that could not be checked as far as asked: a response whose
    /// request is unknown.
    pub not_judged: u64,
    /// Errors found only at the end of a session.
    pub missing: u64,
    /// Records of a capture that could not be read.
    pub record_faults: u64,
    /// Sources without a single message.
    pub empty_sources: u64,
    /// Violations by the name of their rule.
    pub violations: BTreeMap<&'static str, u64>,
    /// The interpretation of sources of a foreign format, by name.
    pub sources: BTreeMap<String, SourceNote>,
    /// Sessions without an id, by the fact that told them apart (`connection`, `credentials`,
    /// `clientInfo` or `order`), if a connection carried several.
    pub unnamed_sessions: BTreeMap<&'static str, u64>,
}

/// The interpretation of a source, and its limits as evidence.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SourceNote {
    /// The format it was read as.
    pub format: &'static str,
    /// Whether its messages are those of the wire: `exact` or `reserialised`.
    pub fidelity: &'static str,
    /// The facts that it lacks.
    pub missing: Vec<&'static str>,
}

impl Totals {
    /// Counts a message. A part of an HTTP exchange without one counts only if something is wrong
    /// with it.
    pub fn add(&mut self, checked: &Checked<'_>) {
        let is_message = checked.kind() != MessageKind::Empty;
        self.messages += u64::from(is_message);
        match checked.verdict() {
            Verdict::Pass if !checked.is_judged() => self.not_judged += 1,
            Verdict::Pass => self.pass += u64::from(is_message),
            Verdict::Flag => self.flag += 1,
            Verdict::Block => self.block += 1,
        }
        for violation in checked.violations() {
            *self.violations.entry(violation.rule.name).or_default() += 1;
        }
    }

    /// Counts a finding at the end of a session. The message that lacks its answer was counted
    /// before.
    pub fn add_ending(&mut self, ending: &Ending) {
        self.missing += u64::from(ending.level == Level::Error);
        *self.violations.entry(ending.rule.name).or_default() += 1;
    }

    /// Counts a broken record.
    pub fn add_record_fault(&mut self) {
        self.record_faults += 1;
    }

    /// Adds the counts of another part of the run.
    pub fn merge(&mut self, other: &Self) {
        self.messages += other.messages;
        self.pass += other.pass;
        self.flag += other.flag;
        self.block += other.block;
        self.not_judged += other.not_judged;
        self.missing += other.missing;
        self.record_faults += other.record_faults;
        self.empty_sources += other.empty_sources;
        for (rule, count) in &other.violations {
            *self.violations.entry(rule).or_default() += count;
        }
        let notes = other.sources.iter();
        self.sources
            .extend(notes.map(|(name, note)| (name.clone(), note.clone())));
        for (by, count) in &other.unnamed_sessions {
            *self.unnamed_sessions.entry(by).or_default() += count;
        }
    }

    /// The sessions without an id, in a sentence.
    pub(crate) fn unnamed_sentence(&self) -> Option<String> {
        let all: u64 = self.unnamed_sessions.values().sum();
        let parts = self.unnamed_sessions.iter();
        let parts: Vec<_> = parts
            .map(|(by, count)| format!("{count} by {by}"))
            .collect();
        (all > 0).then(|| {
            format!(
                "{all} sessions without an id, told apart: {}",
                parts.join(", ")
            )
        })
    }

    /// The number of sources without messages, in a sentence.
    pub(crate) fn empty_sentence(&self) -> Option<String> {
        match self.empty_sources {
            0 => None,
            1 => Some("1 input has no messages".to_owned()),
            many => Some(format!("{many} inputs have no messages")),
        }
    }

    /// Whether nothing was found.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.violations.is_empty() && self.record_faults == 0
    }
}
