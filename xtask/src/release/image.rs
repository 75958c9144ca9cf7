//! The content of the container image: the static program alone in an empty root.
//!
//! No image is built here, because that needs a container engine. The program is run as the
//! engine would run it, in namespaces of its own with an empty folder as the root.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::program::Program;
use super::{Outcome, shell};

pub(super) fn rehearse(program: &Program, folder: &Path) -> Result<Outcome> {
    if !program.is_static {
        let reason = "the static target or musl-gcc is not installed";
        return Ok(Outcome::Skipped(reason.to_owned()));
    }
    if !shell::has("unshare") {
        return Ok(Outcome::Skipped("unshare is not installed".to_owned()));
    }
    let root = folder.join("root");
    for place in ["proc", "tmp"] {
        fs::create_dir_all(root.join(place)).context("cannot create the root of the image")?;
    }
    let installed = root.join("mcp-assay");
    fs::copy(&program.path, &installed).context("cannot copy the program")?;
    shell::demo(
        shell::command("unshare", folder)
            .args(["--user", "--map-root-user", "--pid", "--fork", "--mount"])
            .args(["--mount-proc", "--root"])
            .arg(&root)
            .arg("/mcp-assay"),
    )?;
    Ok(Outcome::Works(vec![installed]))
}
