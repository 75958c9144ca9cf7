//! The server as a process: started in a group of its own, told what we are told, and ended with
//! all that it started.

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Command, ExitCode, ExitStatus, Stdio};

use anyhow::Context;
use rustix::process::{Pid, Signal, kill_process_group};

/// The server.
pub(super) struct Child {
    process: std::process::Child,
    group: Option<Pid>,
    pub(super) stdin: Option<OwnedFd>,
    pub(super) stdout: Option<OwnedFd>,
}

impl Child {
    pub(super) fn spawn(command: &[String]) -> anyhow::Result<Self> {
        let ours = std::env::current_exe().context("failed to find this program")?;
        // The child ends when we do, which it must ask for itself: so it is started by way of this
        // program.
        let mut process = Command::new(ours)
            .arg("exec-server")
            .arg("--")
            .args(command)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .with_context(|| format!("failed to start `{}`", command.join(" ")))?;
        let stdin = process.stdin.take().map(OwnedFd::from);
        let stdout = process.stdout.take().map(OwnedFd::from);
        let group = i32::try_from(process.id()).ok().and_then(Pid::from_raw);
        Ok(Self {
            process,
            group,
            stdin,
            stdout,
        })
    }

    /// Sends a signal to it and to all that it started.
    pub(super) fn signal(&self, signal: Signal) {
        if let Some(group) = self.group {
            // It may have ended, and then there is nobody to tell.
            let _ = kill_process_group(group, signal);
        }
    }

    /// The way it ended, if it did.
    pub(super) fn ended(&mut self) -> Option<ExitStatus> {
        self.process.try_wait().ok().flatten()
    }

    /// Waits for its end.
    pub(super) fn wait(&mut self) -> io::Result<ExitStatus> {
        self.process.wait()
    }
}

/// Nothing that it started outlives us.
impl Drop for Child {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
        let _ = self.process.wait();
    }
}

/// The exit code of the server as ours; of one that a signal ended, as shells give it.
pub(super) fn code(status: ExitStatus) -> ExitCode {
    let code = status
        .code()
        .or(status.signal().map(|signal| 128 + signal))
        .and_then(|code| u8::try_from(code).ok());
    ExitCode::from(code.unwrap_or(1))
}

/// Becomes the server; returns only if that fails.
pub(crate) fn exec(command: &[OsString]) -> ExitCode {
    #[cfg(target_os = "linux")]
    {
        // If we are gone already, nobody is left to serve.
        let parent = rustix::process::getppid();
        let _ = rustix::process::set_parent_process_death_signal(Some(Signal::TERM));
        if rustix::process::getppid() != parent {
            return ExitCode::SUCCESS;
        }
    }
    let Some((program, arguments)) = command.split_first() else {
        return ExitCode::from(2);
    };
    let error = Command::new(program).args(arguments).exec();
    let name = program.to_string_lossy();
    crate::output::say(&format!(
        "failed to run `{}`: {error}",
        mcp_assay_report::visible(&name)
    ));
    // As shells do.
    ExitCode::from(if error.kind() == io::ErrorKind::NotFound {
        127
    } else {
        126
    })
}
