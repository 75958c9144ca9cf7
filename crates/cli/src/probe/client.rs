//! `probe client`: the particulars of a client.

use std::env;

use anyhow::Context;
use mcp_assay_probe::{ClientUnderTest, Reach, Target};

use crate::args::{ProbeArgs, Tested};

/// The client, and its way to the prober: over stdio it starts this very program.
pub(super) fn target(args: &ProbeArgs) -> anyhow::Result<Target> {
    let reach = if args.tested == Tested::ClientOverHttp {
        Reach::Http
    } else {
        let program = env::current_exe().context("failed to find the path of this program")?;
        let program = program.into_os_string().into_string().ok().context(
            "the path of this program is not Unicode, so it cannot be passed to the client",
        )?;
        Reach::Stdio(vec![program, "probe".to_owned(), "relay".to_owned()])
    };
    Ok(Target::Client(ClientUnderTest {
        command: args.command.clone(),
        reach,
    }))
}

/// The words after `probe` that name the kind of peer.
pub(super) fn words(tested: Tested) -> &'static [&'static str] {
    match tested {
        Tested::Server => &[],
        Tested::Client => &["client"],
        Tested::ClientOverHttp => &["client", "--http"],
    }
}
