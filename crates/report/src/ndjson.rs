//! The format `ndjson`: one line for each message, then one summary line.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};

use mcp_assay::syntax::Node;
use mcp_assay::{
    Checked, Direction, Ending, Level, MessageKind, Part, Party, Place, Revision, Rule, Violation,
};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::finding::SchemaMember;
use crate::{Origin, RecordFault, Reporter, SourceState, Totals, write_json};

/// The format.
pub(crate) struct Ndjson;

impl Reporter for Ndjson {
    fn begin(&self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    fn message(
        &self,
        origin: &Origin<'_>,
        checked: &Checked<'_>,
        _: &mut SourceState,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if is_silent(checked) {
            return Ok(());
        }
        write_message(origin, checked, out)?;
        out.write_all(b"\n")
    }

    fn ending(
        &self,
        origin: &Origin<'_>,
        ending: &Ending,
        _: &mut SourceState,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        write_ending(origin, ending, out)?;
        out.write_all(b"\n")
    }

    fn record_fault(
        &self,
        fault: &RecordFault<'_>,
        _: &mut SourceState,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        write_record_fault(fault, out)?;
        out.write_all(b"\n")
    }

    fn finish(&self, totals: &Totals, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"{\"summary\":")?;
        write_totals(totals, out)?;
        out.write_all(b"}\n")
    }
}

/// Whether it is no message and has no violation: a part of an HTTP exchange without a body.
pub(crate) fn is_silent(checked: &Checked<'_>) -> bool {
    checked.kind() == MessageKind::Empty && checked.violations().is_empty()
}

/// A message as one object on one line. The order and the names of its members are part of the
/// format.
#[derive(Serialize)]
struct Row<'a> {
    source: &'a str,
    line: u64,
    dir: Option<&'a str>,
    session: Option<&'a str>,
    kind: Option<&'a str>,
    method: Option<&'a str>,
    id: Option<&'a RawValue>,
    revision: Option<&'a str>,
    /// Whether the end of the session shows it, and not the message itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<bool>,
    verdict: &'a str,
    /// The reason why it was not checked as far as asked; then it does not count as passed.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_judged: Option<&'static str>,
    violations: Vec<Fault<'a>>,
}

/// The reason why a response was not judged, with the remedy.
pub const NOT_JUDGED: &str =
    "its request is not in the input; `check --answers METHOD` gives the method";

#[derive(Serialize)]
struct Fault<'a> {
    rule: &'a str,
    layer: &'a str,
    level: &'a str,
    message: Cow<'a, str>,
    pointer: Cow<'a, str>,
    span: Bytes,
    code: Option<i32>,
    help: Cow<'a, str>,
    spec: String,
    party: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    http: Option<String>,
    /// The keyword that the value does not meet, if a schema states the rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    schema: Option<SchemaMember>,
}

/// The place of a keyword in a schema.
#[derive(Serialize)]
struct Bytes {
    start: u32,
    end: u32,
}

/// Writes a finding at the end of a session as `ndjson` has it, without a newline: repeats the
/// message that lacks its answer, with `"end":true`.
pub fn write_ending(origin: &Origin<'_>, ending: &Ending, out: &mut dyn Write) -> io::Result<()> {
    let (rule, level) = (ending.rule, ending.level);
    let line = Row {
        source: origin.source,
        line: origin.line,
        dir: ending.direction.map(Direction::name),
        session: origin.session,
        kind: kind(ending.kind),
        method: ending.method.as_deref(),
        id: ending.id.as_deref().and_then(raw),
        revision: ending.revision.map(Revision::name),
        end: Some(true),
        verdict: match level {
            Level::Error => "block",
            Level::Warning | Level::Note => "flag",
        },
        not_judged: None,
        violations: vec![Fault {
            rule: rule.name,
            layer: rule.layer.name(),
            level: level.name(),
            message: ending.message.into(),
            pointer: "".into(),
            span: Bytes { start: 0, end: 0 },
            code: code(rule),
            help: rule.help.into(),
            spec: clause(rule, ending.revision),
            party: ending.party.map(Party::name),
            http: None,
            schema: None,
        }],
    };
    write_json(&line, out)
}

/// Writes a message and its violations as `ndjson` has them, without a newline.
pub fn write_message(
    origin: &Origin<'_>,
    checked: &Checked<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (id, method) = (checked.id().map(on_one_line), checked.method());
    let line = Row {
        source: origin.source,
        line: origin.line,
        dir: checked.direction().map(Direction::name),
        session: origin.session,
        kind: kind(checked.kind()).map(|_| checked.kind_name()),
        method: method.as_deref(),
        id: id.as_deref().and_then(raw),
        revision: checked.revision().map(Revision::name),
        end: None,
        verdict: checked.verdict().name(),
        not_judged: (!checked.is_judged()).then_some(NOT_JUDGED),
        violations: checked
            .violations()
            .iter()
            .map(|violation| fault(checked, violation))
            .collect(),
    };
    write_json(&line, out)
}

