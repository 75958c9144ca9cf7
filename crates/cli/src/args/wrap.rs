//! The command line of `wrap`.

use std::ffi::OsString;
use std::path::PathBuf;

use super::{LiveArgs, Seconds};

/// Run a stdio server and stand between it and its client.
///
/// Put it in front of the server's command in the client's configuration. In `shadow`, the default,
/// every byte is forwarded unchanged; violations are counted, and summarised on standard error when
/// the session is over. In `enforce` no message with an error is forwarded: a request is answered
/// with a JSON-RPC error, an answer is replaced by one, a notification is dropped, text on standard
/// output goes to standard error. The exit code is the server's. Everything that the server has
/// started ends with it.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct WrapArgs {
    #[command(flatten)]
    pub(crate) live: LiveArgs,

    /// Write the numbers of the session to a file in the text format of Prometheus, at the end and
    /// on SIGUSR1 (not on Windows), which then does not reach the server
    #[arg(long, value_name = "FILE", conflicts_with = "no_check")]
    pub(crate) metrics: Option<PathBuf>,

    /// How long a server may take to end when its client is gone or a signal arrives, before it is
    /// killed, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "5")]
    pub(crate) grace: Seconds,

    /// Print no summary at the end
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// The server
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}

const EXAMPLES: &str = "\
Examples:
  mcp-assay wrap -- npx -y @modelcontextprotocol/server-everything
  mcp-assay wrap --record session.ndjson --report report.json -- python server.py
  mcp-assay wrap --once --log-dir logs --deterministic-ids --metrics numbers.prom -- ./server
  mcp-assay wrap --mode enforce --quarantine --repair -- ./server --stdio

In a client's configuration:
  \"command\": \"mcp-assay\", \"args\": [\"wrap\", \"--\", \"npx\", \"-y\", \"the-server\"]";

/// Become another program that ends together with this one.
#[derive(clap::Args, Debug)]
pub(crate) struct ExecArgs {
    /// The program
    #[arg(last = true, required = true)]
    pub(crate) command: Vec<OsString>,
}
