//! The exit codes of the program.

use std::process::ExitCode;

/// The exit codes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Exit {
    /// No failure.
    Clean = 0,
    /// An error-level violation or a broken capture record.
    Violations = 1,
    /// A file, an argument or the output prevented the run.
    CouldNotRun = 2,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
