//! Definitions from outside in `gateway`: a signal replaces them, or nothing listens.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::process::Gateway;
use crate::server::Server;
use crate::wait::until;

/// Accepts any ping.
const LENIENT: &str =
    r#"{"$defs":{"PingRequest":{"type":"object","properties":{"method":{"const":"ping"}}}}}"#;
/// Demands `params` of a ping.
const DEMANDING: &str = r#"{"$defs":{"PingRequest":{"type":"object","properties":{"method":{"const":"ping"}},"required":["params"]}}}"#;
const PING: &str = r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#;

#[test]
fn a_signal_replaces_the_definitions_while_clients_are_served() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.json");
    std::fs::write(&path, LENIENT).unwrap();
    let server = Server::sound();
    let source = path.to_str().unwrap();
    let layers = "json,jsonrpc,schema";
    let flags = ["--mode", "enforce", "--layers", layers, "--schema", source];
    let gateway = Gateway::new(&server.url(), &flags);
    let is_refused = || {
        let answer = gateway.client().post("", PING).text();
        answer.contains("schema/override")
    };
    let replace = |text: &str| {
        std::fs::write(&path, text).unwrap();
        gateway.hang_up();
    };
    assert!(!is_refused());
    replace(DEMANDING);
    until(is_refused);
    replace("{\"$defs\":");
    replace(LENIENT);
    until(|| !is_refused());
    let ended = gateway.end();
    assert!(
        ended.stderr.contains("the new definitions are in force"),
        "{}",
        ended.stderr
    );
}

#[test]
fn without_required_definitions_nothing_listens() {
    let output = Command::new(env!("CARGO_BIN_EXE_mcp-assay"))
        .args([
            "gateway",
            "--upstream",
            "http://127.0.0.1:9/mcp",
            "--listen",
            "127.0.0.1:0",
        ])
        .args([
            "--no-config",
            "--schema",
            "/no/such.json",
            "--schema-required",
        ])
        .current_dir(Path::new("/"))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(
        stderr.contains("/no/such.json: failed to read the schema"),
        "{stderr}"
    );
}
