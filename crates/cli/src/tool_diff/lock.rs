//! Tools in a file: JSON, one tool per line, sorted by name, so that a change of one is a change of
//! a line.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::tools::{PARTS, Tool, Tools, fingerprint};

/// The one version of the format so far.
const VERSION: u32 = 1;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    tools: Vec<Entry>,
}

/// The order of the members is part of the format.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Entry {
    name: String,
    /// SHA-256 of the canonical JSON of each part.
    fingerprints: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_schema: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_schema: Option<Value>,
}

/// Reads a lock file.
pub(crate) fn read(path: &Path) -> anyhow::Result<Tools> {
    let context = || format!("failed to read the tools lock {}", path.display());
    let text = fs::read(path).with_context(context)?;
    parse(&text).with_context(context)
}

/// Whether a text looks like a lock file.
pub(crate) fn is_lock(document: &Value) -> bool {
    document.get("version").is_some_and(Value::is_u64)
        && document.get("tools").is_some_and(Value::is_array)
}

/// Reads the text of a lock file.
pub(crate) fn parse(text: &[u8]) -> anyhow::Result<Tools> {
    let file: File = serde_json::from_slice(text)?;
    if file.version != VERSION {
        let version = file.version;
        bail!("it is of version {version}, expected {VERSION}; --write-tools-lock writes it anew");
    }
    let mut tools = Tools {
        is_complete: true,
        ..Tools::default()
    };
    for entry in file.tools {
        let tool = Tool {
            fingerprints: entry.fingerprints,
            input: entry.input_schema,
            output: entry.output_schema,
        };
        tool.check()
            .with_context(|| format!("tool `{}`", entry.name.escape_debug()))?;
        tools.by_name.insert(entry.name, tool);
    }
    Ok(tools)
}

/// Writes a lock file.
pub(crate) fn write(tools: &Tools, path: &Path) -> anyhow::Result<()> {
    let text = text(tools)?;
    fs::write(path, text).with_context(|| format!("failed to write {}", path.display()))
}

fn text(tools: &Tools) -> anyhow::Result<String> {
    let mut text = format!("{{\"version\":{VERSION},\"tools\":[");
    for (index, (name, tool)) in tools.by_name.iter().enumerate() {
        let entry = Entry {
            name: name.clone(),
            fingerprints: tool.fingerprints.clone(),
            input_schema: tool.input.clone(),
            output_schema: tool.output.clone(),
        };
        let comma = if index == 0 { "" } else { "," };
        // Writing to a string cannot fail.
        let _ = write!(text, "{comma}\n{}", serde_json::to_string(&entry)?);
    }
    text.push_str("\n]}\n");
    Ok(text)
}

impl Tool {
    /// Whether the schemas are those of the fingerprints: a lock that was edited locks nothing.
    fn check(&self) -> anyhow::Result<()> {
        for (part, schema) in [("inputSchema", &self.input), ("outputSchema", &self.output)] {
            let print = schema.as_ref().and_then(fingerprint);
            if print.as_ref() != self.fingerprints.get(part) {
                bail!("`{part}` does not have the fingerprint that is noted");
            }
        }
        let unknown = self
            .fingerprints
            .keys()
            .find(|part| !PARTS.contains(&part.as_str()));
        if let Some(part) = unknown {
            bail!("unknown part `{}`", part.escape_debug());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tools() -> Tools {
        let mut tools = Tools {
            is_complete: true,
            ..Tools::default()
        };
        tools.add(&json!({"name": "b", "inputSchema": {"type": "object", "required": ["é"]}, "outputSchema": null}));
        tools.add(&json!({"name": "a", "inputSchema": {"maximum": 1.5e300}, "description": "d", "outputSchema": {}}));
        tools
    }

    #[test]
    fn what_is_written_is_read() {
        let text = text(&tools()).unwrap();
        assert_eq!(text.lines().count(), 4);
        assert!(text.lines().nth(1).unwrap().starts_with(r#"{"name":"a","#));
        assert_eq!(parse(text.as_bytes()).unwrap(), tools());
        assert!(is_lock(&serde_json::from_str(&text).unwrap()));
    }

    #[test]
    fn edited_files_are_refused() {
        let written = text(&tools()).unwrap();
        for (from, to, complaint) in [
            (
                "\"object\"",
                "\"array\"",
                "tool `b`: `inputSchema` does not have",
            ),
            ("\"version\":1", "\"version\":2", "version 2"),
            ("description", "descriptio", "unknown part `descriptio`"),
            ("\"name\"", "\"nam\"", "unknown field `nam`"),
        ] {
            let error = parse(written.replace(from, to).as_bytes()).unwrap_err();
            assert!(format!("{error:#}").contains(complaint), "{error:#}");
        }
    }
}
