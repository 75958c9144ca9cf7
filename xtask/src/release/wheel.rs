//! The Python wheel, installed into a virtual environment of its own.

use std::env;
use std::path::Path;

use anyhow::{Result, bail};

use super::program::Program;
use super::{Outcome, files_with, shell};
use crate::files;

pub(super) fn rehearse(program: &Program, folder: &Path) -> Result<Outcome> {
    if cfg!(windows) || !shell::has("python3") {
        return Ok(Outcome::Skipped("python3 is not installed".to_owned()));
    }
    let tools = folder.join("tools").join("bin");
    shell::run(shell::command("python3", folder).args(["-m", "venv", "tools"]))?;
    let needed = ["maturin>=1.9,<2", "ziglang"];
    shell::run(
        shell::command(tools.join("pip"), folder)
            .args(["install", "--quiet"])
            .args(needed),
    )?;
    let path = env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(tools).chain(env::split_paths(&path));
    // `--zig` links with an old C library, so that the wheel runs on old systems.
    shell::run(
        shell::command(files::root().join("packages/python/build"), folder)
            .arg(&program.path)
            .args(["--release", "--zig", "--compatibility", "manylinux2014"])
            .arg("--out")
            .arg(folder)
            .env("PATH", env::join_paths(paths)?),
    )?;
    let wheels = files_with(folder, ".whl")?;
    let [wheel] = &wheels[..] else {
        bail!("{} wheels were built, one is expected", wheels.len());
    };
    shell::run(shell::command("python3", folder).args(["-m", "venv", "prefix"]))?;
    let installed = folder.join("prefix").join("bin");
    shell::run(
        shell::command(installed.join("pip"), folder)
            .args(["install", "--quiet", "--no-index"])
            .arg(wheel),
    )?;
    shell::demo(&mut shell::command(installed.join("mcp-assay"), folder))?;
    shell::demo(shell::command(installed.join("python"), folder).args(["-m", "mcp_assay"]))?;
    Ok(Outcome::Works(wheels))
}
