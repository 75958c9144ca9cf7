//! Golden logs of live sessions in `shadow`: over stdio with `wrap`, over HTTP with `gateway`. The
//! ids are part of them. `UPDATE=1` writes them anew.
#![cfg(unix)]

#[path = "../gateway/process.rs"]
#[expect(dead_code, reason = "the tests of the gateway use more of it")]
mod process;

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use mcp_assay_contract::envelope::{request_id, span_id, trace_id};
use mcp_assay_testkit::http::client;
use mcp_assay_testkit::http::server::{Server, Then};
use mcp_assay_testkit::http::sound::{INITIALIZE, INITIALIZE_RESULT, INITIALIZED, JSON, answer};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use self::process::Gateway;

const LIST: &str = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;
/// A tool without a schema.
const BAD_LIST: &str = r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"add"}]}}"#;
const CALL: &str =
    r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"add","arguments":{"a":1}}}"#;
const BUSY: &str = r#"{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"busy"}}"#;
/// The same once more, with another id.
const AGAIN: &str =
    r#"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"arguments":{"a":1},"name":"add"}}"#;
const SUM: &str = r#"{"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"1"}]}}"#;
const UNKNOWN: &str = r#"{"jsonrpc":"2.0","id":5,"method":"tools/none"}"#;
const NO_METHOD: &str = r#"{"jsonrpc":"2.0","id":5,"error":{"code":-32601,"message":"none"}}"#;

/// Messages of the client, each with its answer.
const DIALOGUE: [(&str, Option<&str>); 6] = [
    (INITIALIZE, Some(INITIALIZE_RESULT)),
    (INITIALIZED, None),
    (LIST, Some(BAD_LIST)),
    (CALL, Some(BUSY)),
    (AGAIN, Some(SUM)),
    (UNKNOWN, Some(NO_METHOD)),
];

/// Runs the dialogue over stdio.
fn over_stdio(logs: &Path) {
    let arms: Vec<String> = DIALOGUE
        .iter()
        .filter_map(|(asked, answer)| Some(format!("'{asked}') echo '{}' ;;", (*answer)?)))
        .collect();
    let script = format!(
        "while IFS= read -r line; do case \"$line\" in {} esac; done",
        arms.join(" ")
    );
    let mut process = Command::new(env!("CARGO_BIN_EXE_mcp-assay"))
        .args(["wrap", "--no-config", "--once", "--deterministic-ids"])
        .arg("--log-dir")
        .arg(logs)
        .args(["--", "sh", "-c", &script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = process.stdin.take().unwrap();
    let mut answers = BufReader::new(process.stdout.take().unwrap()).lines();
    for (asked, answer) in DIALOGUE {
        writeln!(stdin, "{asked}").unwrap();
        if let Some(answer) = answer {
            assert_eq!(answers.next().unwrap().unwrap(), answer);
        }
    }
    drop(stdin);
    assert_eq!(process.wait().unwrap().code(), Some(0));
}

/// Runs the dialogue over HTTP; the last call is answered by a stream.
fn over_http(logs: &Path) {
    let server = Server::new(|request, wire| {
        let asked = request.text();
        let found = DIALOGUE.iter().find(|(known, _)| *known == asked);
        let sent = match found.and_then(|(_, answer)| *answer) {
            None if request.method == "DELETE" => answer("200 OK", "", b""),
            None => answer("202 Accepted", "", b""),
            Some(SUM) => mcp_assay_testkit::http::sound::stream(&[SUM]),
            Some(body) => {
                let headers = format!("{JSON}Mcp-Session-Id: s\r\n");
                answer("200 OK", &headers, body.as_bytes())
            }
        };
        wire.write_all(&sent).unwrap();
        Then::Keep
    });
    let logs = logs.to_string_lossy();
    let flags = ["--once", "--deterministic-ids", "--log-dir", &logs];
    let gateway = Gateway::new(&server.url(), &flags);
    let mut client = gateway.client();
    for (number, (asked, _)) in DIALOGUE.iter().enumerate() {
        let session = "Mcp-Session-Id: s\r\nMCP-Protocol-Version: 2025-06-18\r\n";
        client.post(if number == 0 { "" } else { session }, asked);
    }
    client.ask("DELETE", "/mcp", "Mcp-Session-Id: s\r\n");
    // The traffic violates the protocol.
    assert_eq!(gateway.finish().status.code(), Some(1));
}

/// Compares the log of several runs with the golden one.
fn compare(golden: &str, run: fn(&Path)) -> Vec<Value> {
    let golden = format!("{}/tests/golden/{golden}", env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let latest = folder.path().join("latest.jsonl");
    for number in 0..3 {
        run(folder.path());
        let mut diff = Command::new(env!("CARGO_BIN_EXE_mcp-assay"));
        diff.args(["diff-logs", "--ids", "--golden", &golden, "--new"])
            .arg(&latest);
        if number == 0 && std::env::var_os("UPDATE").is_some() {
            diff.arg("--update");
        }
        let diff = diff.output().unwrap();
        assert_eq!(
            diff.status.code(),
            Some(0),
            "run {number} (UPDATE=1 writes the golden log anew): {}{}",
            String::from_utf8_lossy(&diff.stdout),
            String::from_utf8_lossy(&diff.stderr)
        );
    }
    let text = fs::read_to_string(golden).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The ids of a golden log are those that `docs/validation-log.md` describes.
fn check_ids(events: &[Value], label: &str) {
    let digest = |purpose: &str, number: u64, length: usize| {
        let text = [
            purpose.as_bytes(),
            &[0],
            &number.to_be_bytes(),
            label.as_bytes(),
        ]
        .concat();
        let bytes = Sha256::digest(&text);
        let mut hex = String::new();
        for byte in &bytes[..length] {
            write!(hex, "{byte:02x}").unwrap();
        }
        hex
    };
    assert_eq!(digest("trace", 0, 16), trace_id(label).to_string());
    assert_eq!(digest("span", 7, 8), span_id(label, 7).to_string());
    assert_eq!(digest("request", 7, 16), request_id(label, 7).as_str());
    let exchanges: Vec<&Value> = events
        .iter()
        .filter(|event| event["event"] == "exchange")
        .map(|event| &event["envelope"]["meta"])
        .collect();
    let attempts: Vec<_> = exchanges.iter().map(|meta| &meta["attempt"]).collect();
    assert_eq!(attempts, [1, 1, 1, 2, 1]);
    for (index, meta) in exchanges.iter().enumerate() {
        let number = index as u64 + 1;
        assert_eq!(meta["traceId"], digest("trace", 0, 16));
        assert_eq!(meta["spanId"], digest("span", number, 8));
        // The second attempt has the id of the first.
        let exchange = if number == 4 { 3 } else { number };
        assert_eq!(meta["requestId"], digest("request", exchange, 16));
        assert_eq!(meta["deterministic"], true);
    }
    for event in events.iter().filter(|event| event["event"] == "message") {
        assert_eq!(event["mode"], "shadow");
        assert_eq!(event["meta"]["traceId"], digest("trace", 0, 16), "{event}");
    }
}

#[test]
fn stdio_in_shadow() {
    check_ids(&compare("wrap.jsonl", over_stdio), "1");
}

#[test]
fn http_in_shadow() {
    check_ids(&compare("gateway.jsonl", over_http), "1/1");
}
