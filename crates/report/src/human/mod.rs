//! The format for people: the message with carets, the expected value, the remedy.

mod snippet;
pub(crate) mod summary;
mod window;

use std::io::{self, Write};

use mcp_assay::{Checked, Ending, Level, MessageKind, Part, Place, Span, Violation};

use self::snippet::Snippet;
use self::window::Window;
use crate::finding::record_fault_message;
use crate::ndjson::{header, http_place};
use crate::paint::Paint;
use crate::{Origin, RecordFault, Reporter, SourceState, Style, Totals, visible, wrap};

/// Violations shown for one message.
const MAX_SHOWN: usize = 10;
/// Columns of a name from the message that is quoted in the header.
const MAX_NAME: usize = 60;
/// Columns of the gutter.
const GUTTER: usize = 3;

/// The format.
pub(crate) struct Human {
    style: Style,
}

impl Human {
    pub(crate) fn new(style: Style) -> Self {
        Self {
            style: Style {
                width: style.width.clamp(40, 160),
                ..style
            },
        }
    }

    fn header(&self, place: &str, out: &mut dyn Write) -> io::Result<()> {
        let place = wrap::folded(place, self.style, 2);
        writeln!(out, "{}", Paint::new(self.style).bold(&place))
    }

    fn violation(
        &self,
        checked: &Checked<'_>,
        violation: &Violation,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let (message, label, help) = (
            checked.message(violation),
            checked.label(violation),
            checked.help(violation),
        );
        let label = visible::beginning(&label, self.style.width / 2);
        let columns = self.style.width - GUTTER;
        let head = head_line(checked, violation);
        let (line, span) = match &head {
            Some((line, span)) => (line.as_bytes(), *span),
            None => (checked.bytes(), violation.span),
        };
        let window = Window::cut(line, span, columns, visible::columns(&label));
        let (place, help) = (place(checked, violation), visible::text(&help));
        let schema = checked.schema(violation);
        let schema = schema.map(|schema| visible::text(&schema.to_string()).into_owned());
        let notes: Vec<_> = [("at", &*place)]
            .into_iter()
            .chain(schema.as_deref().map(|schema| ("schema", schema)))
            .chain([("help", &*help)])
            .collect();
        let snippet = Snippet {
            level: checked.level(violation),
            rule: Some(violation.rule.name),
            title: &visible::text(&message),
            line: Some((&window, &label)),
            notes: &notes,
        };
        self.write(&snippet, out)
    }

    fn write(&self, snippet: &Snippet<'_>, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(snippet.draw(self.style).as_bytes())
    }
}

impl Reporter for Human {
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
        let violations = checked.violations();
        if violations.is_empty() {
            return Ok(());
        }
        let place = format!(
            "{}:{} ({})",
            visible::text(origin.source),
            origin.line,
            describe(origin, checked)
        );
        self.header(&place, out)?;
        for violation in violations.iter().take(MAX_SHOWN) {
            self.violation(checked, violation, out)?;
        }
        match violations.len().saturating_sub(MAX_SHOWN) {
            0 => Ok(()),
            more => writeln!(out, "and {more} more in this message\n"),
        }
    }

    fn ending(
        &self,
        origin: &Origin<'_>,
        ending: &Ending,
        _: &mut SourceState,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let place = format!(
            "{}:{} ({})",
            visible::text(origin.source),
            origin.line,
            describe_ending(origin, ending)
        );
        self.header(&place, out)?;
        let snippet = Snippet {
            level: ending.level,
            rule: Some(ending.rule.name),
            title: ending.message,
            line: None,
            notes: &[("help", ending.rule.help)],
        };
        self.write(&snippet, out)
    }

    fn record_fault(
        &self,
        fault: &RecordFault<'_>,
        _: &mut SourceState,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        self.header(
            &format!("{}:{}", visible::text(fault.source), fault.line),
            out,
        )?;
        let message = record_fault_message(fault);
        let snippet = Snippet {
            level: Level::Error,
            rule: None,
            title: &visible::text(&message),
            line: None,
            notes: &[],
        };
        self.write(&snippet, out)
    }

    fn finish(&self, totals: &Totals, out: &mut dyn Write) -> io::Result<()> {
        summary::write(totals, out)
    }
}

