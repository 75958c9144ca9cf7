//! `wrap`: the server's exit code is ours.

use crate::args::{ExecArgs, WrapArgs};
use crate::exit::Exit;

pub(crate) fn wrap(args: &WrapArgs) -> anyhow::Result<Exit> {
    crate::wrap::run(args)
}

pub(crate) fn exec_server(args: &ExecArgs) -> Exit {
    crate::wrap::exec(&args.command)
}
