//! `registry list`: the schemas in folders.

use std::fmt::Write;

use mcp_assay_report::visible;
use serde_json::Value;

use super::found::{self, Found};
use crate::args::{FoldersArgs, ListFormat};
use crate::exit::Exit;
use crate::output;

pub(super) fn list(args: FoldersArgs) -> anyhow::Result<Exit> {
    let found = found::find(&found::folders(args.folders)?)?;
    let text = match args.format {
        ListFormat::Human => human(&found),
        ListFormat::Json => {
            let rows: Vec<_> = found.iter().map(Found::to_json).collect();
            format!("{:#}\n", Value::from(rows))
        }
    };
    output::print(text.as_bytes())?;
    Ok(Exit::Clean)
}

/// One line each: fingerprint, dialect, name, file.
fn human(found: &[Found]) -> String {
    let name = |schema: &Found| visible(&schema.listed.name);
    let width = found.iter().map(|schema| name(schema).chars().count());
    let width = width.max().unwrap_or(0);
    let mut text = String::new();
    for schema in found {
        let (print, dialect) = match &schema.compiled {
            Ok(compiled) => {
                let print = compiled.fingerprint().to_string();
                (print[..12].to_owned(), compiled.dialect().name())
            }
            Err(_) => ("-".to_owned(), "broken"),
        };
        let shadowed = if schema.listed.shadowed {
            "  (shadowed)"
        } else {
            ""
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{print:12}  {dialect:8}  {:width$}  {}{shadowed}",
            name(schema),
            schema.file(),
        );
    }
    text
}
