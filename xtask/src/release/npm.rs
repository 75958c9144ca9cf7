//! The npm packages, installed into a project of their own.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::program::Program;
use super::{Outcome, files_with, shell};
use crate::files;

pub(super) fn rehearse(program: &Program, folder: &Path) -> Result<Outcome> {
    if cfg!(windows) || !shell::has("npm") {
        return Ok(Outcome::Skipped("npm is not installed".to_owned()));
    }
    shell::run(
        shell::command(files::root().join("packages/npm/build"), folder)
            .arg(&program.path)
            .arg("--out")
            .arg(folder),
    )?;
    let packages = files_with(folder, ".tgz")?;
    if packages.is_empty() {
        bail!("no package was built");
    }
    let prefix = folder.join("prefix");
    fs::create_dir(&prefix).context("cannot create the project")?;
    fs::write(prefix.join("package.json"), "{\"private\":true}\n")
        .context("cannot write package.json")?;
    shell::run(
        shell::command("npm", &prefix)
            .args(["install", "--silent", "--no-audit", "--no-fund"])
            .args(&packages),
    )?;
    shell::demo(shell::command("npx", &prefix).args(["--no-install", "mcp-assay"]))?;
    Ok(Outcome::Works(packages))
}
