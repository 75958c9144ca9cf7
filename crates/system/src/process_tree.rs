//! A process and all that it starts.

use std::io;
use std::process::{Child, Command};

use crate::system;

/// Whether a process gets the Ctrl-C of our console on Windows. On Unix it never does: there it is
/// the leader of a process group of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Console {
    /// The console informs it together with us.
    Shared,
    /// We alone are informed.
    Separate,
}

/// A process and all that it starts, directly or not: a process group on Unix, a job on Windows.
///
/// Dropping it ends them. On Windows the system does the same when our process ends, however that
/// happens.
#[derive(Debug)]
pub struct ProcessTree(system::Tree);

impl ProcessTree {
    /// Starts a process, and counts what it starts as part of its tree from the first moment.
    ///
    /// # Errors
    ///
    /// The process cannot be started.
    pub fn spawn(command: &mut Command, console: Console) -> io::Result<(Child, Self)> {
        let (child, tree) = system::Tree::spawn(command, console)?;
        Ok((child, Self(tree)))
    }

    /// Ends all of them at once. The caller still has to wait for the first process.
    pub fn kill(&self) {
        self.0.kill();
    }

    /// Sends a signal to all of them.
    #[cfg(unix)]
    pub fn signal(&self, signal: rustix::process::Signal) {
        self.0.signal(signal);
    }
}

impl Drop for ProcessTree {
    fn drop(&mut self) {
        self.kill();
    }
}
