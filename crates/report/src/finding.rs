//! Findings on their way from the thread that checks to the document: one line of JSON a group.
//!
//! The formats for build servers (`JUnit`, SARIF, GitHub) share this. It is not a format for
//! others, and may change.

use std::borrow::Cow;
use std::fmt;

use mcp_assay::{Checked, Level, Place, SchemaPlace, Span, Violation};
use serde::{Deserialize, Serialize};

use crate::{Origin, RecordFault};

/// The name of broken records, in place of a rule: they fail a run, too.
pub(crate) const BROKEN_RECORD: &str = "capture/readable-record";
/// The meaning of a broken record.
pub(crate) const BROKEN_RECORD_SUMMARY: &str = "A record of the capture cannot be read.";
/// The remedy.
pub(crate) const BROKEN_RECORD_HELP: &str =
    "record the session again, or repair the record: its message was not checked";

/// A fault.
#[derive(Serialize, Deserialize)]
pub(crate) struct Finding {
    pub(crate) source: String,
    /// From 1; 0 if there is no file to point at.
    pub(crate) line: u64,
    /// Set if the line itself is the message.
    pub(crate) columns: Option<Columns>,
    pub(crate) level: u8,
    pub(crate) rule: String,
    /// The fault, in the words of the rule.
    pub(crate) summary: String,
    pub(crate) message: String,
    pub(crate) help: String,
    pub(crate) clause: String,
    /// The kind of message, in words.
    pub(crate) what: String,
    /// The place in the message, in words.
    pub(crate) place: String,
    pub(crate) method: Option<String>,
    pub(crate) pointer: String,
    /// Bytes of the message.
    pub(crate) span: Option<(u32, u32)>,
    /// The keyword of the schema behind it.
    pub(crate) schema: Option<SchemaMember>,
    /// A text that distinguishes it from others of the same rule, method and pointer.
    #[serde(default)]
    pub(crate) detail: String,
}

/// The place of a keyword in a schema, as the formats for programs write it.
#[derive(Serialize, Deserialize)]
pub(crate) struct SchemaMember {
    document: Cow<'static, str>,
    pointer: String,
    keyword: Cow<'static, str>,
}

impl SchemaMember {
    /// The place of the keyword behind a violation, if a schema states its rule.
    pub(crate) fn new(checked: &Checked<'_>, violation: &Violation) -> Option<Self> {
        checked.schema(violation).map(Self::from)
    }
}

impl From<SchemaPlace> for SchemaMember {
    fn from(place: SchemaPlace) -> Self {
        Self {
            document: place.document,
            pointer: place.pointer,
            keyword: place.keyword.into(),
        }
    }
}

impl fmt::Display for SchemaMember {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.document, self.pointer)
    }
}

/// Characters of a line, from 1, the end excluded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Columns {
    pub(crate) start: u64,
    pub(crate) end_line: u64,
    pub(crate) end: u64,
}

/// The content of a finding that is no violation of a message.
pub(crate) struct Told<'a> {
    pub(crate) source: Option<&'a str>,
    pub(crate) level: Level,
    pub(crate) rule: &'a str,
    pub(crate) summary: &'a str,
    pub(crate) message: &'a str,
    pub(crate) help: String,
    pub(crate) clause: String,
    pub(crate) what: String,
    pub(crate) method: Option<&'a str>,
    pub(crate) pointer: &'a str,
    pub(crate) schema: Option<SchemaPlace>,
    pub(crate) detail: String,
}

impl Finding {
    /// A finding about a source as a whole: the first line of a file stands for it, if there is
    /// one.
    pub(crate) fn told(told: Told<'_>) -> Self {
        Self {
            source: told.source.unwrap_or_default().to_owned(),
            line: u64::from(told.source.is_some()),
            columns: None,
            level: told.level as u8,
            rule: told.rule.to_owned(),
            summary: told.summary.to_owned(),
            message: told.message.to_owned(),
            help: told.help,
            clause: told.clause,
            what: told.what,
            place: String::new(),
            method: told.method.map(str::to_owned),
            pointer: told.pointer.to_owned(),
            span: None,
            schema: told.schema.map(SchemaMember::from),
            detail: told.detail,
        }
    }

    pub(crate) fn level(&self) -> Level {
        level(self.level)
    }

    /// The key of a fault: two findings of a source with the same key are the same fault.
    pub(crate) fn key(&self) -> [String; 5] {
        [
            self.rule.clone(),
            self.source.clone(),
            self.method.clone().unwrap_or_default(),
            self.pointer.clone(),
            self.detail.clone(),
        ]
    }
}

/// The level that a number stands for.
pub(crate) fn level(number: u8) -> Level {
    match number {
        0 => Level::Note,
        1 => Level::Warning,
        _ => Level::Error,
    }
}

/// The sentence about a broken record.
pub(crate) fn record_fault_message(fault: &RecordFault<'_>) -> String {
    format!("the record cannot be read: {}", fault.message)
}

/// The line of a violation in its source, and the columns if the line itself is the message.
pub(crate) fn position(
    origin: &Origin<'_>,
    checked: &Checked<'_>,
    violation: &Violation,
) -> (u64, Option<Columns>) {
    if !origin.bare || violation.place != Place::Message {
        return (origin.line, None);
    }
    let (lines, columns) = columns(checked.bytes(), violation.span, origin.line);
    (origin.line + lines, columns)
}

/// The lines before a span, and its columns.
fn columns(bytes: &[u8], span: Span, first_line: u64) -> (u64, Option<Columns>) {
    let (start_line, start) = line_and_column(bytes, span.start);
    let (end_line, end) = line_and_column(bytes, span.end.max(span.start));
    let columns = Columns {
        start,
        end_line: first_line + end_line,
        end,
    };
    (start_line, Some(columns))
}

/// The line, from 0, and the column, from 1, of a byte.
fn line_and_column(bytes: &[u8], offset: u32) -> (u64, u64) {
    let before = &bytes[..bytes.len().min(offset as usize)];
    let line_start = before
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |at| at + 1);
    let lines = before.split(|&byte| byte == b'\n').count() - 1;
    // Continuation bytes of a character are no column.
    let characters = before[line_start..]
        .iter()
        .filter(|&&byte| byte & 0xc0 != 0x80)
        .count();
    (lines as u64, characters as u64 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_characters() {
        let text = "{\"é\":1,\n \"漢\":2}".as_bytes();
        for (start, end, lines, expected) in [
            (0, 1, 0, (1, 7, 2)),
            (1, 5, 0, (2, 7, 5)),
            (10, 15, 1, (2, 8, 5)),
            (1, 15, 0, (2, 8, 5)),
            (99, 99, 1, (8, 8, 8)),
        ] {
            let (before, columns) = columns(text, Span { start, end }, 7);
            let Columns {
                start,
                end_line,
                end,
            } = columns.unwrap();
            assert_eq!((before, (start, end_line, end)), (lines, expected));
        }
    }
}
