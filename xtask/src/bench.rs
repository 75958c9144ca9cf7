//! `cargo xtask bench`: builds and runs the package `assay-bench`, whose dependencies the other
//! commands do without.

use std::env;
use std::ffi::OsString;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::files;

/// Runs the benchmark with its own arguments; its exit code is ours.
pub(crate) fn run(arguments: &[OsString]) -> Result<ExitCode> {
    // Two programs: the benchmark, and the one that counts allocations, which it starts.
    let built = cargo("build")
        .arg("--bins")
        .status()
        .context("cannot start cargo")?;
    if !built.success() {
        return Ok(ExitCode::from(2));
    }
    let status = cargo("run")
        .arg("--")
        .args(arguments)
        .status()
        .context("cannot start cargo")?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::from(2), ExitCode::from))
}

fn cargo(command: &str) -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args([
        command,
        "--quiet",
        "--profile",
        "bench",
        "--package",
        "assay-bench",
    ]);
    // Folders in the arguments are relative to the user's working directory.
    cargo
        .arg("--manifest-path")
        .arg(files::root().join("Cargo.toml"));
    cargo
}
