//! Findings on their way from the thread that checks to the document: one line of JSON a group.
//!
//! The formats for build servers (`JUnit`, SARIF, GitHub) share this. It is not a format for
//! others, and may change.

use std::io::{self, Write};

use mcp_assay::{Checked, Ending, Level, Place, Span, Violation};
use serde::{Deserialize, Serialize};

use crate::groups::{Group, Grouping, Groups, Key};
use crate::human::{describe, describe_ending, place};
use crate::ndjson::clause;
use crate::{Origin, RecordFault, Totals};

/// The name of broken records, in place of a rule: they fail a run, too.
pub(crate) const BROKEN_RECORD: &str = "capture/readable-record";
/// The meaning of a broken record.
pub(crate) const BROKEN_RECORD_SUMMARY: &str = "A record of the capture cannot be read.";
/// The remedy.
pub(crate) const BROKEN_RECORD_HELP: &str =
    "record the session again, or repair the record: its message was not checked";

/// Characters of a method's name.
const MAX_METHOD: usize = 200;

/// A line.
#[derive(Serialize, Deserialize)]
pub(crate) enum Entry {
    /// Findings that are the same fault.
    Group(Group),
    /// Findings that are only counted, by level and rule.
    LeftOut { level: u8, rule: String, count: u64 },
    /// A source is at its end.
    Source(SourceEnd),
}

/// A fault.
#[derive(Serialize, Deserialize)]
pub(crate) struct Finding {
    pub(crate) source: String,
    /// From 1; 0 if there is no file to point at.
    pub(crate) line: u64,
    /// Set if the line itself is the message.
    pub(crate) columns: Option<Columns>,
    level: u8,
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
    /// A text that distinguishes it from others of the same rule, method and pointer.
    #[serde(default)]
    pub(crate) detail: String,
}

/// Characters of a line, from 1, the end excluded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Columns {
    pub(crate) start: u64,
    pub(crate) end_line: u64,
    pub(crate) end: u64,
}

/// A source is at its end.
#[derive(Serialize, Deserialize)]
pub(crate) struct SourceEnd {
    pub(crate) source: String,
    pub(crate) messages: u64,
    pub(crate) pass: u64,
    pub(crate) not_judged: u64,
    /// The reason why it could not be read to its end.
    pub(crate) failure: Option<String>,
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

impl Entry {
    pub(crate) fn read(line: &[u8]) -> io::Result<Self> {
        // We wrote it: a failure is a defect of ours.
        serde_json::from_slice(line).map_err(io::Error::other)
    }

    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, self).map_err(io::Error::from)?;
        out.write_all(b"\n")
    }
}

/// Adds the findings of a message.
pub(crate) fn add_message(origin: &Origin<'_>, checked: &Checked<'_>, groups: &mut Groups) {
    let has_places = matches!(groups.grouping(), Grouping::ByPlace { .. });
    let method = checked.method().filter(|_| has_places);
    for violation in checked.violations() {
        let (line, columns) = position(origin, checked, violation);
        let pointer = if has_places {
            checked.pointer(violation)
        } else {
            String::new()
        };
        let key = Key {
            level: checked.level(violation),
            rule: violation.rule.name,
            method: method.as_deref().map(shortened),
            pointer: &pointer,
        };
        groups.add(key, line, || {
            of_violation(origin, checked, violation, (line, columns))
        });
    }
}

fn of_violation(
    origin: &Origin<'_>,
    checked: &Checked<'_>,
    violation: &Violation,
    (line, columns): (u64, Option<Columns>),
) -> Finding {
    Finding {
        source: origin.source.to_owned(),
        line,
        columns,
        level: checked.level(violation) as u8,
        rule: violation.rule.name.to_owned(),
        summary: violation.rule.summary().to_owned(),
        message: checked.message(violation),
        help: checked.help(violation),
        clause: clause(violation.rule, checked.revision()),
        what: describe(origin, checked),
        place: place(checked, violation),
        method: checked
            .method()
            .as_deref()
            .map(shortened)
            .map(str::to_owned),
        pointer: checked.pointer(violation),
        span: (violation.place == Place::Message)
            .then_some((violation.span.start, violation.span.end)),
        detail: String::new(),
    }
}

/// Adds a finding at the end of a session.
pub(crate) fn add_ending(origin: &Origin<'_>, ending: &Ending, groups: &mut Groups) {
    let method = ending.method.as_deref().map(shortened);
    let key = Key {
        level: ending.level,
        rule: ending.rule.name,
        method,
        pointer: "",
    };
    groups.add(key, origin.line, || Finding {
        source: origin.source.to_owned(),
        line: origin.line,
        columns: None,
        level: ending.level as u8,
        rule: ending.rule.name.to_owned(),
        summary: ending.rule.summary().to_owned(),
        message: ending.message.to_owned(),
        help: ending.rule.help.to_owned(),
        clause: clause(ending.rule, ending.revision),
        what: describe_ending(origin, ending),
        place: String::new(),
        method: method.map(str::to_owned),
        pointer: String::new(),
        span: None,
        detail: String::new(),
    });
}

/// Adds a broken record.
pub(crate) fn add_record_fault(fault: &RecordFault<'_>, groups: &mut Groups) {
    let key = Key {
        level: Level::Error,
        rule: BROKEN_RECORD,
        method: None,
        pointer: "",
    };
    groups.add(key, fault.line, || Finding {
        source: fault.source.to_owned(),
        line: fault.line,
        columns: None,
        level: Level::Error as u8,
        rule: BROKEN_RECORD.to_owned(),
        summary: BROKEN_RECORD_SUMMARY.to_owned(),
        message: record_fault_message(fault),
        help: BROKEN_RECORD_HELP.to_owned(),
        clause: String::new(),
        what: "a record of the capture".to_owned(),
        place: String::new(),
        method: None,
        pointer: String::new(),
        span: None,
        detail: String::new(),
    });
}

/// The beginning of a method's name, which may be long.
fn shortened(method: &str) -> &str {
    match method.char_indices().nth(MAX_METHOD) {
        Some((end, _)) => &method[..end],
        None => method,
    }
}

/// The end of a source.
pub(crate) fn write_source(
    source: &str,
    totals: &Totals,
    failure: Option<&str>,
    out: &mut dyn Write,
) -> io::Result<()> {
    Entry::Source(SourceEnd {
        source: source.to_owned(),
        messages: totals.messages,
        pass: totals.pass,
        not_judged: totals.not_judged,
        failure: failure.map(str::to_owned),
    })
    .write(out)
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
    let lines = before.iter().filter(|byte| **byte == b'\n').count();
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
