//! A row of the timeline on its way from the thread that renders it to the page: one line of JSON.

use std::io::{self, Write};

use mcp_assay::{
    Checked, Direction, Ending, Level, MessageKind, Part, Place, Rule, Span, Violation, rules,
};
use serde::{Deserialize, Serialize};

use super::escape::{self, add};
use super::raw::{self, Lit};
use crate::finding::{BROKEN_RECORD, BROKEN_RECORD_HELP, BROKEN_RECORD_SUMMARY};
use crate::human::{head_line, place};
use crate::ndjson::clause;
use crate::sarif::clause_address;
use crate::{Context, Origin, RecordFault, page as rule_page, site};

/// Violations of a message that are shown.
const MAX_SHOWN: usize = 50;
/// Characters of a name or an id that is quoted in a row.
const MAX_NAME: usize = 80;
/// The placeholder for the row's anchor in the HTML of its body. Nothing else there can contain it.
pub(super) const ANCHOR: char = '\0';

/// The kind of a row for a message that a session lacks at its end.
pub(super) const NEVER_CAME: &str = "never came";

/// A line.
#[derive(Serialize, Deserialize)]
pub(super) enum Entry {
    /// A row.
    Row(Row),
    /// A source is at its end.
    Source {
        source: String,
        /// The reason why it could not be read to its end.
        failure: Option<String>,
    },
}

/// A row: a message, a part of an HTTP exchange, a missing message of a session, a broken record.
#[derive(Serialize, Deserialize)]
pub(super) struct Row {
    pub(super) source: String,
    pub(super) line: u64,
    pub(super) session: Option<String>,
    /// Seconds.
    pub(super) time: Option<f64>,
    /// `c2s`, `s2c` or nothing.
    pub(super) direction: String,
    /// The kind, in a word or two.
    pub(super) kind: String,
    pub(super) method: Option<String>,
    /// The id as it was sent.
    pub(super) id: Option<String>,
    /// The rules that it breaks.
    pub(super) found: Vec<Found>,
    /// Whether it is a message, or requests one: not only a part of an HTTP exchange.
    pub(super) is_message: bool,
    /// Bytes of the message.
    pub(super) size: usize,
    /// HTML.
    pub(super) body: String,
    /// Whether the source has more rows than a page, so that this one is counted only.
    #[serde(default)]
    pub(super) is_surplus: bool,
}

/// A rule that is broken.
#[derive(Serialize, Deserialize)]
pub(super) struct Found {
    pub(super) rule: String,
    /// 0 to 2.
    pub(super) level: u8,
    /// The fault, in the words of the rule.
    pub(super) summary: String,
}

/// A remark about a message that is no violation of a rule of the library.
#[derive(Clone, Copy, Debug)]
pub struct Remark<'a> {
    /// The rule.
    pub rule: &'a str,
    /// The level.
    pub level: Level,
    /// The finding.
    pub message: &'a str,
    /// The rule in a sentence.
    pub about: &'a str,
}

impl Found {
    fn of_remark(remark: &Remark<'_>) -> Self {
        Self {
            rule: remark.rule.to_owned(),
            level: remark.level as u8,
            summary: remark.about.to_owned(),
        }
    }

    fn new(rule: &Rule, level: Level) -> Self {
        Self {
            rule: rule.name.to_owned(),
            level: level as u8,
            summary: rule.summary().to_owned(),
        }
    }
}

impl Entry {
    pub(super) fn read(line: &[u8]) -> io::Result<Self> {
        // We wrote it: a failure is a defect of ours.
        serde_json::from_slice(line).map_err(io::Error::other)
    }

    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, self).map_err(io::Error::from)?;
        out.write_all(b"\n")
    }
}

impl Row {
    /// The gravest level as a number; 0 if nothing was found, 3 for an error.
    pub(super) fn grade(&self) -> u8 {
        self.found
            .iter()
            .map(|found| found.level + 1)
            .max()
            .unwrap_or(0)
    }
}

