//! What came of a test of a live server or client, rule by rule, for build servers and browsers.
//!
//! A run over traffic finds violations; a test also knows what held, and what it could not put to the test. So its document has a row
//! for each rule. Who tests fills in a [`Sheet`], this module shows it.

mod findings;

use std::io::{self, Write};
use std::sync::Arc;

use mcp_assay::{Direction, Level, Revision};

use crate::{Context, Format, Timeline, github, junit, sarif};

/// What came of a test, rule by rule.
///
/// ```
/// use mcp_assay::Level;
/// use mcp_assay_report::{Format, Outcome, Sheet, SheetRow};
///
/// let row = SheetRow::new("ping/any-phase", Level::Error, Outcome::Passed);
/// let sheet = Sheet { subject: "./server".into(), rows: vec![row], ..Sheet::default() };
/// let mut out = Vec::new();
/// sheet.write(Format::Junit, None, &mut out)?;
/// assert!(String::from_utf8(out).unwrap().contains("name=\"ping/any-phase\""));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// What was tested: a command line, or a URL.
    pub subject: String,
    /// A file that stands for it, for reports that want a place; from the working folder.
    pub file: Option<String>,
    /// What a reader should know, in a sentence each.
    pub notes: Vec<String>,
    /// Why there was nothing to test.
    pub trouble: Option<String>,
    /// The rules, in the order of their names.
    pub rows: Vec<SheetRow>,
    /// How to see it again, and where paths begin.
    pub context: Context,
}

/// A rule, and what came of it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SheetRow {
    /// `family/requirement`.
    pub rule: &'static str,
    /// How grave it is to break it.
    pub level: Level,
    /// What came of it.
    pub outcome: Outcome,
    /// The rule in a sentence.
    pub about: &'static str,
    /// Why it was not put to the test.
    pub reason: String,
    /// Where it was broken.
    pub faults: Vec<Fault>,
}

/// What came of a rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// It was broken.
    Failed,
    /// It was broken as the baseline says, and nowhere else.
    Known,
    /// It was put to the test, and held.
    Passed,
    /// It could not be put to the test.
    NotObserved,
    /// It does not concern what was tested.
    NotApplicable,
}

/// A place where a rule was broken.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Fault {
    /// What was found and what was expected.
    pub message: String,
    /// The method that the message at fault calls or answers.
    pub method: Option<String>,
    /// The JSON Pointer into it; empty if it is the whole of it.
    pub pointer: String,
    /// The revisions in which it shows.
    pub revisions: Vec<Revision>,
    /// The messages that show it.
    pub evidence: Vec<Evidence>,
    /// Whether the baseline has it.
    pub is_known: bool,
}

/// A message that shows a fault.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// Who sent it.
    pub direction: Direction,
    /// Its text, as it came.
    pub text: String,
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
}

impl SheetRow {
    /// A row without details.
    #[must_use]
    pub fn new(rule: &'static str, level: Level, outcome: Outcome) -> Self {
        Self {
            rule,
            level,
            outcome,
            about: "",
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
const MOST_TEXT: usize = 4000;

impl Evidence {
    /// The beginning of its text.
    pub(crate) fn beginning(&self) -> String {
        match self.text.char_indices().nth(MOST_TEXT) {
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
        let revisions: Vec<_> = self.revisions.iter().map(|known| known.name()).collect();
        if !revisions.is_empty() {
            parts.push(format!("in {}", revisions.join(", ")));
        }
        parts.join(", ")
    }
}

impl Sheet {
    /// Writes the document in a format for build servers or browsers; `timeline` is for the latter. People and programs have formats
    /// that are made elsewhere: there, this writes nothing.
    pub fn write(
        &self,
        format: Format,
        timeline: Option<Timeline>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match format {
            Format::Junit => junit::write_sheet(self, out),
            Format::Sarif => {
                let about = serde_json::json!({
                    "subject": self.subject, "notes": self.notes, "rules": findings::counts(self),
                });
                let context = Arc::new(self.context.clone());
                let trouble = self.trouble.iter().map(String::as_str);
                sarif::write(findings::of(self), trouble, &about, context, out)
            }
            Format::Github => {
                github::write(
                    findings::of(self),
                    Arc::new(self.context.clone()),
                    self.trouble.as_deref(),
                    out,
                )?;
                match self.trouble {
                    Some(_) => Ok(()),
                    None => writeln!(out, "{}", findings::summary(self)),
                }
            }
            Format::Html => timeline.unwrap_or_default().write(self, out),
            Format::Human | Format::Json | Format::Ndjson => Ok(()),
        }
    }

    pub(crate) fn count(&self, outcome: Outcome) -> usize {
        let has = |row: &&SheetRow| row.outcome == outcome;
        self.rows.iter().filter(has).count()
    }
}
