//! One line a message, then one summary line.

use std::io::{self, Write};

use mcp_assay::syntax::{Kind, Node};
use mcp_assay::{
    Checked, Ending, Level, MessageKind, Part, Party, Place, Revision, Rule, Violation,
};

use crate::{Origin, RecordFault, Reporter, Totals};

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
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if is_silent(checked) {
            return Ok(());
        }
        write_message(origin, checked, out)?;
        out.write_all(b"\n")
    }

    fn ending(&self, origin: &Origin<'_>, ending: &Ending, out: &mut dyn Write) -> io::Result<()> {
        write_ending(origin, ending, out)?;
        out.write_all(b"\n")
    }

    fn record_fault(&self, fault: &RecordFault<'_>, out: &mut dyn Write) -> io::Result<()> {
        write_record_fault(fault, out)?;
        out.write_all(b"\n")
    }

    fn finish(&self, totals: &Totals, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"{\"summary\":")?;
        write_totals(totals, out)?;
        out.write_all(b"}\n")
    }
}

/// Whether it is no message, and nothing is wrong with it: a part of an HTTP exchange without a body.
pub(crate) fn is_silent(checked: &Checked<'_>) -> bool {
    checked.kind() == MessageKind::Empty && checked.violations().is_empty()
}

/// What the end of a session shows: the message that asks for what is missing once more, with `"end":true`.
pub(crate) fn write_ending(
    origin: &Origin<'_>,
    ending: &Ending,
    out: &mut dyn Write,
) -> io::Result<()> {
    out.write_all(b"{\"source\":")?;
    write_text(origin.source, out)?;
    write!(out, ",\"line\":{},\"dir\":", origin.line)?;
    write_option(ending.direction.map(mcp_assay::Direction::name), out)?;
    out.write_all(b",\"session\":")?;
    write_option(origin.session, out)?;
    out.write_all(b",\"kind\":")?;
    write_kind(ending.kind, out)?;
    out.write_all(b",\"method\":")?;
    write_option(ending.method.as_deref(), out)?;
    write!(out, ",\"id\":{}", ending.id.as_deref().unwrap_or("null"))?;
    out.write_all(b",\"revision\":")?;
    write_option(ending.revision.map(Revision::name), out)?;
    let rule = ending.rule;
    let (layer, level) = (rule.layer.name(), ending.level);
    let verdict = if level == Level::Error {
        "block"
    } else {
        "flag"
    };
    write!(
        out,
        ",\"end\":true,\"verdict\":\"{verdict}\",\"violations\":[{{\"rule\":\"{}\",\"layer\":\"{layer}\",\"level\":\"{}\",\"message\":",
        rule.name,
        level.name()
    )?;
    write_text(ending.message, out)?;
    out.write_all(b",\"pointer\":\"\",\"span\":{\"start\":0,\"end\":0},\"code\":")?;
    write_code(rule.code, out)?;
    out.write_all(b",\"help\":")?;
    write_text(rule.help, out)?;
    out.write_all(b",\"spec\":")?;
    write_text(&clause(rule, ending.revision), out)?;
    out.write_all(b",\"party\":")?;
    write_option(ending.party.map(Party::name), out)?;
    out.write_all(b"}]}")
}

/// A message as one object on one line. The order and the names of its members are part of the format.
pub(crate) fn write_message(
    origin: &Origin<'_>,
    checked: &Checked<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    out.write_all(b"{\"source\":")?;
    write_text(origin.source, out)?;
    write!(out, ",\"line\":{},\"dir\":", origin.line)?;
    write_option(checked.direction().map(mcp_assay::Direction::name), out)?;
    out.write_all(b",\"session\":")?;
    write_option(origin.session, out)?;
    out.write_all(b",\"kind\":")?;
    write_kind(checked.kind(), out)?;
    out.write_all(b",\"method\":")?;
    write_option(checked.method().as_deref(), out)?;
    out.write_all(b",\"id\":")?;
    write_id(checked.id(), out)?;
    out.write_all(b",\"revision\":")?;
    write_option(checked.revision().map(Revision::name), out)?;
    write!(
        out,
        ",\"verdict\":\"{}\",\"violations\":[",
        checked.verdict().name()
    )?;
    for (index, violation) in checked.violations().iter().enumerate() {
        if index > 0 {
            out.write_all(b",")?;
        }
        write_violation(checked, violation, out)?;
    }
    out.write_all(b"]}")
}

/// A broken record as one object on one line.
pub(crate) fn write_record_fault(fault: &RecordFault<'_>, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"{\"source\":")?;
    write_text(fault.source, out)?;
    write!(out, ",\"line\":{},\"record_fault\":", fault.line)?;
    write_text(fault.message, out)?;
    out.write_all(b"}")
}

