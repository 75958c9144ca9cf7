//! The command line of `probe client`.

use super::{ProbeArgs, ReportArgs};
use crate::args::Seconds;

/// Serve a client, well and badly, and report its messages rule by rule.
///
/// The command is started once for every scenario, about forty times, each time as a fresh process
/// with a server that deviates in another way: it speaks other revisions, sends requests, sends
/// garbage, dies. The client should connect, list and call what it finds, and end; one that stays
/// is ended when it has been idle for a step. A rule fails, passes, is not applicable or not
/// observed.
///
/// A client over stdio starts its server itself. `{server}` in the command is the command line of
/// that server; the same is in `MCP_ASSAY_SERVER_COMMAND`, and as a JSON array in
/// `MCP_ASSAY_SERVER_ARGV`. With --http, `{url}` and `MCP_ASSAY_SERVER_URL` are the endpoint.
/// `{config}` and `MCP_ASSAY_CONFIG` name a file with `mcpServers`, for clients that read one.
/// `MCP_ASSAY_SCENARIO` is the name of the scenario, and with --http `{token}` and
/// `MCP_ASSAY_TOKEN` identify the user.
///
/// With --http, some servers require a token, and issue one on request. A client that opens a
/// browser for that is not followed: let it fetch the authorisation URL itself, which redirects at
/// once.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ClientArgs {
    /// Serve over HTTP instead of stdio
    #[arg(long)]
    pub(crate) http: bool,

    /// A good server in the newest revision only
    #[arg(long)]
    pub(crate) quick: bool,

    /// How long everything may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "300")]
    pub(crate) timeout: Seconds,

    #[command(flatten)]
    pub(crate) report: ReportArgs,

    /// The client, with its arguments
    #[arg(last = true, value_name = "COMMAND", required = true)]
    pub(crate) command: Vec<String>,
}

impl ClientArgs {
    /// The same arguments as those of `probe`: the report does not depend on the kind of peer.
    pub(crate) fn into_probe(self) -> ProbeArgs {
        let tested = if self.http {
            Tested::ClientOverHttp
        } else {
            Tested::Client
        };
        ProbeArgs {
            subcommand: None,
            tested,
            url: None,
            header: Vec::new(),
            quick: self.quick,
            call_tools: false,
            call: Vec::new(),
            seed: 0,
            start_timeout: self.report.step_timeout,
            timeout: Some(self.timeout),
            serve_json: false,
            allow_stdout_noise: false,
            report: self.report,
            command: self.command,
        }
    }
}

/// The kind of peer.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Tested {
    /// A server, by command or URL.
    #[default]
    Server,
    /// A client that starts its server.
    Client,
    /// A client that calls a URL.
    ClientOverHttp,
}

/// Peers other than servers, and the helper that they need.
#[derive(clap::Subcommand, Debug)]
pub(crate) enum ProbeCommand {
    Client(Box<ClientArgs>),
    /// Be the server that a client under test starts
    #[command(hide = true)]
    Relay {
        /// The address of the prober
        address: String,
        /// The key that identifies this run
        token: String,
    },
}

const EXAMPLES: &str = "\
Examples:
  mcp-assay probe client -- node client.mjs {server}
  mcp-assay probe client --http -- python client.py {url}
  mcp-assay probe client -- my-agent --mcp-config {config} --prompt 'use every tool once'
  mcp-assay probe client -- sh -c 'exec my-client --server \"$MCP_ASSAY_SERVER_COMMAND\"'
  mcp-assay probe client --reproduce failures/ -- ./client {server}
  mcp-assay probe client --http --only auth -- ./client {url}
  mcp-assay probe client --only version/disconnect-on-unsupported -- ./client {server}

Exit codes: 0 nothing of level error failed, 1 something did, 2 could not run, 4 the client cannot be started or never connects.";
