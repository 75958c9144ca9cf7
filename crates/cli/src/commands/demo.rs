//! `demo`: a flawed server that is part of the program, run through `wrap`.

use std::io::{self, Write};

use anyhow::Context;
use mcp_assay_report::Format;

use crate::args::DemoArgs;
use crate::check as checking;
use crate::config::Settings;
use crate::demo;
use crate::exit::Exit;
use crate::input::Source;

const LIVE: &str = "\
A client talks to a small weather server, in revision 2025-06-18. The server means well.
`mcp-assay wrap` stood between them, and this is what it saw:

";

const RECORDED: &str = "\
A client talks to a small weather server, in revision 2025-06-18. The server means well.
This is what `mcp-assay check` makes of the recording:

";

const AFTER: &str = "
Read about a rule:        mcp-assay explain schema/wrong-type
Watch your own server:    mcp-assay wrap -- your-server
Check your own traffic:   mcp-assay check session.ndjson
";

pub(crate) fn demo(args: &DemoArgs) -> anyhow::Result<Exit> {
    let settings = Settings::of_demo(args.format, args.color, &args.log)?;
    let (before, text) = session();
    // Other formats are for programs, which expect no text around them.
    let talk = args.format == Format::Human;
    if talk {
        io::stdout().write_all(before.as_bytes())?;
    }
    let source = Source::BuiltIn {
        name: "demo.ndjson",
        text,
    };
    checking::run(&settings, vec![Ok(source)])?;
    if talk {
        io::stdout().write_all(AFTER.as_bytes())?;
        io::stdout().flush()?;
    }
    // The faults are the point, not a failure.
    Ok(Exit::Clean)
}

/// The server that `demo` runs.
pub(crate) fn demo_server() -> anyhow::Result<Exit> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .context("failed to start")?;
    runtime.block_on(demo::serve(tokio::io::stdin(), tokio::io::stdout()))?;
    Ok(Exit::Clean)
}

/// The session, and its origin in words.
fn session() -> (&'static str, &'static str) {
    // `wrap` needs a Unix system. If no process can be started or no file written, the recorded
    // session is shown.
    if cfg!(unix)
        && let Ok(text) = demo::session()
    {
        // One session per run: it lives as long as the program.
        return (LIVE, text.leak());
    }
    (RECORDED, demo::RECORDED)
}
