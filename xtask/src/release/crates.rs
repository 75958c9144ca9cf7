//! The crates, installed from their packed files: crates.io gets no others.

use std::env;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::{Outcome, files_with, shell, target_folder};
use crate::files;

/// Members that are not published.
const PRIVATE: [&str; 4] = [
    "xtask",
    "assay-bench",
    "mcp-assay-tests",
    "mcp-assay-testkit",
];

pub(super) fn rehearse(folder: &Path) -> Result<Outcome> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut package = shell::command(&cargo, files::root());
    package.args(["package", "--quiet", "--workspace", "--no-verify"]);
    package.arg("--allow-dirty").arg("--target-dir").arg(folder);
    for member in PRIVATE {
        package.args(["--exclude", member]);
    }
    shell::run(&mut package)?;
    let packed = files_with(&folder.join("package"), ".crate")?;
    // The packages need each other in a version that crates.io does not have yet.
    let unpacked = folder.join("unpacked");
    fs::create_dir(&unpacked).context("cannot create a folder")?;
    let mut patches = Vec::new();
    let mut program = None;
    for package in &packed {
        shell::run(shell::command("tar", &unpacked).args(["-xzf"]).arg(package))?;
        let stem = package.file_stem().unwrap_or_default().to_string_lossy();
        let name = stem.rsplit_once('-').map_or(&*stem, |(name, _)| name);
        patches.push(format!("{name}.path = \"{stem}\""));
        if name == "mcp-assay" {
            program = Some(unpacked.join(&*stem));
        }
    }
    let program = program.context("the program is not among the packages")?;
    let manifest = format!(
        "[workspace]\nresolver = \"3\"\nmembers = [\"*\"]\n\n[patch.crates-io]\n{}\n",
        patches.join("\n")
    );
    fs::write(unpacked.join("Cargo.toml"), manifest).context("cannot write a manifest")?;
    fs::copy(
        files::root().join("Cargo.lock"),
        unpacked.join("Cargo.lock"),
    )
    .context("cannot copy Cargo.lock")?;
    // Built quickly: third-party crates are those of the tests.
    let prefix = folder.join("prefix");
    shell::run(
        shell::command(&cargo, &unpacked)
            .args(["install", "--quiet", "--profile", "dev", "--path"])
            .arg(&program)
            .arg("--root")
            .arg(&prefix)
            .arg("--target-dir")
            .arg(target_folder()),
    )?;
    shell::demo(&mut shell::command(prefix.join("bin/mcp-assay"), folder))?;
    Ok(Outcome::Works(packed))
}
