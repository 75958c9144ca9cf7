//! `cargo xtask codegen`: the model's tables, then the JSON Schemas.
//!
//! The schemas come from the library, which cannot be built before its tables are there, nor while they do not compile. So
//! this program writes the tables without linking the library, and then lets cargo build and run the second half,
//! `xtask-schemas`, which links the library with the new tables. It is a binary of this package behind a feature, so that it
//! is built only when it is wanted.

mod emit;
mod lookup_search;
mod rows;

use anyhow::{Result, bail};

use crate::files::{self, Mode};
use crate::tables::{self, Tables};
use crate::wire::diagnostic::render;
use crate::{rules, second_step, wire};

const GENERATED: &str = "crates/model/src/tables/generated.rs";

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
    let arguments: &[&str] = if mode == Mode::Check {
        &["--check"]
    } else {
        &[]
    };
    second_step::run(SCHEMAS, arguments)
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
}
