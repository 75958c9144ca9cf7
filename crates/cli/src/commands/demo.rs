//! `demo`: a flawed session that is part of the program.

use std::io::{self, Write};

use mcp_assay_report::Format;

use crate::args::DemoArgs;
use crate::check as checking;
use crate::config::Settings;
use crate::exit::Exit;
use crate::input::Source;

const BEFORE: &str = "\
A client talks to a small weather server, in revision 2025-06-18. The server means well.
This is what `mcp-assay check` makes of the recording:

";

const AFTER: &str = "
Read about a rule:        mcp-assay explain schema/wrong-type
Check your own traffic:   mcp-assay check session.ndjson
";

pub(crate) fn demo(args: &DemoArgs) -> anyhow::Result<Exit> {
    let settings = Settings::of_demo(args.format, args.color, &args.log)?;
    // Other formats are for programs, which want nothing around them.
    let talk = args.format == Format::Human;
    if talk {
        io::stdout().write_all(BEFORE.as_bytes())?;
    }
    let source = Source::BuiltIn {
        name: "demo.ndjson",
        text: include_str!("../demo.ndjson"),
    };
    checking::run(&settings, vec![Ok(source)])?;
    if talk {
        io::stdout().write_all(AFTER.as_bytes())?;
        io::stdout().flush()?;
    }
    // The faults are the point, not a failure.
    Ok(Exit::Clean)
}
