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
    assert_eq!(own.stdout, "1 message: clean\n");
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
    assert_eq!(verdict("auto").stdout, "1 message: clean\n");
    assert_eq!(verdict("capture").stdout, "1 message: clean\n");
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

/// A browser keeps no body of a stream, and may keep none at all.
#[test]
fn nothing_is_concluded_from_bodies_that_an_archive_leaves_out() {
    let head = |name: &str, value: &str| serde_json::json!({"name": name, "value": value});
    let entry = |names_version: bool, second: u32, body: Value, response: Value| {
        let mut headers = vec![
            head("accept", "application/json, text/event-stream"),
            head("content-type", "application/json"),
        ];
        if second > 0 && names_version {
            headers.push(head("mcp-protocol-version", "2025-06-18"));
        }
        serde_json::json!({
            "startedDateTime": format!("2026-05-06T07:00:{second:02}.000Z"),
            "time": 20,
            "request": {
                "method": "POST",
                "url": "https://garden.example/mcp",
                "headers": headers,
                "postData": {"mimeType": "application/json", "text": body.to_string()},
            },
            "response": response,
        })
    };
    let answer = |media_type: &str, text: Option<&str>| {
        serde_json::json!({
            "status": 200,
            "headers": [head("content-type", media_type)],
            "content": {"size": 40, "mimeType": media_type, "text": text},
        })
    };
    let accepted = serde_json::json!({"status": 202, "headers": [], "content": {"size": 0}});
    let initialize = serde_json::json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {"roots": {}}, "clientInfo": {"name": "desk", "version": "1"}
    }});
    let initialized = serde_json::json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let call = serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "dig"}});
    // The request that this answers came on the stream of the call.
    let roots = serde_json::json!({"jsonrpc": "2.0", "id": 5, "result": {"roots": []}});
    let progress = "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":1}}\n\n";
    let archive = |names_version: bool, first: &Value, second: &Value| {
        let entries = [
            entry(names_version, 0, initialize.clone(), first.clone()),
            entry(names_version, 1, initialized.clone(), accepted.clone()),
            entry(names_version, 2, call.clone(), second.clone()),
            entry(names_version, 3, roots.clone(), accepted.clone()),
        ];
        serde_json::json!({"log": {"version": "1.2", "entries": entries}}).to_string()
    };
    let known = answer(
        "application/json",
        Some(
            r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"logging":{}},"serverInfo":{"name":"garden","version":"1"}}}"#,
        ),
    );
    // Without the answer nobody knows whether the agreed version has the header.
    for (names_version, first, second) in [
        (
            false,
            answer("application/json", None),
            answer("text/event-stream", None),
        ),
        (
            true,
            answer("text/event-stream", None),
            answer("application/json", None),
        ),
        (true, known.clone(), answer("text/event-stream", None)),
        (true, known.clone(), answer("text/event-stream", Some(""))),
        (true, known, answer("text/event-stream", Some(progress))),
    ] {
        let outcome = run(
            &["-", "--format", "ndjson"],
            Some(&archive(names_version, &first, &second)),
        );
        let found: Vec<Value> = outcome
            .stdout
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        for message in &found {
            let violations = message["violations"].as_array().into_iter().flatten();
            let errors: Vec<_> = violations
                .filter(|found| found["level"] == "error")
                .collect();
            assert!(errors.is_empty(), "{errors:?}");
        }
        assert_eq!(outcome.code, 0, "{}", outcome.stdout);
        let [.., last, _] = &found[..] else {
            panic!("a message and a summary");
        };
        assert_eq!(last["source"], "<stdin>#4");
        assert_eq!(last["line"], 1);
    }
}

#[test]
fn files_in_utf_16_are_read() {
    let text = fs::read_to_string(fixture("claude.txt")).unwrap();
    let expected = run(
        &[
            fixture("claude.txt").to_str().unwrap(),
            "--format",
            "ndjson",
        ],
        None,
    );
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in [
        (
            "little.log",
            [&b"\xff\xfe"[..], &utf_16(&text, u16::to_le_bytes)].concat(),
        ),
        (
            "big.log",
            [&b"\xfe\xff"[..], &utf_16(&text, u16::to_be_bytes)].concat(),
        ),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let found = run(&[path.to_str().unwrap(), "--format", "ndjson"], None);
        let expected = expected.stdout.replace(
            fixture("claude.txt").to_str().unwrap(),
            path.to_str().unwrap(),
        );
        assert_eq!(found.stdout, expected);
    }
}

fn utf_16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(bytes).collect()
}

#[test]
fn a_log_may_begin_with_a_byte_order_mark() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["claude.txt", "vscode.txt"] {
        let log = fs::read_to_string(fixture(name)).unwrap();
        let [plain, marked] = ["", "\u{feff}"].map(|mark| {
            let path = folder.path().join(name);
            fs::write(&path, format!("{mark}{log}")).unwrap();
            run(&[path.to_str().unwrap(), "--format", "ndjson"], None).stdout
        });
        assert_eq!(plain, marked, "{name}");
    }
}

