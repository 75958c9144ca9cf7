#![doc = include_str!("../README.md")]
//!
//! # Documents
//!
//! A reporter has no state of its own: sources may be rendered on any thread, in any order. The
//! messages of one source are rendered in their order, with one [`SourceState`], in which formats
//! that group findings keep them. The writer of the result begins a [`Document`], writes the
//! rendered pieces to it in input order, with [`Reporter::separator`] between those that are not
//! empty, and finishes it. [`Pieces`] does that for a single writer. Formats that group or sort
//! findings have a [`Collector`] that does so within the document.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use mcp_assay::{Checked, Ending, Revision, Rule};

mod concise;
mod context;
mod document;
mod explain;
mod finding;
mod gathered;
mod github;
mod groups;
mod html;
mod human;
mod json;
mod junit;
mod levels;
mod ndjson;
mod page;
mod paint;
mod pieces;
mod probe_document;
mod probe_report;
mod rules;
mod sarif;
mod site;
mod totals;
mod visible;
mod wrap;
mod write_json;

pub use self::context::{Context, quoted};
pub use self::document::{Collector, Document};
pub use self::explain::explain;
use self::gathered::Gathered;
use self::groups::{Grouping, Groups};
pub use self::html::{Remark, Timeline};
pub use self::ndjson::{NOT_JUDGED, write_ending, write_message};
pub use self::pieces::Pieces;
pub use self::probe_document::View;
pub use self::probe_report::{Blame, Evidence, Fault, Outcome, ProbeReport, ProbeRow};
pub use self::rules::{rules_human, rules_json, rules_pages};
pub use self::site::{SITE, rule_page};
pub use self::totals::{SourceNote, Totals};
pub use self::wrap::folded_text;
pub use self::write_json::write_json;

/// A text as it may be shown on a terminal: control characters are written out.
#[must_use]
pub fn visible(text: &str) -> String {
    visible::text(text).into_owned()
}

/// The clause that states a rule, in the specification of a revision: that in force if it states
/// the rule, else the last that does.
#[must_use]
pub fn clause(rule: &Rule, revision: Option<Revision>) -> String {
    ndjson::clause(rule, revision)
}

/// The address of the clause that states a rule, in the latest revision that has it; not all
/// clauses are on pages of the specification.
#[must_use]
pub fn clause_address(rule: &Rule) -> Option<String> {
    sarif::clause_address(rule, &rule.clause(None))
}

/// The origin of a message.
#[derive(Clone, Copy, Debug, Default)]
pub struct Origin<'a> {
    /// The file, or a name in its place (`<stdin>`).
    pub source: &'a str,
    /// Its line, from 1.
    pub line: u64,
    /// The session that the capture names.
    pub session: Option<&'a str>,
    /// The time of the message, from a beginning that all messages of the source share.
    pub time: Option<Duration>,
    /// Whether the line itself is the message, not a record around one: then its bytes have
    /// columns.
    pub bare: bool,
}

/// A record of a capture that cannot be read, so that no message was checked.
#[derive(Clone, Copy, Debug)]
pub struct RecordFault<'a> {
    /// The file.
    pub source: &'a str,
    /// Its line, from 1.
    pub line: u64,
    /// The fault of the record.
    pub message: &'a str,
}

/// The findings of one source that a format keeps until the source ends. Their number is bounded.
#[derive(Default)]
pub struct SourceState {
    groups: Option<Groups>,
    /// Messages that were rendered for a page: those that pass, and the others.
    rows: [usize; 2],
}

/// Renders findings. Has no state, so that several threads may share one.
pub trait Reporter: Send + Sync {
    /// The head of the document, unless there is a collector.
    fn begin(&self, out: &mut dyn Write) -> io::Result<()> {
        let _ = out;
        Ok(())
    }

