//! `probe`: talks to a live server, or serves a live client.

use anyhow::Context;

use crate::args::{ProbeArgs, ProbeCommand};
use crate::exit::Exit;

pub(crate) fn probe(args: ProbeArgs) -> anyhow::Result<Exit> {
    match args.subcommand {
        None => crate::probe::run(&args),
        Some(ProbeCommand::Client(client)) => crate::probe::run(&client.into_probe()),
        Some(ProbeCommand::Relay { address, token }) => {
            mcp_assay_probe::relay(&address, &token).context("failed to reach the prober")?;
            Ok(Exit::Clean)
        }
    }
}
