//! The exit codes of the program.

use std::process::ExitStatus;

/// The exit codes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// No failure.
    Clean,
    /// An error-level violation or a broken capture record.
    Violations,
    /// A file, an argument or the output prevented the run.
    CouldNotRun,
    /// The server that was probed wants credentials.
    NeedsAuthorisation,
    /// The server that was probed cannot be reached.
    Unreachable,
    /// The user ended the run.
    Interrupted,
    /// The code of another program.
    Other(i32),
}

impl Exit {
    /// The exit code of a program that ended; of one that a signal ended, as shells give it.
    pub(crate) fn of_process(status: ExitStatus) -> Self {
        #[cfg(unix)]
        let code = status.code().or_else(|| {
            let signal = std::os::unix::process::ExitStatusExt::signal(&status);
            signal.map(|signal| 128 + signal)
        });
        #[cfg(windows)]
        let code = status.code();
        Self::Other(code.unwrap_or(1))
    }

    /// The number for the system.
    pub(crate) fn code(self) -> i32 {
        match self {
            Self::Clean => 0,
            Self::Violations => 1,
            Self::CouldNotRun => 2,
            Self::NeedsAuthorisation => 3,
            Self::Unreachable => 4,
            Self::Interrupted => 130,
            Self::Other(code) => code,
        }
    }
}
