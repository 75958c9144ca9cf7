//! A lock on the folders of configurations, from reading to writing: two runs at the same time edit
//! one after the other.
//!
//! It binds runs of this program alone; edits of other programs are found by comparing texts.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Context;
use mcp_assay_system::FolderLock;

/// Locks that are held until this is dropped.
#[derive(Debug)]
pub(crate) struct FolderLocks(
    #[expect(dead_code, reason = "dropping them ends the locks")] Vec<FolderLock>,
);

impl FolderLocks {
    /// Waits for the folders of these files. Files that do not exist need no lock.
    pub(crate) fn of<'p>(files: impl Iterator<Item = &'p Path>) -> anyhow::Result<Self> {
        // In one order, so that two runs never wait for each other.
        let folders: BTreeSet<PathBuf> = files
            .filter_map(|file| Some(std::fs::canonicalize(file).ok()?.parent()?.to_owned()))
            .collect();
        let mut held = Vec::new();
        for folder in folders {
            let context = || format!("failed to lock {}", folder.display());
            held.extend(FolderLock::wait(&folder).with_context(context)?);
        }
        Ok(Self(held))
    }
}