fn fault<'a>(checked: &Checked<'_>, violation: &'a Violation) -> Fault<'a> {
    let rule = violation.rule;
    let (start, end) = (violation.span.start, violation.span.end);
    Fault {
        rule: rule.name,
        layer: rule.layer.name(),
        level: checked.level(violation).name(),
        message: checked.message(violation).into(),
        pointer: checked.pointer(violation).into(),
        span: Bytes { start, end },
        code: code(rule),
        help: checked.help(violation).into(),
        spec: clause(rule, checked.revision()),
        party: checked.party(violation).map(Party::name),
        http: http_place(checked, violation),
        schema: SchemaMember::new(checked, violation),
    }
}

/// A broken record as one object on one line.
pub(crate) fn write_record_fault(fault: &RecordFault<'_>, out: &mut dyn Write) -> io::Result<()> {
    #[derive(Serialize)]
    struct Row<'a> {
        source: &'a str,
        line: u64,
        record_fault: &'a str,
    }
    let line = Row {
        source: fault.source,
        line: fault.line,
        record_fault: fault.message,
    };
    write_json(&line, out)
}

/// The counts as an object.
pub(crate) fn write_totals(totals: &Totals, out: &mut dyn Write) -> io::Result<()> {
    #[derive(Serialize)]
    struct Counts<'a> {
        messages: u64,
        pass: u64,
        flag: u64,
        block: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        not_judged: Option<u64>,
        violations: &'a BTreeMap<&'static str, u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        record_faults: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        empty_sources: Option<u64>,
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        sources: BTreeMap<&'a str, Source<'a>>,
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        unnamed_sessions: &'a BTreeMap<&'static str, u64>,
    }
    #[derive(Serialize)]
    struct Source<'a> {
        format: &'a str,
        fidelity: &'a str,
        missing: &'a [&'static str],
    }
    let counts = Counts {
        messages: totals.messages,
        pass: totals.pass,
        flag: totals.flag,
        block: totals.block,
        not_judged: unless_zero(totals.not_judged),
        violations: &totals.violations,
        record_faults: unless_zero(totals.record_faults),
        empty_sources: unless_zero(totals.empty_sources),
        sources: totals
            .sources
            .iter()
            .map(|(name, note)| {
                let source = Source {
                    format: note.format,
                    fidelity: note.fidelity,
                    missing: &note.missing,
                };
                (name.as_str(), source)
            })
            .collect(),
        unnamed_sessions: &totals.unnamed_sessions,
    };
    write_json(&counts, out)
}

/// A count that is left out if it is zero.
fn unless_zero(count: u64) -> Option<u64> {
    (count > 0).then_some(count)
}

/// The clause of a rule in a revision.
pub(crate) fn clause(rule: &Rule, revision: Option<Revision>) -> String {
    rule.clause(revision)
}

/// The place of the fault in the head of an HTTP exchange: `header accept`, `status`,
/// `request line`.
pub(crate) fn http_place(checked: &Checked<'_>, violation: &Violation) -> Option<String> {
    Some(match violation.place {
        Place::Message => return None,
        Place::Header(position) => match header(checked, position) {
            Some((name, _)) => format!("header {}", name.to_ascii_lowercase()),
            None => "header".to_owned(),
        },
        Place::Head => "head".to_owned(),
        Place::Status => "status".to_owned(),
        Place::RequestLine => "request line".to_owned(),
        Place::Event => "event".to_owned(),
        Place::StreamEnd => "end of the stream".to_owned(),
    })
}

/// A header of the HTTP request or response that carried a message.
pub(crate) fn header<'v>(checked: &Checked<'v>, position: u16) -> Option<(&'v str, &'v str)> {
    let headers = match checked.http()?.part {
        Part::Request { headers, .. } | Part::Response { headers, .. } => headers,
        Part::Event { .. } | Part::End { .. } => return None,
    };
    headers.0.get(usize::from(position)).copied()
}

/// A part of an HTTP exchange without a body is no message, so it is of no kind.
fn kind(kind: MessageKind) -> Option<&'static str> {
    (kind != MessageKind::Empty).then(|| kind.name())
}

/// The code of a refusal, if one makes sense.
fn code(rule: &Rule) -> Option<i32> {
    Some(rule.code).filter(|code| *code != 0)
}

fn raw(text: &str) -> Option<&RawValue> {
    serde_json::from_str(text).ok()
}

/// The id as it was sent, but on one line and readable for every parser.
fn on_one_line(id: Node<'_>) -> Cow<'_, str> {
    match id.text() {
        // Half a surrogate pair, which many parsers refuse, was replaced.
        Some(text) if text.contains(char::REPLACEMENT_CHARACTER) => {
            Cow::Owned(serde_json::Value::from(&*text).to_string())
        }
        // Line ends are only between tokens: in a string they would not be JSON.
        None => match String::from_utf8_lossy(id.raw()) {
            raw if raw.contains(['\n', '\r']) => Cow::Owned(raw.replace(['\n', '\r'], " ")),
            raw => raw,
        },
        Some(_) => String::from_utf8_lossy(id.raw()),
    }
}
