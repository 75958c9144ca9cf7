//! The differences as text and as JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use super::changes::{Change, Kind, ToolDiff};

/// The length of an example in characters.
const MAX_EXAMPLE: usize = 240;

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
            if let Some(example) = &detail.example {
                let _ = writeln!(text, "    for example: {}", shortened(example));
            }
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

/// A value as people read it: names in it come from a server.
fn shortened(value: &Value) -> String {
    let text = mcp_assay_report::visible(&value.to_string());
    match text.char_indices().nth(MAX_EXAMPLE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
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
            let mut object = json!({
                "part": detail.part,
                "change": detail.kind.name(),
                "pointer": detail.pointer,
                "message": detail.text,
            });
            if let Some(example) = &detail.example {
                object["example"] = example.clone();
            }
            object
        })
        .collect();
    json!({"tool": change.tool, "change": change.kind.name(), "details": details})
}
