//! `probe`: talks to a live server.

use std::process::ExitCode;

use crate::args::ProbeArgs;

pub(crate) fn probe(args: &ProbeArgs) -> anyhow::Result<ExitCode> {
    crate::probe::run(args)
}
