//! The second half of `cargo xtask codegen`: `schemas/<revision>.json`, from the library with its
//! new tables.

#[path = "../files.rs"]
mod files;

use std::env;

use anyhow::{Result, bail};
use mcp_assay_model::{Revision, schema};

use self::files::Mode;

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let check = arguments.iter().any(|argument| argument == "--check");
    if arguments.len() > usize::from(check) {
        bail!("this is the second half of `cargo xtask codegen`; run that");
    }
    let mode = Mode::from_check(check);
    for revision in Revision::ALL {
        files::settle(
            &format!("schemas/{revision}.json"),
            &schema::export(revision),
            mode,
            "codegen",
        )?;
    }
    Ok(())
}
