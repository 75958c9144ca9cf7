//! Violations as text for people, and as JSON for programs.
//!
//! A reporter has no state: messages may be rendered on any thread, in any order. Whoever writes the result puts
//! [`Reporter::begin`] first, the rendered pieces in input order with [`Reporter::separator`] between those that are not
//! empty, and [`Reporter::finish`] last. [`Pieces`] does that for a single writer.
//!
//! ```
//! use mcp_assay::{Session, Validator};
//! use mcp_assay_report::{Format, Origin, Pieces, Style, Totals};
//!
//! let (mut validator, mut session) = (Validator::default(), Session::new());
//! let reporter = Format::Ndjson.reporter(Style::PLAIN);
//! let mut totals = Totals::default();
//! let mut out = Pieces::begin(&*reporter, Vec::new())?;
//! let checked = validator.check(&mut session, br#"{"jsonrpc":"2.0","id":1}"#);
//! totals.add(&checked);
//! out.message(&Origin { source: "a.ndjson", line: 1, session: None }, &checked)?;
//! let text = String::from_utf8(out.finish(&totals)?).unwrap();
//! assert!(text.contains("jsonrpc/known-kind"));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! Nothing here judges, and nothing here reads files or asks the terminal: colour and width are given.

use std::io::{self, Write};

use mcp_assay::{Checked, Ending};

mod explain;
mod human;
mod json;
mod levels;
mod ndjson;
mod page;
mod paint;
mod pieces;
mod rules;
mod totals;
mod visible;
mod wrap;

pub use self::explain::explain;
pub use self::pieces::Pieces;
pub use self::rules::{rules_human, rules_json, rules_pages};
pub use self::totals::{SourceNote, Totals};

/// A text as it may be shown on a terminal: control characters are written out.
#[must_use]
pub fn visible(text: &str) -> String {
    visible::text(text).into_owned()
}

/// Where a message came from.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The file, or what stands for it (`<stdin>`).
    pub source: &'a str,
    /// Its line, from 1.
    pub line: u64,
    /// The session that the capture names.
    pub session: Option<&'a str>,
}

/// A record of a capture that cannot be read, so that no message was checked.
#[derive(Clone, Copy, Debug)]
pub struct RecordFault<'a> {
    /// The file.
    pub source: &'a str,
    /// Its line, from 1.
    pub line: u64,
    /// What is wrong with the record.
    pub message: &'a str,
}

/// Renders what was found. Has no state, so that several threads may share one.
pub trait Reporter: Send + Sync {
    /// What stands before everything else.
    fn begin(&self, out: &mut dyn Write) -> io::Result<()>;

    /// What stands between two pieces that are not empty.
    fn separator(&self) -> &'static str {
        ""
    }

    /// Renders one message; may write nothing.
    fn message(
        &self,
        origin: &Origin<'_>,
        checked: &Checked<'_>,
        out: &mut dyn Write,
    ) -> io::Result<()>;

    /// Renders what the end of a session shows; `origin` is the message that asks for what is missing.
    fn ending(&self, origin: &Origin<'_>, ending: &Ending, out: &mut dyn Write) -> io::Result<()>;

    /// Renders a broken record.
    fn record_fault(&self, fault: &RecordFault<'_>, out: &mut dyn Write) -> io::Result<()>;

    /// The summary, and what stands after everything else.
    fn finish(&self, totals: &Totals, out: &mut dyn Write) -> io::Result<()>;
}

/// The formats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Format {
    /// For people: the message with carets, what was expected, what to do.
    #[default]
    Human,
    /// One document: `{"messages":[...],"summary":{...}}`.
    Json,
    /// One line a message, then one summary line.
    Ndjson,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Human, Self::Json, Self::Ndjson];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Json => "json",
            Self::Ndjson => "ndjson",
        }
    }

    /// A reporter of this format; only the human one heeds the style.
    #[must_use]
    pub fn reporter(self, style: Style) -> Box<dyn Reporter> {
        match self {
            Self::Human => Box::new(human::Human::new(style)),
            Self::Json => Box::new(json::Json),
            Self::Ndjson => Box::new(ndjson::Ndjson),
        }
    }
}

/// What the reader's terminal can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Whether to colour.
    pub colour: bool,
    /// Columns of a line.
    pub width: usize,
}

impl Style {
    /// No colour, a hundred columns: for files and pipes.
    pub const PLAIN: Self = Self {
        colour: false,
        width: 100,
    };
}

impl Default for Style {
    fn default() -> Self {
        Self::PLAIN
    }
}
