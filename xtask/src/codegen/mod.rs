//! `cargo xtask codegen`: the model's tables, then the JSON Schemas.
//!
//! The schemas come from the library, which cannot be built before its tables are there, nor while
//! they do not compile. So this program writes the tables without linking the library, and then
//! lets cargo build and run the second half, `xtask-schemas`, which links the library with the new
//! tables. It is a binary of this package behind a feature, so that it is built only when it is
//! wanted.

mod emit;
mod lookup_search;
mod rows;

use std::fs;

use anyhow::{Context, Result, bail};

use crate::files::{self, Mode};
use crate::tables::{self, Tables};
use crate::wire::diagnostic::render;
use crate::{rules, second_step, wire};

const GENERATED: &str = "crates/model/src/tables/generated.rs";

/// Files that a package includes though their place is elsewhere: the original, and the copy inside
/// the package, without which `cargo package` would leave it out.
const COPIES: &[(&str, &str)] = &[(
    "tests/official/known.toml",
    "crates/cli/src/schema_override/known.toml",
)];

const SCHEMAS: &[&str] = &[
    "--package",
    "xtask",
    "--bin",
    "xtask-schemas",
    "--features",
    "schemas",
];

/// Writes or compares everything that comes from `wire/*.wire`.
pub(crate) fn run(mode: Mode) -> Result<()> {
    let text = emit::rust(&read()?)?;
    files::settle(GENERATED, &text, mode, "codegen")?;
    rules::run(mode)?;
    copy(mode)?;
    let arguments: &[&str] = if mode == Mode::Check {
        &["--check"]
    } else {
        &[]
    };
    second_step::run(SCHEMAS, arguments)
}

/// Writes or compares the copies.
fn copy(mode: Mode) -> Result<()> {
    for (original, path) in COPIES {
        let text = fs::read_to_string(files::root().join(original))
            .with_context(|| format!("cannot read {original}"))?;
        let text =
            format!("# A copy of {original}, by `cargo xtask codegen`: do not edit.\n{text}");
        files::settle(path, &text, mode, "codegen")?;
    }
    Ok(())
}

/// The tables of all wire files, or every fault found in them.
fn read() -> Result<Tables> {
    let mut items = Vec::new();
    let mut faults = Vec::new();
    for (path, text) in wire::read_all()? {
        match wire::parse(&path, &text) {
            Ok(found) => items.extend(found),
            Err(fault) => faults.push(fault),
        }
    }
    if faults.is_empty() {
        match tables::build(&items) {
            Ok(tables) => return Ok(tables),
            Err(found) => faults = found,
        }
    }
    bail!("the wire files cannot be read\n{}", render(&faults));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generated_tables_are_those_of_the_wire_files() {
        let text = emit::rust(&read().unwrap()).unwrap();
        files::settle(GENERATED, &text, Mode::Check, "codegen").unwrap();
    }

    #[test]
    fn copies_equal_their_originals() {
        copy(Mode::Check).unwrap();
    }
}
