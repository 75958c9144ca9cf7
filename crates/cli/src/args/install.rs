//! The command line of `install` and `uninstall`.

use std::path::PathBuf;

use mcp_assay_live::guard::Mode;

use super::live::mode_parser;

/// Put `wrap` in front of the servers that a client starts.
///
/// Changes the client's configuration so that it starts mcp-assay, which starts the server and
/// checks its traffic. Comments, order and layout stay. Servers that are reached by URL are left
/// alone, as are those that are wrapped already, unless a flag differs from their arguments. The
/// old file is kept beside the new one, with the ending `.mcp-assay.bak`.
#[derive(clap::Args, Debug)]
#[command(after_help = INSTALL_EXAMPLES)]
pub(crate) struct InstallArgs {
    /// The servers, by their names in the configuration; without any, all of them
    #[arg(value_name = "SERVER")]
    pub(crate) servers: Vec<String>,

    /// The client whose configuration to change: claude (the desktop app), claude-code, vscode,
    /// cursor, windsurf, codex, all, or a file
    #[arg(long, value_name = "CLIENT|FILE")]
    pub(crate) client: Option<String>,

    /// Watch the traffic or refuse invalid messages; without it, `wrap` decides
    #[arg(long, value_name = "MODE", value_parser = mode_parser())]
    pub(crate) mode: Option<Mode>,

    /// Record the traffic of each server in a folder of its own in this one
    #[arg(long, value_name = "DIR")]
    pub(crate) record: Option<PathBuf>,

    /// Write the validation logs of each server to a folder of its own in this one
    #[arg(long, value_name = "DIR")]
    pub(crate) log_dir: Option<PathBuf>,

    /// The command that clients start, in place of the full path of this program
    #[arg(long, value_name = "NAME")]
    pub(crate) command: Option<String>,

    /// Change nothing; print the changes as a unified diff
    #[arg(long)]
    pub(crate) dry_run: bool,
}

const INSTALL_EXAMPLES: &str = "\
Examples:
  mcp-assay install --client cursor --dry-run
  mcp-assay install --client claude weather
  mcp-assay install --client vscode --mode enforce
  mcp-assay install --client codex --record ~/mcp-traffic
  mcp-assay install --client ./my-client.json --command mcp-assay

Without --client nothing is changed, and the clients to choose from are named. Restart the client afterwards; the findings of a session are summarised in the client's log of the server.

Exit codes: 0 done, or nothing to do, 2 could not run; then nothing was changed that is not named.";

/// Take `wrap` out again.
///
/// Servers start as they did before `install`; other changes of the file stay. Without --client,
/// the configurations of all clients are searched.
#[derive(clap::Args, Debug)]
#[command(after_help = UNINSTALL_EXAMPLES)]
pub(crate) struct UninstallArgs {
    /// The servers, by their names in the configuration; without any, all that are wrapped
    #[arg(value_name = "SERVER")]
    pub(crate) servers: Vec<String>,

    /// The client whose configuration to change: claude (the desktop app), claude-code, vscode,
    /// cursor, windsurf, codex, all, or a file
    #[arg(long, value_name = "CLIENT|FILE")]
    pub(crate) client: Option<String>,

    /// Another name of this program, as given to `install --command`
    #[arg(long, value_name = "NAME")]
    pub(crate) command: Option<String>,

    /// Change nothing; print the changes as a unified diff
    #[arg(long)]
    pub(crate) dry_run: bool,
}

const UNINSTALL_EXAMPLES: &str = "\
Examples:
  mcp-assay uninstall
  mcp-assay uninstall --client cursor --dry-run
  mcp-assay uninstall --client claude weather";
