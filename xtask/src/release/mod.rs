//! `cargo xtask release --dry-run`: builds what a release consists of, as far as this machine can
//! build it, installs each artefact into an empty folder, and runs the demo from there.
//!
//! Publishes nothing: `.github/workflows/release.yml` does, and `docs/releasing.md` explains it.

mod archive;
mod crates;
mod image;
mod npm;
mod program;
mod shell;
mod wheel;

use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use crate::files;
use program::Program;

/// A part of a release.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Part {
    /// The archive with its checksum.
    Archive,
    /// The Python wheel.
    Wheel,
    /// The npm packages.
    Npm,
    /// The crates, as crates.io would get them.
    Crates,
    /// The content of the container image.
    Image,
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Self::Archive => "archive",
            Self::Wheel => "wheel",
            Self::Npm => "npm",
            Self::Crates => "crates",
            Self::Image => "image",
        }
    }

    fn rehearse(self, program: &Program, folder: &Path) -> Result<Outcome> {
        match self {
            Self::Archive => archive::rehearse(program, folder),
            Self::Wheel => wheel::rehearse(program, folder),
            Self::Npm => npm::rehearse(program, folder),
            Self::Crates => crates::rehearse(folder),
            Self::Image => image::rehearse(program, folder),
        }
    }
}

/// The result of a part.
enum Outcome {
    /// The artefacts were built and installed, and the demo ran.
    Works(Vec<PathBuf>),
    /// Something that this machine does not have is needed.
    Skipped(String),
}

/// Rehearses a release: all parts, or only some. Fails if one of them does.
pub(crate) fn rehearse(only: &[Part], profile: &str) -> Result<()> {
    let parts = if only.is_empty() {
        Part::value_variants()
    } else {
        only
    };
    let folder = target_folder().join("release-rehearsal");
    empty(&folder)?;
    let program = program::build(profile)?;
    println!("program: {} ({})", program.path.display(), program.target);
    let mut failed = Vec::new();
    for part in parts {
        let name = part.name();
        println!("\n--- {name}");
        let folder = folder.join(name);
        empty(&folder)?;
        match part.rehearse(&program, &folder) {
            Ok(Outcome::Works(artefacts)) => {
                for artefact in artefacts {
                    let size = fs::metadata(&artefact).map_or(0, |data| data.len());
                    println!("{name}: {} ({size} bytes)", artefact.display());
                }
                println!("{name}: installed, and the demo ran");
            }
            Ok(Outcome::Skipped(reason)) => println!("{name}: skipped: {reason}"),
            Err(error) => {
                println!("{name}: failed: {error:#}");
                failed.push(name);
            }
        }
    }
    if !failed.is_empty() {
        bail!("failed parts: {}", failed.join(", "));
    }
    Ok(())
}

/// The folder that cargo builds into.
fn target_folder() -> PathBuf {
    match env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => files::root().join(folder),
        None => files::root().join("target"),
    }
}

/// Makes an empty folder.
fn empty(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))
}

/// The files of a folder whose names end so, in order.
fn files_with(folder: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.to_string_lossy().ends_with(ending))
        .collect();
    found.sort();
    Ok(found)
}
