//! `demo`: a flawed server that is part of the program, run through `wrap`.

use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;
use mcp_assay_report::{Format, quoted};
use mcp_assay_system::create_private;

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

const AFTER: &str = "\
Read about a rule:        mcp-assay explain schema/wrong-type
Watch your own server:    mcp-assay wrap -- your-server
Test your own server:     mcp-assay probe -- your-server
";

/// The name of a session that is not kept.
const NAME: &str = "<demo>";

pub(crate) fn demo(args: &DemoArgs) -> anyhow::Result<Exit> {
    let settings = Settings::of_demo(args)?;
    let (before, text) = session();
    if let Some(file) = &args.keep {
        keep(file, text).with_context(|| format!("failed to write {}", file.display()))?;
    }
    // Other formats are for programs, which expect no text around them.
    let talk = args.format == Format::Human;
    if talk {
        io::stdout().write_all(before.as_bytes())?;
    }
    let name = match &args.keep {
        // One per run, as the session.
        Some(file) => file.to_string_lossy().into_owned().leak(),
        None => NAME,
    };
    checking::run(&settings, vec![Ok(Source::BuiltIn { name, text })])?;
    if talk {
        let check = match &args.keep {
            Some(file) => {
                let file = quoted(&file.to_string_lossy());
                format!("\nCheck this session:       mcp-assay check {file}\n")
            }
            None => "\nKeep this session:        mcp-assay demo --keep session.ndjson\n".to_owned(),
        };
        io::stdout().write_all(check.as_bytes())?;
        io::stdout().write_all(AFTER.as_bytes())?;
        io::stdout().flush()?;
    }
    // The faults are the point, not a failure.
    Ok(Exit::Clean)
}

/// Writes the recording to a file that its owner alone can read.
fn keep(file: &Path, text: &str) -> io::Result<()> {
    create_private(file)?.write_all(text.as_bytes())
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
    // If no process can be started or no file written, the recorded session is shown.
    if let Ok(text) = demo::session() {
        // One session per run: it lives as long as the program.
        return (LIVE, text.leak());
    }
    (RECORDED, demo::RECORDED)
}
