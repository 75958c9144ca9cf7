//! The lines of a log.

use std::time::{Duration, SystemTime};

use mcp_assay::{Carrier, Checked, Direction, Ending, Level, MessageKind, Part, Revision, Verdict};
use mcp_assay_contract::envelope::{ResultEnvelope, SCHEMA_VERSION};
use mcp_assay_live::guard::Repair;
use mcp_assay_report::{NOT_JUDGED, Origin, RecordFault};

use super::clock::{milliseconds, stamp};
use super::exchanges::Open;
use super::name::{self, quoted, quoted_or_null, short};
use super::outcome::Fault;
use super::redact::{REDACTED, Redaction};
use super::writer::Mode;
use crate::json::push_text;

/// A message that was validated.
#[derive(Clone, Copy)]
pub(crate) struct Event<'a> {
    /// Its origin.
    pub(crate) origin: Origin<'a>,
    /// Its carrier.
    pub(crate) carrier: Carrier,
    /// The time of sending, from a beginning that all messages of its session share.
    pub(crate) time: Option<Duration>,
    /// The duration of the check.
    pub(crate) took: Duration,
    /// The result.
    pub(crate) checked: &'a Checked<'a>,
}

/// The `meta` of the envelope for a message when it is seen.
pub(super) enum KnownMeta<'a> {
    /// The message ends an exchange, of which everything is known.
    Whole(&'a ResultEnvelope),
    /// The message begins one.
    Begun(&'a Open),
    /// It belongs to none, or to several: only the trace of its session is known.
    Trace(String),
}

/// Renders the event of a message.
pub(super) fn message(
    event: &Event<'_>,
    mode: Mode,
    meta: &KnownMeta<'_>,
    derived: bool,
    bodies: Option<&Redaction>,
) -> Vec<u8> {
    let checked = event.checked;
    let verdict = checked.verdict();
    let name = match checked.kind() {
        MessageKind::Empty => "http",
        _ => "message",
    };
    let mut line = Line::begin(level_of(verdict), name, mode);
    line.origin(&event.origin);
    line.text("direction", checked.direction().map(Direction::name));
    line.text("transport", transport(event.carrier));
    let kind = checked.kind();
    line.text(
        "kind",
        (kind != MessageKind::Empty).then(|| checked.kind_name()),
    );
    line.text(
        "method",
        checked.method().map(|name| short(&name)).as_deref(),
    );
    line.member("id", &name::id(checked.id()));
    line.text("revision", checked.revision().map(Revision::name));
    line.verdict(verdict);
    if !checked.is_judged() {
        line.text("not_judged", Some(NOT_JUDGED));
    }
    let faults: Vec<_> = checked
        .violations()
        .iter()
        .map(|violation| Fault::new(checked, violation).to_json())
        .collect();
    line.member("rules", &format!("[{}]", faults.join(",")));
    line.member("bytes", &checked.bytes().len().to_string());
    line.member("durationMs", &milliseconds(event.took));
    line.member("meta", &meta.to_json(derived));
    if let Some(redaction) = bodies {
        line.body(checked, redaction);
    }
    line.end()
}

/// Renders the event of an exchange that is over.
pub(super) fn exchange(open: &Open, envelope: &ResultEnvelope, mode: Mode) -> Vec<u8> {
    // A refusal that keeps the protocol is no fault.
    let level = match open.verdict {
        Verdict::Pass if !envelope.is_ok() => "warn",
        verdict => level_of(verdict),
    };
    let mut line = Line::begin(level, "exchange", mode);
    line.origin(&open.origin());
    line.text("direction", open.direction().map(Direction::name));
    line.text("transport", transport(open.carrier));
    line.text("method", open.method.as_deref());
    line.member("id", open.id());
    line.text("revision", open.revision.map(Revision::name));
    line.verdict(open.verdict);
    line.member("envelope", &envelope.to_json());
    line.end()
}

/// Renders the event of a missing message at the end of a session.
pub(super) fn ending(origin: &Origin<'_>, ending: &Ending, mode: Mode) -> Vec<u8> {
    let verdict = match ending.level {
        Level::Error => Verdict::Block,
        Level::Warning | Level::Note => Verdict::Flag,
    };
    let mut line = Line::begin(level_of(verdict), "ending", mode);
    line.origin(origin);
    line.text("direction", ending.direction.map(Direction::name));
    line.text("method", ending.method.as_deref().map(short).as_deref());
    line.member("id", &name::id_text(ending.id.as_deref().unwrap_or("null")));
    line.text("revision", ending.revision.map(Revision::name));
    line.verdict(verdict);
    let (rule, level) = (ending.rule.name, ending.level.name());
    let rules = format!(r#"[{{"rule":"{rule}","level":"{level}","pointer":""}}]"#);
    line.member("rules", &rules);
    line.end()
}

/// Renders the event of a record that could not be read.
pub(super) fn record_fault(fault: &RecordFault<'_>, session: Option<&str>, mode: Mode) -> Vec<u8> {
    let mut line = Line::begin("error", "record_fault", mode);
    line.origin(&Origin {
        source: fault.source,
        line: fault.line,
        session,
        ..Origin::default()
    });
    line.text("reason", Some(fault.message));
    line.end()
}

/// Renders the event of definitions that were read again: the reason if that failed.
pub(super) fn definitions(source: &str, failure: Option<&str>, mode: Mode) -> Vec<u8> {
    let level = if failure.is_some() { "error" } else { "info" };
    let mut line = Line::begin(level, "definitions", mode);
    line.text("source", Some(source));
    line.member("replaced", if failure.is_some() { "false" } else { "true" });
    line.text("reason", failure);
    line.end()
}

/// The repaired part.
#[derive(Clone, Copy)]
pub(crate) struct Mended<'a> {
    pub(crate) kind: &'static str,
    pub(crate) rule: &'static str,
    pub(crate) pointer: &'a str,
    pub(crate) before: &'a str,
    pub(crate) after: &'a str,
    /// The tool that was left out: it is named and not quoted.
    pub(crate) tool: Option<&'a str>,
}

impl<'a> Mended<'a> {
    /// A repair of a message, with the original value.
    pub(crate) fn new(repair: &'a Repair, before: &'a str) -> Self {
        Self {
            kind: repair.kind.name(),
            rule: repair.rule,
            pointer: &repair.pointer,
            before,
            after: repair.after,
            tool: repair.tool.as_deref(),
        }
    }
}

/// Renders the event of a repair.
pub(super) fn repair(origin: &Origin<'_>, mended: &Mended<'_>, mode: Mode) -> Vec<u8> {
    let mut line = Line::begin("warn", "repair", mode);
    line.origin(origin);
    line.text("kind", Some(mended.kind));
    line.text("rule", Some(mended.rule));
    line.text("pointer", Some(mended.pointer));
    match mended.tool {
        Some(tool) => line.text("tool", Some(&super::name::short(tool))),
        None => {
            line.text("before", Some(mended.before));
            line.text("after", Some(mended.after));
        }
    }
    line.end()
}

impl KnownMeta<'_> {
    fn to_json(&self, derived: bool) -> String {
        let (open, trace) = match self {
            Self::Whole(envelope) => return envelope.meta_json(),
            Self::Begun(open) => (Some(open), open.ids.trace.to_string()),
            Self::Trace(trace) => (None, trace.clone()),
        };
        let mut line = Line(Vec::new());
        if let Some(open) = open {
            line.text("requestId", Some(open.ids.request.as_str()));
        }
        line.text("traceId", Some(&trace));
        if let Some(open) = open {
            line.text("spanId", Some(&open.ids.span.to_string()));
        }
        line.text("schemaVersion", Some(SCHEMA_VERSION));
        line.member("deterministic", if derived { "true" } else { "false" });
        if let Some(open) = open {
            line.text("route", open.route.as_deref());
            line.member("attempt", &open.attempt.to_string());
            line.member("inputBytes", &open.bytes.to_string());
            if let Some(tool) = &open.tool {
                line.text("toolId", Some(&tool.to_string()));
            }
            if let Some(prompt) = &open.prompt {
                line.text("promptId", Some(prompt.as_str()));
            }
        }
        line.0.push(b'}');
        // It was made of texts.
        String::from_utf8_lossy(&line.0).into_owned()
    }
}

