//! The servers: one that does everything right or one thing wrong, and ones in a few lines of shell.

use std::time::Duration;

use mcp_assay_harness::{Builder, Harness};
use mcp_assay_tests::live::Live;

pub(crate) const SERVER: &str = env!("CARGO_BIN_EXE_probe-server");

/// The server with one fault.
pub(crate) fn faulty(fault: &str) -> Builder {
    Harness::command([SERVER, "--fault", fault]).timeout(Duration::from_secs(3))
}

/// A server in a few lines of shell. `REST` are more cases; `$line` is the message, `$id` its id.
pub(crate) fn shell(rest: &str) -> Builder {
    let script = r#"
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
    *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}}\n' "$id" ;;
    *'"tools/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"ask","inputSchema":{"type":"object"}}]}}\n' "$id" ;;
REST
  esac
done
"#;
    Harness::command(["sh", "-c", &script.replace("REST", rest)]).timeout(Duration::from_secs(3))
}

/// The server over HTTP.
pub(crate) fn live(arguments: &[&str]) -> Live {
    Live::start(SERVER, arguments)
}

/// A harness for it.
pub(crate) fn harness(server: &Live) -> Builder {
    Harness::url(&server.url).timeout(Duration::from_secs(3))
}
