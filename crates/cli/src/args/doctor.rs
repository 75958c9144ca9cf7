//! The command line of `doctor`.

use super::{Colour, ListFormat, Seconds};

/// Examine the servers in the configurations of clients, and say what to mend.
///
/// For each server: whether the configuration can be read, the command exists, the server completes
/// the handshake of MCP, and what `install` would do. Servers are started as their clients would
/// start them, and asked for their lists; no tool is called. Nothing is changed.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DoctorArgs {
    /// The servers, by their names in the configuration; without any, all of them
    #[arg(value_name = "SERVER")]
    pub(crate) servers: Vec<String>,

    /// The client whose configuration to examine: claude (the desktop app), claude-code, vscode,
    /// cursor, windsurf, codex, all, or a file
    #[arg(long, value_name = "CLIENT|FILE", default_value = "all")]
    pub(crate) client: String,

    /// Start no server, and connect to none
    #[arg(long)]
    pub(crate) no_start: bool,

    /// How long a server may take for its handshake and lists, in seconds: a cold start may have to
    /// install it
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    pub(crate) timeout: Seconds,

    /// The format of the report
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: ListFormat,

    /// Use of colour
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Colour,
}

const EXAMPLES: &str = "\
Examples:
  mcp-assay doctor
  mcp-assay doctor --client cursor weather
  mcp-assay doctor --client ./my-client.json --format json
  mcp-assay doctor --no-start

Exit codes: 0 nothing has to be mended, 1 something has, 2 could not run.";
