//! `wrap`: the server's exit code is ours.

use std::process::ExitCode;

use crate::args::{ExecArgs, WrapArgs};
use crate::exit::Exit;
use crate::output;

#[cfg(unix)]
pub(crate) fn wrap(args: &WrapArgs) -> ExitCode {
    crate::wrap::run(args).unwrap_or_else(|error| {
        output::complain(&error);
        Exit::CouldNotRun.into()
    })
}

#[cfg(unix)]
pub(crate) fn exec_server(args: &ExecArgs) -> ExitCode {
    crate::wrap::exec(&args.command)
}

#[cfg(not(unix))]
pub(crate) fn wrap(_: &WrapArgs) -> ExitCode {
    output::say("`wrap` needs the pipes and signals of a Unix system");
    Exit::CouldNotRun.into()
}

#[cfg(not(unix))]
pub(crate) fn exec_server(_: &ExecArgs) -> ExitCode {
    Exit::CouldNotRun.into()
}