/// The facts about the message, as far as known: "server → client, response to tools/list, id 3".
pub(crate) fn describe(origin: &Origin<'_>, checked: &Checked<'_>) -> String {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(
        checked
            .direction()
            .map(|direction| direction.words().to_owned()),
    );
    let kind = checked.kind();
    let method = checked
        .method()
        .map(|method| visible::beginning(&method, MAX_NAME));
    parts.push(match (kind, method) {
        (MessageKind::Response | MessageKind::Error, Some(method)) => {
            format!("{} to {method}", kind.name())
        }
        (_, Some(method)) => format!("{} {method}", kind.name()),
        (_, None) => checked.kind_name().to_owned(),
    });
    parts.extend(checked.id().map(|id| {
        let raw = id.raw();
        let shown = String::from_utf8_lossy(&raw[..raw.len().min(4 * MAX_NAME)]);
        format!("id {}", visible::beginning(&shown, MAX_NAME))
    }));
    parts.extend(
        checked
            .revision()
            .map(|revision| revision.name().to_owned()),
    );
    parts.extend(
        origin
            .session
            .map(|session| format!("session {}", visible::beginning(session, MAX_NAME))),
    );
    parts.join(", ")
}

/// The message that a session lacks at its end: "at the end of the session, client → server,
/// tools/list, id 3".
pub(crate) fn describe_ending(origin: &Origin<'_>, ending: &Ending) -> String {
    let mut what = vec!["at the end of the session".to_owned()];
    what.extend(
        ending
            .direction
            .map(|direction| direction.words().to_owned()),
    );
    what.extend(
        ending
            .method
            .as_deref()
            .map(|method| visible::beginning(method, MAX_NAME)),
    );
    what.extend(
        ending
            .id
            .as_deref()
            .map(|id| format!("id {}", visible::beginning(id, MAX_NAME))),
    );
    what.extend(
        origin
            .session
            .map(|session| format!("session {}", visible::beginning(session, MAX_NAME))),
    );
    what.join(", ")
}

/// The line of the HTTP head that is at fault, with the offending bytes.
pub(crate) fn head_line(checked: &Checked<'_>, violation: &Violation) -> Option<(String, Span)> {
    let whole = |line: String, start: usize| {
        let end = line.len() as u32;
        let start = start as u32;
        Some((line, Span { start, end }))
    };
    match (violation.place, checked.http()?.part) {
        (Place::Message, _) => None,
        (Place::Header(position), _) => {
            let (name, value) = header(checked, position)?;
            // Credentials are not shown.
            let secret = ["authorization", "cookie", "set-cookie", "mcp-session-id"]
                .iter()
                .any(|secret| name.eq_ignore_ascii_case(secret));
            let value = if secret { "(not shown)" } else { value };
            whole(format!("{name}: {value}"), name.len() + 2)
        }
        (_, Part::Request { method, path, .. }) => {
            // A query may hold a credential.
            let path = path.split_once('?').map_or(path, |(path, _)| path);
            whole(format!("{method} {path}"), 0)
        }
        (_, Part::Response { status, .. }) => whole(format!("HTTP {status}"), 0),
        (_, Part::Event { name, .. }) => whole(format!("event: {}", name.unwrap_or("message")), 0),
        (_, Part::End { .. }) => whole("end of the stream".to_owned(), 0),
    }
}

/// The place of the fault: the pointer, the line of a message that has several, the bytes.
pub(crate) fn place(checked: &Checked<'_>, violation: &Violation) -> String {
    let mut parts = Vec::new();
    if let Some(place) = http_place(checked, violation) {
        return place;
    }
    let pointer = checked.pointer(violation);
    if !pointer.is_empty() {
        parts.push(visible::ending(&pointer, MAX_NAME));
    }
    let (start, end) = (violation.span.start, violation.span.end);
    let before = checked.bytes().get(..start as usize).unwrap_or_default();
    let lines = before.split(|&byte| byte == b'\n').count();
    if lines > 1 {
        parts.push(format!("line {lines} of the message"));
    }
    parts.push(match end.saturating_sub(start) {
        0 | 1 => format!("byte {start}"),
        _ => format!("bytes {start}..{end}"),
    });
    parts.join(", ")
}
