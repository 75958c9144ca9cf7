//! `completions` and `man`: output for shells and readers of manuals.

use std::fs;

use anyhow::Context;
use clap::CommandFactory;
use clap_mangen::Man;

use crate::args::{Args, CompletionsArgs, ManArgs};
use crate::exit::Exit;
use crate::output;

pub(crate) fn completions(args: &CompletionsArgs) -> anyhow::Result<Exit> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "mcp-assay", &mut text);
    output::print(&text)?;
    Ok(Exit::Clean)
}

pub(crate) fn man(args: &ManArgs) -> anyhow::Result<Exit> {
    if let Some(folder) = &args.folder {
        let context = || format!("failed to write manual pages to {}", folder.display());
        fs::create_dir_all(folder).with_context(context)?;
        clap_mangen::generate_to(Args::command(), folder).with_context(context)?;
    } else {
        let mut text = Vec::new();
        Man::new(Args::command()).render(&mut text)?;
        output::print(&text)?;
    }
    Ok(Exit::Clean)
}
