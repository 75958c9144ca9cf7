//! Starting a program of this package that links the library.

use std::env;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::files;

/// Builds and runs the binary `name` of this package with its feature, and waits for it.
///
/// The cargo that started this process has released its lock by now, so a second one may build.
pub(crate) fn run(name: &str, feature: &str, arguments: &[&str]) -> Result<()> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .current_dir(files::root())
        .args([
            "run",
            "--quiet",
            "--package",
            "xtask",
            "--bin",
            name,
            "--features",
            feature,
            "--",
        ])
        .args(arguments)
        .status()
        .with_context(|| format!("cannot start cargo for {name}"))?;
    if !status.success() {
        bail!("{name} failed");
    }
    Ok(())
}
