//! The files this tool reads and writes.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// What to do with a file whose content is not what it should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// Write it.
    Write,
    /// Fail.
    Check,
}

impl Mode {
    /// From the `--check` flag.
    pub(crate) fn from_check(check: bool) -> Self {
        if check { Self::Check } else { Self::Write }
    }
}

/// The root of the workspace.
pub(crate) fn root() -> &'static Path {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest)
}

/// Path and text of every `wire/*.wire` file, in order of their names. Paths are relative to the root.
pub(crate) fn wire_files() -> Result<Vec<(String, String)>> {
    let folder = root().join("wire");
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in
        fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?
    {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "wire")
        {
            paths.push(path);
        }
    }
    paths.sort();
    if paths.is_empty() {
        bail!("no *.wire files in {}", folder.display());
    }
    paths
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            Ok((shown(&path), text))
        })
        .collect()
}

/// Makes the file at `path`, relative to the root, hold `text`, or fails if it does not. Says what it wrote.
pub(crate) fn settle(path: &str, text: &str, mode: Mode, command: &str) -> Result<()> {
    let full = root().join(path);
    if fs::read_to_string(&full).is_ok_and(|found| found == text) {
        return Ok(());
    }
    match mode {
        Mode::Check => bail!("{path} is stale; run `cargo xtask {command}`"),
        Mode::Write => {
            if let Some(folder) = full.parent() {
                fs::create_dir_all(folder)
                    .with_context(|| format!("cannot create {}", folder.display()))?;
            }
            fs::write(&full, text).with_context(|| format!("cannot write {path}"))?;
            println!("wrote {path}");
            Ok(())
        }
    }
}

/// The path relative to the root, for messages.
fn shown(path: &Path) -> String {
    path.strip_prefix(root())
        .unwrap_or(path)
        .display()
        .to_string()
}
