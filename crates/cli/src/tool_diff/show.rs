//! The differences as text and as JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use super::changes::{Change, Kind, ToolDiff};

/// For people: one paragraph per tool, then the counts.
pub(crate) fn human(diff: &ToolDiff, with_tools: bool) -> String {
    let mut text = String::new();
    for change in diff.changes.iter().filter(|_| with_tools) {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{}: tool `{}`",
            change.kind.name(),
            change.tool.escape_debug()
        );
        for detail in &change.details {
            let place = match (detail.part, &*detail.pointer) {
                (part, "") => part.to_owned(),
                (part, pointer) => format!("{part} {}", pointer.escape_debug()),
            };
            let _ = writeln!(text, "  {place} {}", detail.text);
        }
    }
    let counts: Vec<_> = Kind::ALL
        .into_iter()
        .map(|kind| (diff.count(kind), kind.name()))
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!("{count} {name}"))
        .collect();
    let counts = if counts.is_empty() {
        "no changes".to_owned()
    } else {
        counts.join(", ")
    };
    let _ = writeln!(text, "tools: {counts}");
    if diff.is_incomplete {
        text.push_str("the list of tools is incomplete: removed tools cannot be detected\n");
    }
    text
}

/// For programs that stream: one line per tool.
pub(crate) fn ndjson(diff: &ToolDiff) -> String {
    let lines = diff
        .changes
        .iter()
        .map(|change| object(change).to_string() + "\n");
    lines.collect()
}

/// For programs that do not: one document.
pub(crate) fn json(diff: &ToolDiff) -> String {
    let tools: Vec<_> = diff.changes.iter().map(object).collect();
    json!({"complete": !diff.is_incomplete, "tools": tools}).to_string() + "\n"
}

fn object(change: &Change) -> Value {
    let details: Vec<_> = change
        .details
        .iter()
        .map(|detail| {
            json!({
                "part": detail.part,
                "change": detail.kind.name(),
                "pointer": detail.pointer,
                "message": detail.text,
            })
        })
        .collect();
    json!({"tool": change.tool, "change": change.kind.name(), "details": details})
}
