//! Starts a program of this workspace that links the library.

use std::env;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::files;

/// Lets cargo build and run another program, and waits for it. `target` selects it, in the words of
/// `cargo run`.
///
/// The cargo that started this process has released its lock by now, so a second one may build.
pub(crate) fn run(target: &[&str], arguments: &[&str]) -> Result<()> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let shown = target.join(" ");
    let status = Command::new(cargo)
        .current_dir(files::root())
        .args(["run", "--quiet"])
        .args(target)
        .arg("--")
        .args(arguments)
        .status()
        .with_context(|| format!("cannot start `cargo run {shown}`"))?;
    if !status.success() {
        bail!("`cargo run {shown}` failed");
    }
    Ok(())
}
