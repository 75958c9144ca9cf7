//! The command line of `probe`.

mod client;
mod report;

pub(crate) use self::client::{ProbeCommand, Tested};
pub(crate) use self::report::ReportArgs;
use super::Seconds;

/// Talk to a live server, well and badly, and report rule by rule.
///
/// Negotiates every revision that the server accepts, walks what it declares, sends malformed and
/// out-of-order messages, and checks that the server still answers. Tools are listed, not called,
/// unless they are annotated as read-only or a flag says so. A rule fails, passes, is not
/// applicable (the server does not offer it) or not observed (it could not be provoked).
#[derive(clap::Args, Debug)]
#[command(
    after_help = EXAMPLES,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct ProbeArgs {
    #[command(subcommand)]
    pub(crate) subcommand: Option<ProbeCommand>,

    #[arg(skip)]
    pub(crate) tested: Tested,

    /// The endpoint of a server over HTTP; for the older HTTP+SSE transport, that of its stream
    #[arg(
        long,
        value_name = "URL",
        conflicts_with = "command",
        required_unless_present = "command"
    )]
    pub(crate) url: Option<String>,

    /// A header for every request over HTTP, such as `Authorization: Bearer ...`; may be given
    /// several times
    #[arg(long, value_name = "NAME: VALUE", conflicts_with = "command", value_parser = header)]
    pub(crate) header: Vec<(String, String)>,

    /// Handshake, lists and one ping only
    #[arg(long)]
    pub(crate) quick: bool,

    /// Call every tool, not only those annotated as read-only
    #[arg(long)]
    pub(crate) call_tools: bool,

    /// Call this tool with these arguments; may be given several times
    #[arg(long, value_name = "TOOL=JSON", value_parser = call)]
    pub(crate) call: Vec<(String, serde_json::Value)>,

    /// The seed of generated arguments of tools: the same number makes the same arguments
    #[arg(long, value_name = "N", default_value = "0")]
    pub(crate) seed: u64,

    /// How long the first answer may take, in seconds: a cold start may have to install the server
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    pub(crate) start_timeout: Seconds,

    /// How long everything may take, in seconds; 120, unlimited with --serve-json
    #[arg(long, value_name = "SECONDS")]
    pub(crate) timeout: Option<Seconds>,

    /// Serve as the harness of a test suite in any language: one command per line on standard
    /// input, one answer per line on standard output
    ///
    /// The commands start and use the server. A command fails as soon as a message of the server
    /// breaks a rule of level error; --strict makes warnings fail, too, --no-strict keeps all
    /// violations for `expect_no_violations`. The commands are in docs/harness.md.
    #[arg(
        long,
        conflicts_with_all = [
            "quick", "call_tools", "call", "seed", "format", "output", "reproduce", "color", "verbose", "only_findings", "only", "except", "baseline",
            "write_baseline", "exit_zero"
        ]
    )]
    pub(crate) serve_json: bool,

    /// With --serve-json: skip lines on standard output that are text and no message
    #[arg(long, requires = "serve_json")]
    pub(crate) allow_stdout_noise: bool,

    #[command(flatten)]
    pub(crate) report: ReportArgs,

    /// The server, with its arguments
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}

const EXAMPLES: &str = "\
Examples:
  mcp-assay probe -- npx -y @modelcontextprotocol/server-everything
  mcp-assay probe --quick -- python server.py
  mcp-assay probe --url http://127.0.0.1:3000/mcp --header 'Authorization: Bearer TOKEN'
  mcp-assay probe --call 'add={\"a\":1,\"b\":2}' -- ./server
  mcp-assay probe --reproduce failures/ -- ./server
  mcp-assay probe --only jsonrpc/parse-error-reply -- ./server
  mcp-assay probe --write-baseline known.json -- ./server
  mcp-assay probe --baseline known.json --format junit --output probe.xml -- ./server
  mcp-assay probe --format html --output probe.html -- ./server
  mcp-assay probe --format concise -- ./server
  echo '{\"command\":\"initialize\"}' | mcp-assay probe --serve-json -- ./server
  mcp-assay probe client -- node client.mjs {server}

Formats: `human` for people, `html` for people with a browser, `concise` for agents and editors, `json` and `ndjson` for programs, `junit`, `sarif` and `github` for build servers.

Exit codes: 0 nothing of level error failed, 1 something did or an entry of the baseline is stale, 2 could not run, 3 the server wants authorisation, 4 it cannot be reached or started, 130 interrupted by Ctrl-C, after a report of what is known so far.";

fn header(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once(':').ok_or("expected `NAME: VALUE`")?;
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if name.is_empty() || !name.bytes().all(is_token) {
        return Err("the name of a header is a word".to_owned());
    }
    if value.chars().any(char::is_control) {
        return Err("a header has no control characters".to_owned());
    }
    Ok((name.to_ascii_lowercase(), value.trim().to_owned()))
}

fn call(text: &str) -> Result<(String, serde_json::Value), String> {
    let (tool, arguments) = text.split_once('=').ok_or("expected `TOOL=JSON`")?;
    let arguments: serde_json::Value =
        serde_json::from_str(arguments).map_err(|error| error.to_string())?;
    if arguments.is_object() {
        Ok((tool.to_owned(), arguments))
    } else {
        Err("the arguments of a tool are an object".to_owned())
    }
}