#[test]
fn a_log_is_read_behind_any_number_of_foreign_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("late.log");
    let foreign = "    at Module._compile (node:internal/modules)\n".repeat(60_000);
    let log = fs::read_to_string(fixture("claude.txt")).unwrap();
    fs::write(&path, foreign + &log).unwrap();
    let outcome = run(&[path.to_str().unwrap(), "--format", "ndjson"], None);
    let summary: Value = serde_json::from_str(outcome.stdout.lines().last().unwrap()).unwrap();
    assert_eq!(summary["summary"]["messages"], 8, "{summary}");
}

/// One sentence, not an error for each line.
#[test]
fn a_file_that_holds_no_traffic_is_named() {
    let cursor = "2026-03-04 09:59:48.527 [info] notes: Handling CreateClient action\n\
        2026-03-04 09:59:48.600 [info] notes: Handling ListOfferings action\n";
    let claude_code = r#"[
  {
    "debug": "Starting connection with timeout of 30000ms",
    "timestamp": "2026-03-04T09:59:48.527Z",
    "sessionId": "a",
    "cwd": "/home/me"
  }
]
"#;
    let remote = "[4711] Using transport strategy: http-first\n[4711] [Local→Remote] initialize\n\
        [4711] {\n  \"id\": 0\n}\n[4711] [Remote→Local] 0\n";
    let cases: [(&str, &[u8], &str); 11] = [
        ("main.rs", include_bytes!("readers.rs"), "it is no capture"),
        (
            "notes.md",
            b"# Notes\n\n- one\n- two [link](x)\n",
            "it is no capture",
        ),
        (
            "program",
            b"\x7fELF\x02\x01\x01\x00\x00{\"\x00\n\x01\n",
            "it is a binary file",
        ),
        (
            "packets.pcap",
            b"\xd4\xc3\xb2\xa1\x02\x00\x04\x00",
            "packet capture",
        ),
        (
            "packets.pcapng",
            b"\x0a\x0d\x0d\x0a\x1c\x00\x00\x00",
            "packet capture",
        ),
        (
            "flows",
            b"96:9:websocket;0:~8:response;0:~7:request;8:4:path;}7:version;2:21#}",
            "mitmproxy",
        ),
        (
            "package.json",
            b"{\n  \"name\": \"notes\",\n  \"version\": \"1.0.0\"\n}\n",
            "it is no capture",
        ),
        (
            "service.jsonl",
            b"{\"level\":\"info\",\"msg\":\"begin\"}\n{\"level\":\"info\",\"msg\":\"end\"}\n",
            "it is no capture",
        ),
        ("cursor.log", cursor.as_bytes(), "a Cursor log"),
        (
            "mcp-logs-notes.txt",
            claude_code.as_bytes(),
            "a Claude Code log",
        ),
        ("remote.log", remote.as_bytes(), "an mcp-remote log"),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (name, content, expected) in cases {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        let outcome = run(&[path.to_str().unwrap()], None);
        assert_eq!(outcome.code, 2, "{name}: {}", outcome.stdout);
        let told: Vec<_> = outcome.stderr.lines().collect();
        assert_eq!(told.len(), 1, "{name}: {}", outcome.stderr);
        assert!(told[0].contains(expected), "{name}: {}", outcome.stderr);
    }
}

/// Findings appear while the file grows, and the end is the same as that of a finished file.
#[cfg(unix)]
#[test]
fn a_growing_file_is_followed_until_it_is_ended() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.ndjson");
    fs::write(
        &path,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n{\"jsonrpc\":",
    )
    .unwrap();
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("mcp-assay"))
        .args(["check", "--follow", "--format", "ndjson"])
        .arg(&path)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || -> Value { serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap() };
    assert_eq!(next()["line"], 1);
    let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(
        b"\"2.0\",\"id\":1,\"result\":{}}\n{\"jsonrpc\":1,\"id\":2,\"method\":\"ping\"}\n",
    )
    .unwrap();
    assert_eq!(next()["verdict"], "pass");
    assert_eq!(next()["verdict"], "block");
    // A line that is still being written is not checked.
    file.write_all(b"{\"jsonrpc\":").unwrap();
    let signalled = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(signalled.success());
    let summary = next();
    assert_eq!(summary["summary"]["messages"], 3, "{summary}");
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn only_one_file_of_lines_can_be_followed() {
    let har = fixture("garden.har");
    let claude = fixture("claude.txt");
    let (har, claude) = (har.to_str().unwrap(), claude.to_str().unwrap());
    for (arguments, expected) in [
        (&["--follow", har][..], "cannot be followed"),
        (&["--follow", claude, har], "--follow needs one file"),
        (&["--follow", "-"], "--follow needs one file"),
        (&["--follow", "x.gz"], "no packed file"),
    ] {
        let outcome = run(arguments, Some(""));
        assert_eq!(outcome.code, 2, "{arguments:?}");
        assert!(outcome.stderr.contains(expected), "{}", outcome.stderr);
    }
}