/// An object on one line.
struct Line(Vec<u8>);

impl Line {
    fn begin(level: &str, event: &str, mode: Mode) -> Self {
        let mut line = Self(Vec::with_capacity(512));
        line.text("ts", Some(&stamp(SystemTime::now())));
        line.text("level", Some(level));
        line.text("event", Some(event));
        line.text("mode", Some(mode.name()));
        line
    }

    fn origin(&mut self, origin: &Origin<'_>) {
        self.text("source", Some(origin.source));
        self.member("line", &origin.line.to_string());
        self.text("session", origin.session.map(short).as_deref());
    }

    fn verdict(&mut self, verdict: Verdict) {
        self.text("verdict", Some(verdict.name()));
        let block = verdict == Verdict::Block;
        self.member("would_block", if block { "true" } else { "false" });
    }

    /// The message without secrets, and the head that carried it. A message that cannot be read has
    /// no keys by which to recognise secrets.
    fn body(&mut self, checked: &Checked<'_>, redaction: &Redaction) {
        if let Some(http) = checked.http() {
            self.member("http", &head(http.part, redaction));
        }
        let readable = checked.kind() != MessageKind::Unreadable;
        let mut body = Vec::new();
        match checked.root().filter(|_| readable) {
            Some(root) => redaction.body(root, &mut body),
            None => body.extend_from_slice(b"null"),
        }
        self.member("body", &String::from_utf8_lossy(&body));
    }

