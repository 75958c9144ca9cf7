//! What the program says to its caller when it ends.

use std::process::ExitCode;

/// The exit codes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Nothing that fails a check.
    Clean = 0,
    /// An error-level violation or a broken capture record.
    Violations = 1,
    /// A file, an argument or the output stood in the way.
    CouldNotRun = 2,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
