//! The lines of a log.

use std::time::{Duration, SystemTime};

use mcp_assay::syntax::{Kind, Node};
use mcp_assay::{Carrier, Checked, Direction, Ending, Level, MessageKind, Part, Revision, Verdict};
use mcp_assay_contract::envelope::{SCHEMA_VERSION, TraceId};
use mcp_assay_live::guard::Repair;
use mcp_assay_report::{NOT_JUDGED, Origin, RecordFault};

use super::clock::{push_milliseconds, push_stamp};
use super::exchanges::Open;
use super::name::{self, quoted, quoted_or_null, short};
use super::outcome::Fault;
use super::redact::{REDACTED, Redaction};
use super::writer::Mode;
use crate::json::{push_number, push_text};

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
    /// The message ends an exchange, of which everything is known: it is this JSON.
    Whole(&'a str),
    /// The message begins one.
    Begun(&'a Open),
    /// It belongs to none, or to several: only the trace of its session is known.
    Trace(TraceId),
}

/// Renders the event of a message.
pub(super) fn message(
    event: &Event<'_>,
    mode: Mode,
    meta: &KnownMeta<'_>,
    derived: bool,
    bodies: Option<&Redaction>,
    out: &mut Vec<u8>,
) {
    let checked = event.checked;
    let verdict = checked.verdict();
    let name = match checked.kind() {
        MessageKind::Empty => "http",
        _ => "message",
    };
    let mut line = Line::begin(level_of(verdict), name, mode, out);
    line.origin(&event.origin);
    line.word(",\"direction\":", checked.direction().map(Direction::name));
    line.word(",\"transport\":", transport(event.carrier));
    let kind = checked.kind();
    line.text(
        ",\"kind\":",
        (kind != MessageKind::Empty).then(|| checked.kind_name()),
    );
    let method = checked.method();
    line.text(",\"method\":", method.as_deref().map(short).as_deref());
    line.id(checked.id());
    line.word(",\"revision\":", checked.revision().map(Revision::name));
    line.verdict(verdict);
    if !checked.is_judged() {
        line.word(",\"not_judged\":", Some(NOT_JUDGED));
    }
    let faults = checked.violations().iter();
    let faults: Vec<_> = faults
        .map(|violation| Fault::new(checked, violation).to_json())
        .collect();
    line.list(",\"rules\":", &faults);
    line.number(",\"bytes\":", checked.bytes().len() as u64);
    line.name(",\"durationMs\":");
    push_milliseconds(event.took, line.0);
    line.meta(meta, derived);
    if let Some(redaction) = bodies {
        line.body(checked, redaction);
    }
    line.end();
}

/// Renders the event of an exchange that is over, with its envelope as JSON.
pub(super) fn exchange(open: &Open, is_ok: bool, envelope: &str, mode: Mode, out: &mut Vec<u8>) {
    // A refusal that keeps the protocol is no fault.
    let level = match open.verdict {
        Verdict::Pass if !is_ok => "warn",
        verdict => level_of(verdict),
    };
    let mut line = Line::begin(level, "exchange", mode, out);
    line.origin(&open.origin());
    line.word(",\"direction\":", open.direction().map(Direction::name));
    line.word(",\"transport\":", transport(open.carrier));
    line.text(",\"method\":", open.method.as_deref());
    line.member(",\"id\":", open.id());
    line.word(",\"revision\":", open.revision.map(Revision::name));
    line.verdict(open.verdict);
    line.member(",\"envelope\":", envelope);
    line.end();
}

/// Renders the event of a missing message at the end of a session.
pub(super) fn ending(origin: &Origin<'_>, ending: &Ending, mode: Mode, out: &mut Vec<u8>) {
    let verdict = match ending.level {
        Level::Error => Verdict::Block,
        Level::Warning | Level::Note => Verdict::Flag,
    };
    let mut line = Line::begin(level_of(verdict), "ending", mode, out);
    line.origin(origin);
    line.word(",\"direction\":", ending.direction.map(Direction::name));
    line.text(
        ",\"method\":",
        ending.method.as_deref().map(short).as_deref(),
    );
    line.member(
        ",\"id\":",
        &name::id_text(ending.id.as_deref().unwrap_or("null")),
    );
    line.word(",\"revision\":", ending.revision.map(Revision::name));
    line.verdict(verdict);
    let (rule, level) = (ending.rule.name, ending.level.name());
    let rules = format!(r#"[{{"rule":"{rule}","level":"{level}","pointer":""}}]"#);
    line.member(",\"rules\":", &rules);
    line.end();
}

/// Renders the event of a record that could not be read.
pub(super) fn record_fault(
    fault: &RecordFault<'_>,
    session: Option<&str>,
    mode: Mode,
    out: &mut Vec<u8>,
) {
    let mut line = Line::begin("error", "record_fault", mode, out);
    line.origin(&Origin {
        source: fault.source,
        line: fault.line,
        session,
        ..Origin::default()
    });
    line.text(",\"reason\":", Some(fault.message));
    line.end();
}

/// Renders the event of definitions that were read again: the reason if that failed.
pub(super) fn definitions(source: &str, failure: Option<&str>, mode: Mode) -> Vec<u8> {
    let level = if failure.is_some() { "error" } else { "info" };
    let mut out = Vec::new();
    let mut line = Line::begin(level, "definitions", mode, &mut out);
    line.text(",\"source\":", Some(source));
    line.member(
        ",\"replaced\":",
        if failure.is_some() { "false" } else { "true" },
    );
    line.text(",\"reason\":", failure);
    line.end();
    out
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
pub(super) fn repair(origin: &Origin<'_>, mended: &Mended<'_>, mode: Mode, out: &mut Vec<u8>) {
    let mut line = Line::begin("warn", "repair", mode, out);
    line.origin(origin);
    line.text(",\"kind\":", Some(mended.kind));
    line.text(",\"rule\":", Some(mended.rule));
    line.text(",\"pointer\":", Some(mended.pointer));
    match mended.tool {
        Some(tool) => line.text(",\"tool\":", Some(&super::name::short(tool))),
        None => {
            line.text(",\"before\":", Some(mended.before));
            line.text(",\"after\":", Some(mended.after));
        }
    }
    line.end();
}

/// An object on one line, at the end of a buffer.
struct Line<'b>(&'b mut Vec<u8>);

impl<'b> Line<'b> {
    fn begin(level: &'static str, event: &'static str, mode: Mode, out: &'b mut Vec<u8>) -> Self {
        out.extend_from_slice(b"{\"ts\":\"");
        push_stamp(SystemTime::now(), out);
        out.push(b'"');
        let mut line = Self(out);
        line.word(",\"level\":", Some(level));
        line.word(",\"event\":", Some(event));
        line.word(",\"mode\":", Some(mode.name()));
        line
    }

    fn origin(&mut self, origin: &Origin<'_>) {
        self.text(",\"source\":", Some(origin.source));
        self.number(",\"line\":", origin.line);
        self.text(",\"session\":", origin.session.map(short).as_deref());
    }

    fn id(&mut self, id: Option<Node<'_>>) {
        self.name(",\"id\":");
        match id {
            // Digits are the same in every spelling.
            Some(id) if id.kind() == Kind::Number && id.raw().iter().all(u8::is_ascii_digit) => {
                self.0.extend_from_slice(id.raw());
            }
            None => self.0.extend_from_slice(b"null"),
            id => self.0.extend_from_slice(name::id(id).as_bytes()),
        }
    }

    fn meta(&mut self, meta: &KnownMeta<'_>, derived: bool) {
        let (open, trace) = match meta {
            KnownMeta::Whole(json) => return self.member(",\"meta\":", json),
            KnownMeta::Begun(open) => (Some(open), open.ids.trace),
            KnownMeta::Trace(trace) => (None, *trace),
        };
        self.name(",\"meta\":");
        self.0.push(b'{');
        match open {
            Some(open) => {
                self.text("\"requestId\":", Some(open.ids.request.as_str()));
                self.digits(",\"traceId\":", trace.as_bytes());
            }
            None => self.digits("\"traceId\":", trace.as_bytes()),
        }
        if let Some(open) = open {
            self.digits(",\"spanId\":", open.ids.span.as_bytes());
        }
        self.word(",\"schemaVersion\":", Some(SCHEMA_VERSION));
        self.member(
            ",\"deterministic\":",
            if derived { "true" } else { "false" },
        );
        if let Some(open) = open {
            self.text(",\"route\":", open.route.as_deref());
            self.number(",\"attempt\":", u64::from(open.attempt.get()));
            self.number(",\"inputBytes\":", open.bytes as u64);
            if let Some(tool) = &open.tool {
                self.text(",\"toolId\":", Some(&tool.to_string()));
            }
            if let Some(prompt) = &open.prompt {
                self.text(",\"promptId\":", Some(prompt.as_str()));
            }
        }
        self.0.push(b'}');
    }

    fn verdict(&mut self, verdict: Verdict) {
        self.word(",\"verdict\":", Some(verdict.name()));
        let block = verdict == Verdict::Block;
        self.member(",\"would_block\":", if block { "true" } else { "false" });
    }

    /// The message without secrets, and the head that carried it. A message that cannot be read has
    /// no keys by which to recognise secrets.
    fn body(&mut self, checked: &Checked<'_>, redaction: &Redaction) {
        if let Some(http) = checked.http() {
            self.member(",\"http\":", &head(http.part, redaction));
        }
        let readable = checked.kind() != MessageKind::Unreadable;
        let mut body = Vec::new();
        match checked.root().filter(|_| readable) {
            Some(root) => redaction.body(root, &mut body),
            None => body.extend_from_slice(b"null"),
        }
        self.member(",\"body\":", &String::from_utf8_lossy(&body));
    }

    fn text(&mut self, name: &'static str, text: Option<&str>) {
        self.name(name);
        match text {
            Some(text) => push_text(text, self.0),
            None => self.0.extend_from_slice(b"null"),
        }
    }

    /// A word of ours, which needs no escapes.
    fn word(&mut self, name: &'static str, word: Option<&'static str>) {
        self.name(name);
        match word {
            Some(word) => {
                self.0.push(b'"');
                self.0.extend_from_slice(word.as_bytes());
                self.0.push(b'"');
            }
            None => self.0.extend_from_slice(b"null"),
        }
    }

    fn number(&mut self, name: &'static str, number: u64) {
        self.name(name);
        push_number(number, self.0);
    }

    /// Bytes in hexadecimal digits.
    fn digits(&mut self, name: &'static str, bytes: &[u8]) {
        const HEX: &[u8; 16] = b"0123456789abcdef";
        self.name(name);
        self.0.push(b'"');
        let digits = bytes
            .iter()
            .flat_map(|byte| [HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
        self.0.extend(digits);
        self.0.push(b'"');
    }

    fn member(&mut self, name: &'static str, json: &str) {
        self.name(name);
        self.0.extend_from_slice(json.as_bytes());
    }

    fn list(&mut self, name: &'static str, items: &[String]) {
        self.name(name);
        self.0.push(b'[');
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.0.push(b',');
            }
            self.0.extend_from_slice(item.as_bytes());
        }
        self.0.push(b']');
    }

    /// Begins a member: its name with the characters around it.
    #[inline(always)]
    fn name(&mut self, name: &'static str) {
        self.0.extend_from_slice(name.as_bytes());
    }

    fn end(self) {
        self.0.extend_from_slice(b"}\n");
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
