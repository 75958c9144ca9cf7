//! `registry show`: one schema.

use std::fmt::Write;

use anyhow::Context;
use mcp_assay::registry::{LoadError, SchemaSource};
use mcp_assay_report::visible;
use serde_json::Value;

use super::found::{self, Found};
use crate::args::{FoldersArgs, ListFormat};
use crate::exit::Exit;
use crate::{output, suggest};

pub(super) fn show(name: &str, args: FoldersArgs) -> anyhow::Result<Exit> {
    let folders = found::folders(args.folders)?;
    let found = found::find(&folders)?;
    let same = |schema: &&Found| schema.listed.name == name;
    let Some(schema) = found.iter().find(same) else {
        let names = found.iter().map(|schema| schema.listed.name.as_str());
        let unknown = suggest::unknown("schema", name, names);
        // The error names the places that were searched.
        return match folders.read(name) {
            Err(fault) => Err(unknown.context(LoadError::from(fault).message)),
            Ok(_) => Err(unknown),
        };
    };
    let text = match args.format {
        ListFormat::Human => human(schema, &found),
        ListFormat::Json => json(schema).context("failed to show the schema")?,
    };
    output::print(text.as_bytes())?;
    Ok(if schema.compiled.is_ok() {
        Exit::Clean
    } else {
        Exit::Violations
    })
}

fn human(schema: &Found, found: &[Found]) -> String {
    let mut text = String::new();
    let mut row = |title: &str, value: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{title:12} {value}");
    };
    row("name", &visible(&schema.listed.name));
    row("file", &schema.file());
    row("bytes", &schema.bytes.len().to_string());
    match &schema.compiled {
        Err(error) => row("broken", &visible(&error.message)),
        Ok(compiled) => {
            row("dialect", compiled.dialect().name());
            row("fingerprint", &compiled.fingerprint().to_string());
            for pointer in compiled.unchecked() {
                row("not checked", &visible(pointer));
            }
            let others = found.iter().filter(|other| {
                let print = other.compiled.as_ref().map(|other| other.fingerprint());
                other.listed.path != schema.listed.path
                    && print.ok() == Some(compiled.fingerprint())
            });
            others.for_each(|other| row("equal to", &other.file()));
        }
    }
    let shadowed = found
        .iter()
        .filter(|other| other.listed.shadowed && other.listed.name == schema.listed.name);
    shadowed.for_each(|other| row("shadows", &other.file()));
    text.push('\n');
    for line in String::from_utf8_lossy(&schema.bytes).lines() {
        text.push_str(&visible(line));
        text.push('\n');
    }
    text
}

/// The line of `list` about it, and the schema itself; null if it is not JSON.
fn json(schema: &Found) -> anyhow::Result<String> {
    let mut document = schema.to_json();
    let object = document.as_object_mut().context("not an object")?;
    let text: Value = serde_json::from_slice(&schema.bytes).unwrap_or_default();
    object.insert("schema".to_owned(), text);
    Ok(format!("{document:#}\n"))
}