/// The counts as an object.
pub(crate) fn write_totals(totals: &Totals, out: &mut dyn Write) -> io::Result<()> {
    let Totals {
        missing: _,
        messages,
        pass,
        flag,
        block,
        record_faults,
        violations,
        sources,
    } = totals;
    write!(
        out,
        "{{\"messages\":{messages},\"pass\":{pass},\"flag\":{flag},\"block\":{block},\"violations\":{{"
    )?;
    for (index, (rule, count)) in violations.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        write!(out, "{comma}\"{rule}\":{count}")?;
    }
    out.write_all(b"}")?;
    if *record_faults > 0 {
        write!(out, ",\"record_faults\":{record_faults}")?;
    }
    for (index, (name, note)) in sources.iter().enumerate() {
        out.write_all(if index == 0 { b",\"sources\":{" } else { b"," })?;
        write_text(name, out)?;
        let (format, fidelity) = (note.format, note.fidelity);
        write!(
            out,
            ":{{\"format\":\"{format}\",\"fidelity\":\"{fidelity}\",\"missing\":["
        )?;
        for (index, missing) in note.missing.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(out, "{comma}\"{missing}\"")?;
        }
        out.write_all(b"]}")?;
    }
    if !sources.is_empty() {
        out.write_all(b"}")?;
    }
    out.write_all(b"}")
}

/// A string with its quotes.
pub(crate) fn write_text(text: &str, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(out, text).map_err(io::Error::from)
}

fn write_option(text: Option<&str>, out: &mut dyn Write) -> io::Result<()> {
    match text {
        Some(text) => write_text(text, out),
        None => out.write_all(b"null"),
    }
}

/// The clause as the specification of a revision has it: that in force if it states the rule, else the last that does.
pub(crate) fn clause(rule: &Rule, revision: Option<Revision>) -> String {
    let stated = revision.filter(|revision| rule.revisions.contains(*revision));
    match stated.or_else(|| rule.revisions.iter().next_back()) {
        Some(revision) => format!("{revision}/{}", rule.spec),
        None => rule.spec.to_owned(),
    }
}

fn write_violation(
    checked: &Checked<'_>,
    violation: &Violation,
    out: &mut dyn Write,
) -> io::Result<()> {
    let rule = violation.rule;
    let (layer, level) = (rule.layer.name(), checked.level(violation).name());
    write!(
        out,
        "{{\"rule\":\"{}\",\"layer\":\"{layer}\",\"level\":\"{level}\",\"message\":",
        rule.name
    )?;
    write_text(&checked.message(violation), out)?;
    out.write_all(b",\"pointer\":")?;
    write_text(&checked.pointer(violation), out)?;
    write!(
        out,
        ",\"span\":{{\"start\":{},\"end\":{}}},\"code\":",
        violation.span.start, violation.span.end
    )?;
    write_code(rule.code, out)?;
    out.write_all(b",\"help\":")?;
    write_text(&checked.help(violation), out)?;
    out.write_all(b",\"spec\":")?;
    write_text(&clause(rule, checked.revision()), out)?;
    out.write_all(b",\"party\":")?;
    write_option(checked.party(violation).map(Party::name), out)?;
    if let Some(place) = http_place(checked, violation) {
        out.write_all(b",\"http\":")?;
        write_text(&place, out)?;
    }
    out.write_all(b"}")
}

/// Where in the head of an HTTP exchange the fault is: `header accept`, `status`, `request line`.
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
        Part::Event { .. } | Part::End => return None,
    };
    headers.0.get(usize::from(position)).copied()
}

/// A part of an HTTP exchange without a body is no message, so it is of no kind.
fn write_kind(kind: MessageKind, out: &mut dyn Write) -> io::Result<()> {
    write_option((kind != MessageKind::Empty).then(|| kind.name()), out)
}

fn write_code(code: i32, out: &mut dyn Write) -> io::Result<()> {
    match code {
        // No refusal makes sense.
        0 => out.write_all(b"null"),
        code => write!(out, "{code}"),
    }
}

/// The id as it was sent, but on one line and readable for every parser.
fn write_id(id: Option<Node<'_>>, out: &mut dyn Write) -> io::Result<()> {
    let Some(id) = id else {
        return out.write_all(b"null");
    };
    match id.text() {
        // Half a surrogate pair, which many parsers refuse, was replaced.
        Some(text) if text.contains(char::REPLACEMENT_CHARACTER) => write_text(&text, out),
        None if matches!(id.kind(), Kind::Array | Kind::Object) => {
            // Line ends stand only between tokens: in a string they would not be JSON.
            let line: Vec<u8> = id
                .raw()
                .iter()
                .map(|&byte| {
                    if matches!(byte, b'\n' | b'\r') {
                        b' '
                    } else {
                        byte
                    }
                })
                .collect();
            out.write_all(&line)
        }
        _ => out.write_all(id.raw()),
    }
}
