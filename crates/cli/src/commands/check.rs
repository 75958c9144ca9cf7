//! `check`: recorded traffic.

use std::io::{self, IsTerminal};

use crate::args::CheckArgs;
use crate::config::Settings;
use crate::exit::Exit;
use crate::input::Source;
use crate::{check as checking, input, output};

pub(crate) fn check(args: &CheckArgs) -> anyhow::Result<Exit> {
    let sources = input::find(&args.inputs);
    if io::stdin().is_terminal() && sources.iter().flatten().any(|s| *s == Source::Stdin) {
        // Otherwise the program would seem to hang.
        let end = if cfg!(windows) {
            "Ctrl-Z and Enter"
        } else {
            "Ctrl-D"
        };
        output::say(&format!(
            "reading messages from standard input, one on each line, until {end}; `mcp-assay check FILE` reads a file"
        ));
    }
    let settings = Settings::of_check(args, &sources)?;
    checking::run(&settings, sources)
}
