//! The program as it is shipped: static on Linux if the machine can link it.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::{shell, target_folder};
use crate::files;

/// A built program.
pub(super) struct Program {
    pub(super) path: PathBuf,
    /// The target it was built for, as a triple.
    pub(super) target: String,
    /// Whether it needs nothing of the system but the kernel.
    pub(super) is_static: bool,
}

/// Builds the program with a profile; `dist` is the one that is shipped.
pub(super) fn build(profile: &str) -> Result<Program> {
    let host = host()?;
    let musl = host.replace("-gnu", "-musl");
    let is_static = musl != host && is_installed(&musl) && shell::has("musl-gcc");
    let target = if is_static { musl } else { host };
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    shell::run(
        shell::command(cargo, files::root())
            .args(["build", "--locked", "--package", "mcp-assay"])
            .args(["--profile", profile, "--target", &target]),
    )?;
    let folder = if profile == "dev" { "debug" } else { profile };
    let path = target_folder().join(&target).join(folder).join(format!(
        "mcp-assay{}",
        if target.contains("windows") {
            ".exe"
        } else {
            ""
        }
    ));
    Ok(Program {
        path,
        target,
        is_static,
    })
}

/// The target of this machine's compiler.
fn host() -> Result<String> {
    let output = Command::new("rustc")
        .arg("-vV")
        .output()
        .context("cannot start rustc")?;
    let text = String::from_utf8_lossy(&output.stdout);
    match text.lines().find_map(|line| line.strip_prefix("host: ")) {
        Some(host) => Ok(host.to_owned()),
        None => bail!("rustc names no host"),
    }
}

/// Whether the standard library of a target is installed.
fn is_installed(target: &str) -> bool {
    let mut command = Command::new("rustc");
    command.args(["--print", "target-libdir", "--target", target]);
    let Ok(output) = command.output() else {
        return false;
    };
    let folder = String::from_utf8_lossy(&output.stdout);
    output.status.success() && PathBuf::from(folder.trim()).is_dir()
}
