//! `schema`: the protocol's definitions as JSON Schema, and their changes.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::bail;
use mcp_assay::schema::{self, Change, Difference};
use mcp_assay::syntax::{Kind, Node, Tape, scan};
use mcp_assay::{Limits, Revision, RevisionSet};
use mcp_assay_contract::tool_io::{ToolId, schema_of};
use sha2::{Digest, Sha256};

use crate::args::{ListFormat, SchemaCommand};
use crate::exit::Exit;
use crate::{config, output, schema_override, suggest};

pub(crate) fn schema(command: SchemaCommand) -> anyhow::Result<Exit> {
    let text = match command {
        SchemaCommand::List {
            revision: Some(revision),
        } => names(revision),
        SchemaCommand::List { revision: None } => overview(),
        SchemaCommand::Export { name, revision } => export(name.as_deref(), revision)?,
        SchemaCommand::Fingerprint {
            revision: Some(revision),
        } => fingerprint(revision),
        SchemaCommand::Fingerprint { revision: None } => Revision::ALL.map(fingerprint).concat(),
        SchemaCommand::Diff {
            old,
            new,
            format: ListFormat::Human,
        } => diff_human(old, new),
        SchemaCommand::Diff {
            old,
            new,
            format: ListFormat::Json,
        } => diff_json(old, new),
        SchemaCommand::Verify { file, revision } => {
            return schema_override::verify(&file, revision);
        }
    };
    output::print(text.as_bytes())?;
    Ok(Exit::Clean)
}

fn names(revision: Revision) -> String {
    schema::definition_names(revision)
        .iter()
        .fold(String::new(), |text, name| text + name + "\n")
}

/// The revisions with the number of their definitions, then each definition with the revisions that
/// have it.
fn overview() -> String {
    let mut text = String::new();
    let mut found: BTreeMap<String, Vec<Revision>> = BTreeMap::new();
    for revision in Revision::ALL {
        let names = schema::definition_names(revision);
        line(
            &mut text,
            format_args!("{revision}  {} definitions", names.len()),
        );
        for name in names {
            found.entry(name).or_default().push(revision);
        }
    }
    text.push('\n');
    let width = found.keys().map(String::len).max().unwrap_or(0);
    for (name, revisions) in found {
        let revisions: RevisionSet = revisions.into_iter().collect();
        line(&mut text, format_args!("{name:width$}  {revisions}"));
    }
    text
}

/// Contracts of our own, which no revision changes. The protocol's definitions begin with a capital
/// letter.
const CONTRACTS: [(&str, &str); 2] = [
    ("envelope", mcp_assay_contract::envelope::SCHEMA),
    ("tool-io", mcp_assay_contract::tool_io::SCHEMA),
];

/// The name of the schema of `mcp-assay.toml`.
const CONFIG: &str = "config";

fn export(name: Option<&str>, revision: Option<Revision>) -> anyhow::Result<String> {
    let contract = CONTRACTS.iter().find(|(known, _)| Some(*known) == name);
    let contract = match contract {
        Some((_, schema)) => Some((*schema).to_owned()),
        None => (name == Some(CONFIG)).then(config::schema),
    };
    if let (Some(schema), Some(name)) = (contract, name) {
        if revision.is_some() {
            bail!("failed to export {name}: it is the same for all revisions, without --revision");
        }
        return Ok(schema);
    }
    if let Some(tool) = name.and_then(|name| name.parse::<ToolId>().ok()) {
        return Ok(schema_of(&tool));
    }
    // A revision in place of a name stands for all that it defines.
    let whole = name.and_then(|name| name.parse::<Revision>().ok());
    if let Some(whole) = whole {
        if revision.is_some_and(|revision| revision != whole) {
            bail!("failed to export {whole}: --revision names another revision");
        }
        return Ok(schema::export(whole));
    }
    let revision = revision.unwrap_or(Revision::latest());
    let Some(name) = name else {
        return Ok(schema::export(revision));
    };
    schema::definition(revision, name).ok_or_else(|| {
        let names = schema::definition_names(revision);
        let contracts = CONTRACTS.iter().map(|(name, _)| *name).chain([CONFIG]);
        let known = names.iter().map(String::as_str).chain(contracts);
        let unknown = suggest::unknown("definition", name, known);
        unknown.context(format!("failed to export from {revision}"))
    })
}

