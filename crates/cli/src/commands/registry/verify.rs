//! `registry verify`: whether the schemas in folders can be used.

use std::collections::HashSet;
use std::fmt::Write;

use mcp_assay_report::visible;
use serde_json::json;

use super::found::{self, Found};
use crate::args::{FoldersArgs, ListFormat};
use crate::exit::Exit;
use crate::output;

pub(super) fn verify(args: FoldersArgs) -> anyhow::Result<Exit> {
    let found = found::find(&found::folders(args.folders)?)?;
    let broken = found
        .iter()
        .filter(|schema| schema.compiled.is_err())
        .count();
    let different: HashSet<_> = found
        .iter()
        .filter_map(|schema| schema.compiled.as_ref().ok())
        .map(|compiled| compiled.fingerprint())
        .collect();
    let text = match args.format {
        ListFormat::Human => human(&found, different.len(), broken),
        ListFormat::Json => {
            let document = json!({
                "schemas": found.iter().map(Found::to_json).collect::<Vec<_>>(),
                "summary": {
                    "schemas": found.len(),
                    "different": different.len(),
                    "broken": broken,
                },
            });
            format!("{document:#}\n")
        }
    };
    output::print(text.as_bytes())?;
    Ok(if broken == 0 {
        Exit::Clean
    } else {
        Exit::Violations
    })
}

fn human(found: &[Found], different: usize, broken: usize) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    for schema in found {
        match &schema.compiled {
            Err(error) => {
                let _ = writeln!(text, "{}: {}", error.kind, visible(&error.message));
            }
            Ok(compiled) => {
                for pointer in compiled.unchecked() {
                    let (file, pointer) = (schema.file(), visible(pointer));
                    let _ = writeln!(text, "note: {file}: {pointer} is not checked");
                }
            }
        }
    }
    let _ = writeln!(
        text,
        "{} schemas, {different} different ones, {broken} broken",
        found.len()
    );
    text
}