/// A message, or a part of an HTTP exchange without one.
///
/// Only these of its violations are shown.
pub(super) fn of_message(
    origin: &Origin<'_>,
    checked: &Checked<'_>,
    violations: &[&Violation],
    remarks: &[Remark<'_>],
    context: &Context,
) -> Row {
    let mut row = without_body(origin, checked, violations);
    row.found.extend(remarks.iter().map(Found::of_remark));
    let http = http_part(checked);
    row.body = body(
        origin,
        checked,
        violations,
        remarks,
        http.as_deref(),
        context,
    );
    row.is_surplus = false;
    row
}

/// The same without its details, for a message that is counted only.
pub(super) fn without_body(
    origin: &Origin<'_>,
    checked: &Checked<'_>,
    violations: &[&Violation],
) -> Row {
    let found: Vec<_> = violations
        .iter()
        .map(|violation| Found::new(violation.rule, checked.level(violation)))
        .collect();
    let id = checked.id().map(|id| {
        let raw = id.raw();
        shortened(&String::from_utf8_lossy(
            &raw[..raw.len().min(4 * MAX_NAME)],
        ))
    });
    let http = http_part(checked);
    let kind = match (checked.kind(), &http) {
        (MessageKind::Empty, Some(part)) => part.clone(),
        _ => checked.kind_name().to_owned(),
    };
    Row {
        source: origin.source.to_owned(),
        line: origin.line,
        session: origin.session.map(shortened),
        time: origin.time.map(|time| time.as_secs_f64()),
        direction: checked
            .direction()
            .map(Direction::name)
            .unwrap_or_default()
            .to_owned(),
        kind,
        method: checked.method().map(|method| shortened(&method)),
        id,
        found,
        is_message: checked.kind() != MessageKind::Empty,
        size: checked.bytes().len(),
        body: String::new(),
        is_surplus: true,
    }
}

/// The findings at the end of a session.
pub(super) fn of_ending(origin: &Origin<'_>, ending: &Ending, context: &Context) -> Row {
    let rule = ending.rule;
    let mut body = String::new();
    let told = Told {
        number: 1,
        level: ending.level,
        rule,
        message: ending.message,
        place: None,
        schema: None,
        clause: &clause(rule, ending.revision),
        help: rule.help,
    };
    told.write(origin.source, context, |_| {}, &mut body);
    Row {
        source: origin.source.to_owned(),
        line: origin.line,
        session: origin.session.map(shortened),
        time: None,
        direction: ending.party.map_or_else(String::new, |party| match party {
            mcp_assay::Party::Client => Direction::ClientToServer.name().to_owned(),
            mcp_assay::Party::Server => Direction::ServerToClient.name().to_owned(),
        }),
        kind: NEVER_CAME.to_owned(),
        method: ending.method.as_deref().map(shortened),
        id: ending.id.as_deref().map(shortened),
        found: vec![Found::new(rule, ending.level)],
        is_message: true,
        size: 0,
        body,
        is_surplus: false,
    }
}

/// A broken record.
pub(super) fn of_record_fault(fault: &RecordFault<'_>, context: &Context) -> Row {
    let mut body = String::new();
    let again = escape::text(&context.again(fault.source, ""));
    add(
        &mut body,
        format_args!(
            "<div class=\"v error\" id=\"{ANCHOR}.1\"><p class=\"say\"><span class=\"lv error\">error</span> {}</p>\
         <dl><dt>rule</dt><dd>{BROKEN_RECORD_SUMMARY}</dd><dt>fix</dt><dd>{BROKEN_RECORD_HELP}</dd>\
         <dt>reproduce</dt><dd><code class=\"cmd\">{again}</code></dd></dl></div>",
            escape::sentence(fault.message)
        ),
    );
    Row {
        source: fault.source.to_owned(),
        line: fault.line,
        session: None,
        time: None,
        direction: String::new(),
        kind: "record that cannot be read".to_owned(),
        method: None,
        id: None,
        found: vec![Found {
            rule: BROKEN_RECORD.to_owned(),
            level: Level::Error as u8,
            summary: BROKEN_RECORD_SUMMARY.to_owned(),
        }],
        is_message: true,
        size: 0,
        body,
        is_surplus: false,
    }
}

/// The details that open under a message.
fn body(
    origin: &Origin<'_>,
    checked: &Checked<'_>,
    violations: &[&Violation],
    remarks: &[Remark<'_>],
    http: Option<&str>,
    context: &Context,
) -> String {
    let mut out = String::new();
    let mut facts: Vec<String> = Vec::new();
    facts.extend(
        checked
            .revision()
            .map(|revision| revision.name().to_owned()),
    );
    let bytes = checked.bytes();
    if checked.kind() != MessageKind::Empty {
        facts.push(format!("{} bytes", bytes.len()));
        facts.extend(http.map(|part| format!("carried by {}", escape::text(part))));
    }
    facts.extend(
        origin
            .session
            .map(|session| format!("session {}", escape::text(&shortened(session)))),
    );
    if !facts.is_empty() {
        add(
            &mut out,
            format_args!("<p class=\"facts\">{}</p>", facts.join(" · ")),
        );
    }
    let lit: Vec<Lit> = violations
        .iter()
        .take(MAX_SHOWN)
        .filter(|violation| violation.place == Place::Message)
        .map(|violation| Lit {
            span: violation.span,
            level: checked.level(violation),
        })
        .chain(remarks.iter().map(|remark| Lit {
            // It concerns the message as a whole.
            span: Span {
                start: 0,
                end: u32::try_from(bytes.len()).unwrap_or(u32::MAX),
            },
            level: remark.level,
        }))
        .collect();
    if checked.kind() != MessageKind::Empty || !bytes.is_empty() {
        raw::whole(bytes, &lit, &mut out);
    }
    // In a short message with one fault the reader sees it at once.
    let excerpts = violations.len() > 1 || bytes.len() > 400;
    for (number, violation) in (1..).zip(violations.iter().take(MAX_SHOWN)) {
        write_violation(
            origin, checked, number, violation, excerpts, context, &mut out,
        );
    }
    if let Some(more) = violations.len().checked_sub(MAX_SHOWN + 1) {
        add(
            &mut out,
            format_args!("<p class=\"more\">{} more in this message</p>", more + 1),
        );
    }
    for (number, remark) in (violations.len() + 1..).zip(remarks) {
        let (level, rule) = (remark.level.name(), escape::text(remark.rule));
        add(
            &mut out,
            format_args!(
                "<div class=\"v {level}\" id=\"{ANCHOR}.{number}\"><p class=\"say\"><span class=\"lv {level}\">{level}</span> \
                 <a href=\"#rule/{rule}\">{rule}</a> {}</p><p>{}</p></div>",
                escape::sentence(remark.message),
                escape::sentence(remark.about)
            ),
        );
    }
    out
}

fn write_violation(
    origin: &Origin<'_>,
    checked: &Checked<'_>,
    number: usize,
    violation: &Violation,
    excerpts: bool,
    context: &Context,
    out: &mut String,
) {
    let level = checked.level(violation);
    let told = Told {
        number,
        level,
        rule: violation.rule,
        message: &checked.message(violation),
        place: Some(place(checked, violation)),
        schema: checked.schema(violation).map(|schema| schema.to_string()),
        clause: &clause(violation.rule, checked.revision()),
        help: &checked.help(violation),
    };
    let show_bytes = |out: &mut String| match head_line(checked, violation) {
        Some((line, span)) => raw::excerpt(line.as_bytes(), Lit { span, level }, out),
        None if excerpts => {
            let span = violation.span;
            raw::excerpt(checked.bytes(), Lit { span, level }, out);
        }
        None => {}
    };
    told.write(origin.source, context, show_bytes, out);
}

/// A violation, in words.
struct Told<'a> {
    number: usize,
    level: Level,
    rule: &'static Rule,
    message: &'a str,
    place: Option<String>,
    /// The keyword of a schema that states it.
    schema: Option<String>,
    clause: &'a str,
    help: &'a str,
}

impl Told<'_> {
    fn write(
        &self,
        source: &str,
        context: &Context,
        show_bytes: impl FnOnce(&mut String),
        out: &mut String,
    ) {
        let (level, number, name) = (self.level.name(), self.number, self.rule.name);
        add(
            out,
            format_args!(
                "<div class=\"v {level}\" id=\"{ANCHOR}.{number}\"><p class=\"say\"><span class=\"lv {level}\">{level}</span> \
             <a href=\"#{ANCHOR}.{number}\">{name}</a> {}</p>",
                escape::sentence(self.message)
            ),
        );
        show_bytes(out);
        out.push_str("<dl>");
        if let Some(place) = &self.place {
            add(
                out,
                format_args!("<dt>where</dt><dd>{}</dd>", escape::text(place)),
            );
        }
        if let Some(schema) = &self.schema {
            add(
                out,
                format_args!("<dt>schema</dt><dd>{}</dd>", escape::text(schema)),
            );
        }
        let why = format!("{} {}", self.rule.summary(), rule_page::why(self.rule));
        let clause = escape::text(self.clause);
        let clause = match clause_address(self.rule, self.clause) {
            Some(address) => link(&address, &clause),
            None => clause,
        };
        // Rules of profiles have no page there.
        let page = match rules::find(name) {
            Some(rule) => format!(" {}", link(&site::rule_page(rule), "examples")),
            None => String::new(),
        };
        add(
            out,
            format_args!(
                "<dt>rule</dt><dd>{}{page}</dd><dt>clause</dt><dd>{clause}</dd><dt>fix</dt><dd>{}</dd>\
             <dt>reproduce</dt><dd><code class=\"cmd\">{}</code></dd></dl></div>",
                escape::sentence(&why),
                escape::sentence(self.help),
                escape::text(&context.again(source, name)),
            ),
        );
    }
}

/// A link to another site; the text is HTML.
fn link(address: &str, text: &str) -> String {
    let address = escape::text(address);
    format!("<a href=\"{address}\" rel=\"noopener noreferrer\">{text}</a>")
}

/// The part of an HTTP exchange, in a few words. A query may hold a credential, so it is left out.
fn http_part(checked: &Checked<'_>) -> Option<String> {
    Some(match checked.http()?.part {
        Part::Request { method, path, .. } => {
            let path = path.split_once('?').map_or(path, |(path, _)| path);
            format!("{} {}", shortened(method), shortened(path))
        }
        Part::Response {
            status, streamed, ..
        } => {
            let stream = if streamed { ", a stream" } else { "" };
            format!("HTTP {status}{stream}")
        }
        Part::Event { name, .. } => format!("event {}", shortened(name.unwrap_or("message"))),
        Part::End { .. } => "end of the stream".to_owned(),
    })
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_NAME) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
