//! `check` on files that other programs write: logs, exports, archives.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/readers")
        .join(name)
}

struct Outcome {
    code: i32,
    stdout: String,
    stderr: String,
}

fn run(arguments: &[&str], input: Option<&str>) -> Outcome {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("mcp-assay");
    command.arg("check").args(arguments).env("NO_COLOR", "1");
    let output = with_input(&mut command, input).output().unwrap();
    Outcome {
        code: output.status.code().expect("no signal"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

fn with_input<'c>(command: &'c mut Command, input: Option<&str>) -> &'c mut Command {
    match input {
        Some(input) => command.write_stdin(input),
        None => command,
    }
}

/// The results for a file, as lines of JSON, without the summary.
fn messages(name: &str, further: &[&str]) -> (i32, Vec<Value>) {
    let path = fixture(name);
    let mut arguments = vec![path.to_str().unwrap(), "--format", "ndjson"];
    arguments.extend(further);
    let outcome = run(&arguments, None);
    let mut lines: Vec<Value> = outcome
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect(line))
        .collect();
    lines.pop().expect("a summary");
    (outcome.code, lines)
}

/// Line, direction, session, method and violated rules of a message.
fn short(message: &Value) -> String {
    if let Some(fault) = message["record_fault"].as_str() {
        return format!("{} {fault}", message["line"]);
    }
    let text = |name: &str| message[name].as_str().unwrap_or("-").to_owned();
    let rules = message["violations"].as_array().unwrap().iter();
    let rules: Vec<_> = rules.map(|found| found["rule"].as_str().unwrap()).collect();
    format!(
        "{} {} {} {} {} {}",
        message["line"],
        text("dir"),
        text("session"),
        text("method"),
        text("revision"),
        rules.join(",")
    )
    .trim_end()
    .to_owned()
}

#[track_caller]
fn check(name: &str, expected: &[&str]) {
    let (_, messages) = messages(name, &[]);
    let found: Vec<_> = messages.iter().map(short).collect();
    assert_eq!(found, expected, "{name}");
}

#[test]
fn claude_desktop() {
    check(
        "claude.txt",
        &[
            "10 c2s garden initialize 2025-06-18",
            "11 c2s kitchen initialize 2025-06-18",
            "13 s2c kitchen initialize 2024-11-05",
            "14 s2c garden initialize 2025-06-18",
            "15 c2s garden notifications/initialized 2025-06-18",
            "16 c2s kitchen notifications/initialized 2024-11-05",
            "17 c2s garden tools/list 2025-06-18",
            "18 s2c garden tools/list 2025-06-18 schema/missing-member",
        ],
    );
}

#[test]
fn vscode() {
    let (code, mut messages) = messages("vscode.txt", &[]);
    assert_eq!(code, 1);
    // The one line that is kept as it was sent is text on standard output.
    let text = messages.remove(1);
    assert_eq!(
        (&text["line"], &text["dir"], &text["kind"], &text["verdict"]),
        (
            &6.into(),
            &"s2c".into(),
            &"unreadable".into(),
            &"block".into()
        )
    );
    let found: Vec<_> = messages.iter().map(short).collect();
    assert_eq!(
        found,
        [
            "5 c2s garden initialize 2025-11-25",
            "8 s2c garden initialize 2025-11-25",
            "9 c2s garden notifications/initialized 2025-11-25",
        ]
    );
}

#[test]
fn inspector() {
    check(
        "inspector.json",
        &[
            "7 c2s - initialize 2025-06-18",
            "17 s2c - initialize 2025-06-18",
            "33 c2s - notifications/initialized 2025-06-18",
            "40 c2s - tools/call 2025-06-18 schema/missing-member",
            "41 s2c - tools/call 2025-06-18",
        ],
    );
}

#[test]
fn http_archive() {
    let session = "garden.example/mcp session 1";
    check(
        "garden.har",
        &[
            &format!("6 c2s {session} initialize 2025-06-18"),
            &format!("6 s2c {session} initialize 2025-06-18"),
            &format!("42 c2s {session} notifications/initialized 2025-06-18"),
            &format!("61 c2s {session} tools/list 2025-06-18"),
            &format!("61 s2c {session} tools/list 2025-06-18 schema/missing-member"),
            &format!("6 s2c {session} - 2025-06-18 http/session-delete"),
        ],
    );
}

#[test]
fn trace() {
    check(
        "trace.jsonl",
        &[
            "2 c2s - initialize 2025-03-26",
            "3 s2c - initialize 2025-03-26 schema/missing-member",
            "4 c2s - notifications/initialized 2025-03-26",
        ],
    );
}

