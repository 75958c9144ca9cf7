//! The archive that a release offers for download: program, licences, README and changelog.
//!
//! In a release `dist` packs it; the rehearsal lets `dist` do so, too, if it is installed, and
//! packs the same files with `tar` if not.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::program::Program;
use super::{Outcome, shell};
use crate::files;

/// Files beside the program.
const OTHERS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];

pub(super) fn rehearse(program: &Program, folder: &Path) -> Result<Outcome> {
    if !shell::has("tar") || !shell::has("sha256sum") {
        return Ok(Outcome::Skipped("tar or sha256sum is missing".to_owned()));
    }
    let name = format!("mcp-assay-{}", program.target);
    let packed = folder.join(&name);
    fs::create_dir(&packed).context("cannot create the folder of the archive")?;
    for other in OTHERS {
        fs::copy(files::root().join(other), packed.join(other))
            .with_context(|| format!("cannot copy {other}"))?;
    }
    let file_name = program.path.file_name().context("a program has a name")?;
    fs::copy(&program.path, packed.join(file_name)).context("cannot copy the program")?;
    let archive = format!("{name}.tar.xz");
    shell::run(shell::command("tar", folder).args(["-cJf", &archive, &name]))?;
    let sum = shell::command("sha256sum", folder)
        .arg(&archive)
        .output()
        .context("cannot start sha256sum")?;
    let sum_file = format!("{archive}.sha256");
    fs::write(folder.join(&sum_file), &sum.stdout).context("cannot write the checksum")?;
    fs::remove_dir_all(&packed).context("cannot remove the folder of the archive")?;

    let prefix = folder.join("prefix");
    fs::create_dir(&prefix).context("cannot create the prefix")?;
    shell::run(shell::command("sha256sum", folder).args(["--check", "--quiet", &sum_file]))?;
    let strip = "--strip-components=1";
    shell::run(shell::command("tar", &prefix).args(["-xJf", &format!("../{archive}"), strip]))?;
    shell::demo(&mut shell::command(prefix.join(file_name), &prefix))?;
    Ok(Outcome::Works(vec![
        folder.join(archive),
        folder.join(sum_file),
    ]))
}
