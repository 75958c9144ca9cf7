//! A lock on the folders of configurations, from reading to writing: two runs at the same time edit
//! one after the other.
//!
//! The lock is on the folder itself, so nothing is left behind, and it ends with the process. It
//! binds runs of this program alone; edits of other programs are found by comparing texts.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::Context;

/// Locks that are held until this is dropped.
#[derive(Debug)]
pub(crate) struct FolderLocks(
    #[expect(dead_code, reason = "closing them ends the locks")] Vec<File>,
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
            held.extend(lock(&folder).with_context(context)?);
        }
        Ok(Self(held))
    }
}

/// Waits for the lock of a folder; `None` if it cannot be locked.
#[cfg(unix)]
fn lock(folder: &Path) -> std::io::Result<Option<File>> {
    use rustix::fs::{FlockOperation, flock};
    use rustix::io::Errno;

    let file = match File::open(folder) {
        Ok(file) => file,
        // A folder that may be written but not listed.
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => return Ok(None),
        Err(error) => return Err(error),
    };
    loop {
        match flock(&file, FlockOperation::LockExclusive) {
            Ok(()) => return Ok(Some(file)),
            Err(Errno::INTR) => {}
            // The texts are still compared before a file is replaced.
            Err(Errno::NOLCK | Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL | Errno::BADF) => {
                return Ok(None);
            }
            Err(error) => return Err(error.into()),
        }
    }
}

#[cfg(not(unix))]
fn lock(_: &Path) -> std::io::Result<Option<File>> {
    Ok(None)
}
