//! The servers: the scripted one, correct or with a fault, and ones in a few lines of shell.

use std::time::Duration;

use mcp_assay_harness::{Builder, Harness};
use mcp_assay_testkit::live::Live;
#[cfg(unix)]
use mcp_assay_testkit::shell::ShellServer;

pub(crate) const SERVER: &str = env!("CARGO_BIN_EXE_probe-server");

/// The server with one fault.
pub(crate) fn faulty(fault: &str) -> Builder {
    Harness::command([SERVER, "--fault", fault]).timeout(Duration::from_secs(3))
}

/// A server in shell with one tool. `cases` are more; `$line` is the message, `$id` its id. Only
/// Unix has `sh`.
#[cfg(unix)]
pub(crate) fn shell(cases: &str) -> Builder {
    let server = ShellServer::new()
        .capabilities(r#"{"tools":{}}"#)
        .answer(
            "tools/list",
            r#"{"tools":[{"name":"ask","inputSchema":{"type":"object"}}]}"#,
        )
        .cases(cases);
    Harness::command(server.command()).timeout(Duration::from_secs(3))
}

/// The server over HTTP.
pub(crate) fn live(arguments: &[&str]) -> Live {
    Live::start(SERVER, arguments)
}

/// A harness for it.
pub(crate) fn harness(server: &Live) -> Builder {
    Harness::url(&server.url).timeout(Duration::from_secs(3))
}