    /// The separator between two pieces that are not empty.
    fn separator(&self) -> &'static str {
        ""
    }

    /// Renders one message; may write nothing.
    fn message(
        &self,
        origin: &Origin<'_>,
        checked: &Checked<'_>,
        state: &mut SourceState,
        out: &mut dyn Write,
    ) -> io::Result<()>;

    /// Renders the findings at the end of a session; `origin` is the message that lacks its answer.
    fn ending(
        &self,
        origin: &Origin<'_>,
        ending: &Ending,
        state: &mut SourceState,
        out: &mut dyn Write,
    ) -> io::Result<()>;

    /// Renders a broken record.
    fn record_fault(
        &self,
        fault: &RecordFault<'_>,
        state: &mut SourceState,
        out: &mut dyn Write,
    ) -> io::Result<()>;

    /// Renders the end of a source, with the counts of that source and the reason if it could not
    /// be read to its end; may write nothing.
    fn source(
        &self,
        source: &str,
        totals: &Totals,
        failure: Option<&str>,
        state: &mut SourceState,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let _ = (source, totals, failure, state, out);
        Ok(())
    }

    /// Renders the findings that are kept of a source that has no end.
    fn flush(&self, state: &mut SourceState, out: &mut dyn Write) -> io::Result<()> {
        let _ = (state, out);
        Ok(())
    }

    /// The summary, and the end of the document, unless there is a collector.
    fn finish(&self, totals: &Totals, out: &mut dyn Write) -> io::Result<()> {
        let _ = (totals, out);
        Ok(())
    }

    /// The collector that makes the document of the pieces, if they are not the document
    /// themselves.
    fn collector(&self) -> Option<Box<dyn Collector>> {
        None
    }
}

/// The formats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Format {
    /// For people: the message with carets, the expected value, the remedy.
    #[default]
    Human,
    /// One line for each finding, then one line of totals.
    Concise,
    /// One document: `{"messages":[...],"summary":{...}}`.
    Json,
    /// One line for each message, then one summary line.
    Ndjson,
    /// `JUnit` XML: a suite for each source, a case for each rule that was broken there.
    Junit,
    /// SARIF 2.1.0 for code scanning.
    Sarif,
    /// Workflow commands of GitHub Actions.
    Github,
    /// One page for a browser: the timeline, with every violation at its bytes.
    Html,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 8] = [
        Self::Human,
        Self::Concise,
        Self::Json,
        Self::Ndjson,
        Self::Junit,
        Self::Sarif,
        Self::Github,
        Self::Html,
    ];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Concise => "concise",
            Self::Json => "json",
            Self::Ndjson => "ndjson",
            Self::Junit => "junit",
            Self::Sarif => "sarif",
            Self::Github => "github",
            Self::Html => "html",
        }
    }

    /// A reporter of this format; only the human one uses the style.
    #[must_use]
    pub fn reporter(self, style: Style) -> Box<dyn Reporter> {
        self.reporter_in(style, Context::default())
    }

    /// A reporter of this format that knows about the run.
    #[must_use]
    pub fn reporter_in(self, style: Style, context: Context) -> Box<dyn Reporter> {
        let context = Arc::new(context);
        let gathered = |grouping: Grouping, collector| {
            Box::new(Gathered {
                context: Arc::clone(&context),
                grouping,
                collector,
            })
        };
        match self {
            Self::Human => Box::new(human::Human::new(style)),
            Self::Concise => Box::new(concise::Concise),
            Self::Json => Box::new(json::Json),
            Self::Ndjson => Box::new(ndjson::Ndjson),
            Self::Junit => gathered(junit::GROUPING, junit::collector),
            Self::Sarif => gathered(sarif::GROUPING, sarif::collector),
            Self::Github => gathered(github::GROUPING, github::collector),
            Self::Html => Box::new(html::Html::new(context)),
        }
    }
}

/// The abilities of the reader's terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Whether to colour.
    pub colour: bool,
    /// Columns of a line.
    pub width: usize,
    /// Whether sentences are folded to the width: on a terminal, not for `grep`.
    pub fold: bool,
}

impl Style {
    /// No colour, a hundred columns: for files and pipes.
    pub const PLAIN: Self = Self {
        colour: false,
        width: 100,
        fold: false,
    };
}

impl Default for Style {
    fn default() -> Self {
        Self::PLAIN
    }
}