    fn text(&mut self, name: &'static str, text: Option<&str>) {
        self.name(name);
        match text {
            Some(text) => push_text(text, &mut self.0),
            None => self.0.extend_from_slice(b"null"),
        }
    }

    fn member(&mut self, name: &'static str, json: &str) {
        self.name(name);
        self.0.extend_from_slice(json.as_bytes());
    }

    /// Begins a member; our names need no escapes.
    fn name(&mut self, name: &'static str) {
        self.0
            .extend_from_slice(if self.0.is_empty() { b"{\"" } else { b",\"" });
        self.0.extend_from_slice(name.as_bytes());
        self.0.extend_from_slice(b"\":");
    }

    fn end(mut self) -> Vec<u8> {
        self.0.extend_from_slice(b"}\n");
        self.0
    }
}

/// The head of an HTTP request or response, or the known facts of an event.
fn head(part: Part<'_>, redaction: &Redaction) -> String {
    let pairs = |headers: mcp_assay::Headers<'_>| {
        let pair = |(name, value): &(&str, &str)| {
            let value = if redaction.hides(name) {
                REDACTED
            } else {
                value
            };
            format!("[{},{}]", quoted(name), quoted(value))
        };
        let pairs: Vec<_> = headers.0.iter().map(pair).collect();
        format!("[{}]", pairs.join(","))
    };
    match part {
        Part::Request {
            method,
            path,
            headers,
        } => format!(
            r#"{{"method":{},"path":{},"headers":{}}}"#,
            quoted(method),
            quoted(&Redaction::path(path)),
            pairs(headers)
        ),
        Part::Response {
            status, headers, ..
        } => format!(r#"{{"status":{status},"headers":{}}}"#, pairs(headers)),
        Part::Event { name, .. } => format!(r#"{{"event":{}}}"#, quoted_or_null(name)),
        Part::End { by } => match by {
            Some(party) => format!(r#"{{"end":true,"by":"{}"}}"#, party.name()),
            None => r#"{"end":true}"#.to_owned(),
        },
    }
}

fn level_of(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "info",
        Verdict::Flag => "warn",
        Verdict::Block => "error",
    }
}

fn transport(carrier: Carrier) -> Option<&'static str> {
    match carrier {
        Carrier::Stdio => Some("stdio"),
        Carrier::Http => Some("http"),
        _ => None,
    }
}
