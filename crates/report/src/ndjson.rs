//! One line a message, then one summary line.

use std::io::{self, Write};

use mcp_assay::syntax::{Kind, Node};
use mcp_assay::{Checked, Revision, Violation};

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
        write_message(origin, checked, out)?;
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
    write!(out, ",\"kind\":\"{}\",\"method\":", checked.kind().name())?;
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
        messages,
        pass,
        flag,
        block,
        record_faults,
        violations,
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
pub(crate) fn clause(violation: &Violation, revision: Option<Revision>) -> String {
    let rule = violation.rule;
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
    match rule.code {
        // No refusal makes sense.
        0 => out.write_all(b"null")?,
        code => write!(out, "{code}")?,
    }
    out.write_all(b",\"help\":")?;
    write_text(&checked.help(violation), out)?;
    out.write_all(b",\"spec\":")?;
    write_text(&clause(violation, checked.revision()), out)?;
    out.write_all(b"}")
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
