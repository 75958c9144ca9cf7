//! `cargo xtask fuzz-corpus`: runs the program of the package `mcp-assay-tests` that writes inputs
//! of the fuzz target `session`.

use std::path::{self, Path};

use anyhow::{Context, Result};

use crate::second_step;

/// Writes the inputs into a folder.
pub(crate) fn run(folder: &Path) -> Result<()> {
    // The program starts in the root of the workspace; the folder is relative to the user's working
    // directory.
    let folder = path::absolute(folder).context("cannot find the working directory")?;
    let folder = folder
        .to_str()
        .with_context(|| format!("{} is not UTF-8", folder.display()))?;
    let target = ["--package", "mcp-assay-tests", "--bin", "fuzz-corpus"];
    second_step::run(&target, &[folder])
}
