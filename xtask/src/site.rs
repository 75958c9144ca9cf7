//! `cargo xtask site`: builds and runs the package `assay-site`, which links the library.
//! `cargo xtask picture` draws the terminal in the README.

use std::env;
use std::ffi::OsString;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::files;

/// Writes the picture of the README anew: the test that compares it draws it.
pub(crate) fn picture() -> Result<ExitCode> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .args(["test", "--package", "mcp-assay", "--test", "picture"])
        .arg("--manifest-path")
        .arg(files::root().join("Cargo.toml"))
        .env("UPDATE", "1");
    let status = cargo.status().context("cannot start cargo")?;
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Runs the generator with its own arguments; its exit code is ours.
pub(crate) fn run(arguments: &[OsString]) -> Result<ExitCode> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // Folders in the arguments are relative to the user's working directory.
    cargo
        .args(["run", "--quiet", "--package", "assay-site"])
        .arg("--manifest-path")
        .arg(files::root().join("Cargo.toml"))
        .arg("--")
        .args(arguments);
    let status = cargo.status().context("cannot start cargo")?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::from(2), ExitCode::from))
}
