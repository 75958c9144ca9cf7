//! The root of the workspace; writes or compares generated files.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

/// The treatment of a stale file.
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

/// Makes the file at `path`, relative to the root, hold `text`, or fails if it does not. Prints the
/// path if it writes.
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