/// SHA-256 over the canonical form, so that layout and order of the export do not matter.
fn fingerprint(revision: Revision) -> String {
    let document = schema::export(revision);
    let mut tape = Tape::new();
    let mut canonical = String::new();
    // Our export is JSON, within the limits of a message; a test reads it.
    scan(document.as_bytes(), &Limits::DEFAULT.for_scan(), &mut tape).expect("the export is JSON");
    if let Some(root) = tape.root(document.as_bytes()) {
        write_canonical(root, &mut canonical);
    }
    let mut text = String::with_capacity(80);
    for byte in Sha256::digest(canonical.as_bytes()) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text + "  " + revision.name() + "\n"
}

/// Keys sorted, no white space. The depth is that of our own schemas.
fn write_canonical(node: Node<'_>, out: &mut String) {
    match node.kind() {
        Kind::Object => {
            let mut members: Vec<_> = node
                .members()
                .map(|(key, value)| (key.text().unwrap_or_default(), value))
                .collect();
            members.sort_by(|left, right| left.0.cmp(&right.0));
            out.push('{');
            for (index, (key, value)) in members.into_iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                out.push_str(&json_string(&key));
                out.push(':');
                write_canonical(value, out);
            }
            out.push('}');
        }
        Kind::Array => {
            out.push('[');
            for (index, item) in node.items().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                write_canonical(item, out);
            }
            out.push(']');
        }
        Kind::String | Kind::Key => out.push_str(&json_string(&node.text().unwrap_or_default())),
        Kind::Null | Kind::True | Kind::False | Kind::Number => {
            out.push_str(&String::from_utf8_lossy(node.raw()));
        }
    }
}

fn diff_human(old: Revision, new: Revision) -> String {
    let changes = schema::diff(old, new);
    let mut text = String::new();
    for change in &changes {
        line(&mut text, format_args!("{change}"));
    }
    let count = changes.len();
    let noun = if count == 1 {
        "difference"
    } else {
        "differences"
    };
    line(
        &mut text,
        format_args!("{count} {noun} from {old} to {new}"),
    );
    text
}

/// An array; `from` and `to` are null where a revision does not have the item.
fn diff_json(old: Revision, new: Revision) -> String {
    let changes: Vec<_> = schema::diff(old, new).iter().map(change_json).collect();
    if changes.is_empty() {
        "[]\n".to_owned()
    } else {
        format!("[\n{}\n]\n", changes.join(",\n"))
    }
}

fn change_json(change: &Change) -> String {
    let subject = format!("{:?}", change.subject).to_lowercase();
    let (verb, from, to) = match &change.difference {
        Difference::Added(to) => ("added", None, Some(to)),
        Difference::Removed(from) => ("removed", Some(from), None),
        Difference::Changed { from, to } => ("changed", Some(from), Some(to)),
    };
    let text =
        |text: Option<&String>| text.map_or_else(|| "null".to_owned(), |text| json_string(text));
    format!(
        r#"{{"subject":{},"name":{},"change":"{verb}","from":{},"to":{}}}"#,
        json_string(&subject),
        json_string(&change.name),
        text(from),
        text(to),
    )
}

fn json_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_canonical_form_forgets_layout_and_order() {
        let canonical = |text: &str| {
            let mut tape = Tape::new();
            scan(text.as_bytes(), &Limits::DEFAULT.for_scan(), &mut tape).unwrap();
            let mut out = String::new();
            write_canonical(tape.root(text.as_bytes()).unwrap(), &mut out);
            out
        };
        let text = "{ \"b\": [1, true, null],\n \"a\": {\"d\": \"x\\u0041\\n\", \"c\": 1.50} }";
        assert_eq!(
            canonical(text),
            r#"{"a":{"c":1.50,"d":"xA\n"},"b":[1,true,null]}"#
        );
    }

    #[test]
    fn each_revision_has_its_own_fingerprint() {
        let prints: std::collections::BTreeSet<_> = Revision::ALL
            .into_iter()
            .map(|revision| fingerprint(revision)[..64].to_owned())
            .collect();
        assert_eq!(prints.len(), Revision::COUNT);
    }
}
