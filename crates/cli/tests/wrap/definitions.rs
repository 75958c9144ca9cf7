//! Definitions from outside in `wrap`: they are replaced while a session goes on, or nothing
//! starts.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::wrap;

/// Accepts any ping.
const LENIENT: &str =
    r#"{"$defs":{"PingRequest":{"type":"object","properties":{"method":{"const":"ping"}}}}}"#;
/// Demands `params` of a ping.
const DEMANDING: &str = r#"{"$defs":{"PingRequest":{"type":"object","properties":{"method":{"const":"ping"}},"required":["params"]}}}"#;

/// Answers each request.
const SERVER: &str =
    r#"while read -r line; do echo "$line" | sed 's/"method":"ping"/"result":{}/'; done"#;

#[test]
fn a_signal_replaces_the_definitions_of_a_session() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.json");
    std::fs::write(&path, LENIENT).unwrap();
    let source = format!("file://{}", path.display());
    let flags = [
        "--mode",
        "enforce",
        "--layers",
        "json,jsonrpc,schema",
        "--schema",
        &source,
    ];
    let mut wrapped = wrap(&flags, SERVER);
    let mut answers = BufReader::new(wrapped.stdout.take().unwrap());
    let mut errors = BufReader::new(wrapped.process.stderr.take().unwrap());
    let process = wrapped.process.id().to_string();
    let mut id = 0;
    let mut ping = || {
        id += 1;
        wrapped
            .write(format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}\n").as_bytes());
        let mut answer = String::new();
        answers.read_line(&mut answer).unwrap();
        let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
        assert_eq!(answer["id"], id);
        answer.get("error").is_none()
    };
    let mut replace = |text: &str| {
        std::fs::write(&path, text).unwrap();
        let sent = Command::new("kill")
            .args(["-HUP", &process])
            .status()
            .unwrap();
        assert!(sent.success());
        let mut line = String::new();
        errors.read_line(&mut line).unwrap();
        line
    };
    assert!(ping());
    let said = replace(DEMANDING);
    assert!(said.contains("the new definitions are in force"), "{said}");
    assert!(!ping());
    let said = replace("{\"$defs\":");
    assert!(said.contains("stay in force"), "{said}");
    assert!(!ping(), "the old ones stay");
    let said = replace(LENIENT);
    assert!(said.contains("the new definitions are in force"), "{said}");
    assert!(ping());
    drop(wrapped.stdin.take());
    assert_eq!(
        wrapped.process.wait().unwrap().code(),
        Some(0),
        "the signal ended nothing"
    );
}

#[test]
fn an_interval_replaces_them_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.json");
    let source = path.to_str().unwrap();
    std::fs::write(&path, LENIENT).unwrap();
    let flags = ["--schema", source, "--schema-refresh", "0.05"];
    // The server starts when the first document was read.
    let mut wrapped = wrap(&flags, "echo started >&2; cat > /dev/null");
    let mut errors = BufReader::new(wrapped.process.stderr.take().unwrap());
    let mut line = String::new();
    errors.read_line(&mut line).unwrap();
    assert_eq!(line, "started\n");
    std::fs::write(folder.path().join("new"), DEMANDING).unwrap();
    std::fs::rename(folder.path().join("new"), &path).unwrap();
    line.clear();
    errors.read_line(&mut line).unwrap();
    assert!(line.contains("the new definitions are in force"), "{line}");
    drop(wrapped.stdin.take());
    wrapped.process.wait().unwrap();
}

#[test]
fn without_required_definitions_no_server_starts() {
    let folder = tempfile::tempdir().unwrap();
    let started = folder.path().join("started");
    let script = format!("touch '{}'", started.display());
    let ended = wrap(&["--schema", "/no/such.json", "--schema-required"], &script).say(b"");
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(!started.exists());
    assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
    assert!(
        ended
            .stderr
            .starts_with("mcp-assay: /no/such.json: failed to read the schema: "),
        "{}",
        ended.stderr
    );
    // The same by the configuration.
    let config = folder.path().join("mcp-assay.toml");
    std::fs::write(
        &config,
        "schema_override = \"such.json\"\nschema_required = true\n",
    )
    .unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_mcp-assay"))
        .args(["wrap", "--", "sh", "-c", &script])
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(!started.exists());
}
