//! The command line of `gateway`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use mcp_assay::RefusalStatus;

use super::{LiveArgs, Seconds};

/// Stand in front of a Streamable HTTP server.
///
/// Forwards all HTTP to the server: messages, streams of events, sessions, the older HTTP+SSE
/// transport, documents of authorisation. In `shadow`, the default, every body is forwarded
/// unchanged, event by event; violations are counted, and summarised on standard error at the end.
/// In `enforce` no message with an error is forwarded: a request is answered with a JSON-RPC error,
/// an answer or event is replaced by one, a notification is dropped.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct GatewayArgs {
    /// The server; without it, those of `[gateway.upstreams]` in `mcp-assay.toml`
    #[arg(long, value_name = "URL")]
    pub(crate) upstream: Option<String>,

    /// The address to listen on; by default 127.0.0.1:8808, or the one in `mcp-assay.toml`
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) listen: Option<String>,

    #[command(flatten)]
    pub(crate) live: LiveArgs,

    /// Accept requests for this host, too, besides the address itself, localhost and loopback
    /// addresses; `*` means every host
    #[arg(long, value_name = "HOST")]
    pub(crate) allow_host: Vec<String>,

    /// Accept requests of web pages from this origin, too, besides those of allowed hosts; `*`
    /// means every origin
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) allow_origin: Vec<String>,

    /// The HTTP status of refusals in `enforce`: `protocol`, the default, as the revision says;
    /// `canonical` that of the error itself, 400, 401, 404, 500, 502 or 504
    #[arg(long, value_name = "STATUS", value_parser = refusal_status_parser())]
    pub(crate) http_status: Option<RefusalStatus>,

    /// In `enforce`: the largest body of a request, in bytes; by default that of
    /// --max-message-bytes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(super::MAX_MESSAGE_BYTES)))]
    pub(crate) max_body: Option<u32>,

    /// How long a client may pause within the body of a request, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    pub(crate) body_timeout: Seconds,

    /// The memory for all connections together, such as 512MiB; by default 256 MiB, or that in
    /// `mcp-assay.toml`. In `shadow` a body that does not fit is forwarded unchecked and counted,
    /// in `enforce` it is refused with 503
    #[arg(long, value_name = "BYTES")]
    pub(crate) max_memory: Option<MemorySize>,

    /// Connections of clients at the same time; further ones are answered with 503
    #[arg(long, value_name = "N", default_value = "10000", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_connections: u32,

    /// Sessions that are tracked at the same time; those that were idle longest are dropped first
    #[arg(long, value_name = "N", default_value = "20000", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_sessions: u32,

    /// How long an idle session is tracked, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "3600")]
    pub(crate) session_ttl: Seconds,

    /// How long connecting to the server may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "10")]
    pub(crate) connect_timeout: Seconds,

    /// How long the server may take to begin its answer, or to go on with a body that is no stream,
    /// in seconds
    #[arg(long, value_name = "SECONDS", default_value = "300")]
    pub(crate) response_timeout: Seconds,

    /// How long exchanges may take to end after a signal, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "5")]
    pub(crate) grace: Seconds,

    /// Trust the certificates in this PEM file, too
    #[arg(long, value_name = "FILE")]
    pub(crate) upstream_ca: Option<PathBuf>,

    /// Print no summary at the end
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// A number of bytes, with or without a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MemorySize(pub(crate) usize);

impl FromStr for MemorySize {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const WRONG: &str = "expected at least 16 MiB, such as 268435456 or 256MiB";
        const MIN: usize = 16 << 20;
        let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        let shift = match text[digits.len()..].to_ascii_lowercase().as_str() {
            "" | "b" => 0,
            "k" | "kb" | "kib" => 10,
            "m" | "mb" | "mib" => 20,
            "g" | "gb" | "gib" => 30,
            _ => return Err(WRONG),
        };
        let count: usize = digits.trim_end().parse().map_err(|_| WRONG)?;
        let bytes = count.checked_mul(1 << shift).filter(|bytes| *bytes >= MIN);
        bytes.map(Self).ok_or(WRONG)
    }
}

fn refusal_status_parser() -> impl TypedValueParser<Value = RefusalStatus> {
    let names = RefusalStatus::ALL.map(RefusalStatus::name);
    PossibleValuesParser::new(names).try_map(|name| {
        let mut known = RefusalStatus::ALL.into_iter();
        known
            .find(|status| status.name() == name)
            .ok_or("no such status")
    })
}

const EXAMPLES: &str = "\
Examples:
  mcp-assay gateway --upstream https://example.com/mcp
  mcp-assay gateway --upstream http://127.0.0.1:3000/mcp --record session.ndjson --report report.json
  mcp-assay gateway --upstream http://127.0.0.1:3000/mcp --mode enforce --quarantine --repair
  mcp-assay gateway --upstream http://server/mcp --listen 0.0.0.0:8808 --allow-host gateway.example.com

Clients use the path of the server, http://127.0.0.1:8808/mcp, or http://127.0.0.1:8808/. `/healthz` and `/metrics` are the gateway's own.

Several servers, in mcp-assay.toml:
  [gateway.upstreams]
  \"/weather\" = \"https://weather.example.com/mcp\"
  \"/files\" = \"http://127.0.0.1:3000/mcp\"

Exit codes: 0 clean, 1 an error-level violation, 2 could not run. SIGINT or SIGTERM ends it, on
Windows Ctrl-C, Ctrl-Break or the end of the console; a second one at once.";
