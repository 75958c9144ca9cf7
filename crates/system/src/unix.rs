//! Unix: process groups, modes of files, locks on folders.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process_group};

use crate::process_tree::Console;

/// A process group.
#[derive(Debug)]
pub(crate) struct Tree(Option<Pid>);

impl Tree {
    pub(crate) fn spawn(command: &mut Command, _: Console) -> io::Result<(Child, Self)> {
        let child = command.process_group(0).spawn()?;
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        Ok((child, Self(group)))
    }

    pub(crate) fn kill(&self) {
        self.signal(Signal::KILL);
    }

    pub(crate) fn signal(&self, signal: Signal) {
        if let Some(group) = self.0 {
            // It may have ended, and then there is nobody to tell.
            let _ = kill_process_group(group, signal);
        }
    }
}

pub(crate) fn create_new_private(path: &Path) -> io::Result<File> {
    private().create_new(true).open(path)
}

pub(crate) fn create_private(path: &Path) -> io::Result<File> {
    private().create(true).truncate(true).open(path)
}

fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).mode(0o600);
    options
}

pub(crate) fn replace_file(draft: &Path, target: &Path) -> io::Result<()> {
    fs::rename(draft, target)
}

/// The program at a path.
pub(crate) fn program_at(path: PathBuf) -> Option<PathBuf> {
    path.is_file().then_some(path)
}

/// Locks the folder itself, so that nothing is left behind.
pub(crate) fn lock_folder(folder: &Path) -> io::Result<Option<File>> {
    let file = match File::open(folder) {
        Ok(file) => file,
        // A folder that may be written but not listed.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(None),
        Err(error) => return Err(error),
    };
    loop {
        match flock(&file, FlockOperation::LockExclusive) {
            Ok(()) => return Ok(Some(file)),
            Err(Errno::INTR) => {}
            Err(Errno::NOLCK | Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL | Errno::BADF) => {
                return Ok(None);
            }
            Err(error) => return Err(error.into()),
        }
    }
}