#[test]
fn people_are_told_what_a_source_cannot_prove() {
    for (name, sentence) in [
        (
            "claude.txt",
            "read as a Claude Desktop log: messages are re-serialised there, so framing and JSON text are not judged",
        ),
        (
            "vscode.txt",
            "read as a VS Code log: messages are re-serialised there",
        ),
        (
            "inspector.json",
            "read as an MCP Inspector export: messages are re-serialised there",
        ),
        ("garden.har", "read as a HAR file\n"),
        (
            "trace.jsonl",
            "read as an mcp-trace-capture trace: messages are re-serialised there",
        ),
    ] {
        let path = fixture(name);
        let outcome = run(&[path.to_str().unwrap(), "--quiet"], None);
        let expected = format!("{name}: {sentence}");
        assert!(outcome.stdout.contains(&expected), "{}", outcome.stdout);
        assert_eq!(outcome.code, 1);
    }
    let own = run(
        &[],
        Some("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n"),
    );
    assert_eq!(own.stdout, "1 message: pass\n");
}

#[test]
fn programs_are_told_what_a_source_cannot_prove() {
    let path = fixture("claude.txt");
    for format in ["ndjson", "json"] {
        let outcome = run(&[path.to_str().unwrap(), "--format", format], None);
        let text = match format {
            "json" => &*outcome.stdout,
            _ => outcome.stdout.lines().last().unwrap(),
        };
        let summary: Value = serde_json::from_str(text).unwrap();
        let expected = serde_json::json!({"format": "claude", "fidelity": "reserialised",
            "missing": ["raw bytes", "http headers"]});
        assert_eq!(
            summary["summary"]["sources"][path.to_str().unwrap()],
            expected
        );
    }
    let own = run(&["--format", "ndjson"], Some("{}\n"));
    assert!(!own.stdout.contains("sources"), "{}", own.stdout);
}

#[test]
fn framing_is_not_judged_where_bytes_were_written_anew() {
    // Two messages on one line: on the wire that is a fault.
    let two = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}"#;
    let wire = run(&["--format", "ndjson"], Some(two));
    assert!(
        wire.stdout.contains("framing/newline-delimited"),
        "{}",
        wire.stdout
    );
    let log = format!("2026-02-03T08:00:00.000Z [a] [info] Message from client: {two}\n");
    let log = run(&["--format", "ndjson"], Some(&log));
    assert!(!log.stdout.contains("framing/"), "{}", log.stdout);
    assert!(log.stdout.contains("other text stands behind the message"));
}

#[test]
fn a_format_can_be_forced() {
    let line = "{\"dir\":\"c2s\",\"raw\":\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":1,\\\"method\\\":\\\"ping\\\"}\"}\n";
    let verdict = |format: &str| run(&["--quiet", "--input-format", format], Some(line));
    assert_eq!(verdict("auto").stdout, "1 message: pass\n");
    assert_eq!(verdict("capture").stdout, "1 message: pass\n");
    // Taken as a message, a record lacks everything.
    assert_eq!(verdict("ndjson").code, 1);
    assert_eq!(verdict("claude").code, 0);
    for document in ["har", "inspector"] {
        let outcome = verdict(document);
        assert_eq!(outcome.code, 1);
        assert!(outcome.stdout.contains("1 record cannot be read"));
    }
    let unknown = verdict("pcap");
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.stderr.contains("possible values"),
        "{}",
        unknown.stderr
    );
}

#[test]
fn what_a_logger_cut_off_is_not_blamed_on_the_party() {
    let log = "2026-02-03T08:00:00.000Z [a] [info] Message from server: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"te... [99 chars truncated]\n";
    let outcome = run(&["--format", "ndjson"], Some(log));
    assert!(
        outcome.stdout.contains("the logger cut the message off"),
        "{}",
        outcome.stdout
    );
    let summary = outcome.stdout.lines().last().unwrap();
    assert!(
        summary.contains("\"messages\":0") && summary.contains("\"record_faults\":1"),
        "{summary}"
    );
}

#[test]
fn many_files_at_once() {
    // Under the endings that `check` reads from a folder.
    let folder = tempfile::tempdir().unwrap();
    for (name, known_as) in [
        ("claude.txt", "mcp.log"),
        ("vscode.txt", "vscode.log"),
        ("inspector.json", "export.json"),
        ("garden.har", "garden.har"),
        ("trace.jsonl", "trace.jsonl"),
    ] {
        fs::copy(fixture(name), folder.path().join(known_as)).unwrap();
    }
    let outcome = run(&[folder.path().to_str().unwrap(), "--quiet"], None);
    let named = outcome.stdout.matches(": read as ").count();
    assert_eq!(named, 5, "{}", outcome.stdout);
    // One after the other gives the same.
    let path = folder.path().to_str().unwrap();
    let alone = run(&[path, "--quiet", "--jobs", "1"], None);
    assert_eq!(alone.stdout, outcome.stdout);
}
