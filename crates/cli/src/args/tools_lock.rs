//! The flags of `check` for the tools that a server publishes.

use std::path::PathBuf;

/// The tools that a server publishes, and those of a lock.
#[derive(clap::Args, Debug, Default)]
#[command(next_help_heading = "Tools")]
pub(crate) struct ToolsLockArgs {
    /// Compare the tools in the traffic with those of this file: removed and breaking ones fail
    #[arg(long, value_name = "FILE")]
    pub(crate) tools_lock: Option<PathBuf>,

    /// The exit code for changed tools of which nothing could be proven
    #[arg(
        long,
        value_name = "CHOICE",
        default_value = "warn",
        requires = "tools_lock"
    )]
    pub(crate) unknown: Undecided,

    /// Write the tools in the traffic to a file for --tools-lock: those of the latest complete list
    #[arg(long, value_name = "FILE", conflicts_with = "tools_lock")]
    pub(crate) write_tools_lock: Option<PathBuf>,
}

/// The consequence of changes that could not be decided.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Undecided {
    /// They fail as breaking changes do
    Fail,
    /// They are reported, and a warning names their number
    #[default]
    Warn,
    /// They are reported
    Pass,
}
