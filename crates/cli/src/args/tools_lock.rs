//! The flags of `check` for the tools that a server publishes.

use std::path::PathBuf;

/// The tools that a server publishes, and those of a lock.
#[derive(clap::Args, Debug, Default)]
#[command(next_help_heading = "Tools")]
pub(crate) struct ToolsLockArgs {
    /// Compare the tools in the traffic with those of this file: removed and breaking ones fail
    #[arg(long, value_name = "FILE")]
    pub(crate) tools_lock: Option<PathBuf>,

    /// Write the tools in the traffic to a file for --tools-lock
    #[arg(long, value_name = "FILE", conflicts_with = "tools_lock")]
    pub(crate) write_tools_lock: Option<PathBuf>,
}
