//! The server as a process: ended with all that it started.

use std::ffi::OsString;
use std::process::{Command, ExitStatus, Stdio};

use anyhow::Context;
use mcp_assay_system::{Console, ProcessTree};

use crate::exit::Exit;

/// The server.
pub(super) struct Child {
    pub(super) process: std::process::Child,
    pub(super) tree: ProcessTree,
}

impl Child {
    pub(super) fn spawn(command: &[String]) -> anyhow::Result<Self> {
        let (process, tree) = ProcessTree::spawn(
            server(command)?
                .stdin(Stdio::piped())
                .stdout(Stdio::piped()),
            Console::Shared,
        )
        .with_context(|| format!("failed to start `{}`", command.join(" ")))?;
        Ok(Self { process, tree })
    }

    /// The way it ended, if it did.
    pub(super) fn ended(&mut self) -> Option<ExitStatus> {
        self.process.try_wait().ok().flatten()
    }
}

/// Nothing that it started outlives us.
impl Drop for Child {
    fn drop(&mut self) {
        self.tree.kill();
        let _ = self.process.wait();
    }
}

/// The command of the server. It ends when we do, which a process must ask for itself on Linux: so
/// it is started by way of this program.
#[cfg(unix)]
fn server(command: &[String]) -> anyhow::Result<Command> {
    let ours = std::env::current_exe().context("failed to find this program")?;
    let mut server = Command::new(ours);
    server.arg("exec-server").arg("--").args(command);
    Ok(server)
}

/// The command of the server, whose job ends it when we end.
#[cfg(windows)]
fn server(command: &[String]) -> anyhow::Result<Command> {
    let (program, arguments) = command.split_first().context("there is no command")?;
    let mut server = mcp_assay_system::command(program);
    server.args(arguments);
    Ok(server)
}

/// Becomes the server; returns only if that fails.
#[cfg(unix)]
pub(crate) fn exec(command: &[OsString]) -> Exit {
    use std::os::unix::process::CommandExt as _;

    #[cfg(target_os = "linux")]
    {
        // If we are gone already, nobody is left to serve.
        let parent = rustix::process::getppid();
        let _ =
            rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::TERM));
        if rustix::process::getppid() != parent {
            return Exit::Clean;
        }
    }
    let Some((program, arguments)) = command.split_first() else {
        return Exit::CouldNotRun;
    };
    let error = Command::new(program).args(arguments).exec();
    let name = program.to_string_lossy();
    crate::output::say(&format!(
        "failed to run `{}`: {error}",
        mcp_assay_report::visible(&name)
    ));
    // As shells do.
    Exit::Other(if error.kind() == std::io::ErrorKind::NotFound {
        127
    } else {
        126
    })
}

/// No program can become another one on Windows.
#[cfg(windows)]
pub(crate) fn exec(_: &[OsString]) -> Exit {
    Exit::CouldNotRun
}
