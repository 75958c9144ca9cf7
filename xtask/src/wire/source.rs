//! Finds the wire files.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::files::root;

/// Path and text of every `wire/*.wire` file, in order of their names. Paths are relative to the
/// root.
pub(crate) fn read_all() -> Result<Vec<(String, String)>> {
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

/// The path relative to the root, for messages.
fn shown(path: &Path) -> String {
    path.strip_prefix(root())
        .unwrap_or(path)
        .display()
        .to_string()
}
