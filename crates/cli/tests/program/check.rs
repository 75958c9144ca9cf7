//! `check`: exit codes, formats, options.

use crate::support::{BAD_CALL, LIST, PING, PONG, TOOLS, assay, folder, run, run_in};
use serde_json::{Value, json};

#[test]
fn exit_codes() {
    let warning = r#"{"jsonrpc":"2.0","id":1,"method":"ping","id":1}"#;
    let cases: [(&str, &[&str], &str, i32); 9] = [
        ("clean", &["check"], PING, 0),
        ("nothing", &["check"], "", 0),
        ("violations", &["check"], BAD_CALL, 1),
        ("forgiven", &["check", "--exit-zero"], BAD_CALL, 0),
        (
            "another layer",
            &["check", "--layers", "json,jsonrpc"],
            BAD_CALL,
            0,
        ),
        ("missing file", &["check", "no-such-file.ndjson"], "", 2),
        (
            "missing file is never forgiven",
            &["check", "--exit-zero", "no-such-file.ndjson"],
            "",
            2,
        ),
        ("unknown flag", &["check", "--nonsense"], "", 2),
        ("broken record", &["check"], r#"{"dir":"c2s","raw":1}"#, 1),
    ];
    for (name, arguments, input, expected) in cases {
        let outcome = run(arguments, input);
        assert_eq!(
            outcome.code, expected,
            "{name}: {}{}",
            outcome.stdout, outcome.stderr
        );
    }
    let flagged = run(&["check", "--format", "ndjson"], warning);
    let level = &flagged.lines()[0]["violations"][0]["level"];
    let strict = run(&["check", "--strict"], warning);
    // Whatever the level of repeated keys: errors fail, and `--strict` makes errors of warnings.
    assert_eq!(flagged.code, i32::from(level == "error"));
    assert_eq!(strict.code, i32::from(level != "note"));
}

/// One validator reads both lines: the first must leave no state behind.
#[test]
fn a_line_that_is_not_utf8_does_not_taint_the_next() {
    for count in [1, 10] {
        let keys = r#""k":0,"#.repeat(count);
        let mut input = format!(r#"[0,0,{{{keys}"k":0}},""#).into_bytes();
        input.extend_from_slice(b"\xff\"]\n{}\n");
        let output = assay(&["check", "--format", "ndjson"])
            .write_stdin(input)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1));
        let text = String::from_utf8(output.stdout).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3, "{text}");
        assert!(lines[0].contains("framing/utf8"), "{text}");
        assert!(!lines[1].contains("json/"), "{text}");
    }
}

#[test]
fn many_warnings_do_not_hide_an_error() {
    let keys = r#""k":0,"#.repeat(150);
    let call =
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{{keys}"z":1}}}}"#);
    let outcome = run(&["check", "--format", "ndjson"], &call);
    assert_eq!(outcome.code, 1);
    let line = &outcome.lines()[0];
    assert_eq!(line["verdict"], "block");
    let violations = line["violations"].as_array().unwrap();
    assert_eq!(violations.len(), 101);
    assert!(
        violations
            .iter()
            .any(|found| found["rule"] == "schema/missing-member")
    );
    assert_eq!(violations[100]["rule"], "json/violation-limit");
}

#[test]
fn ndjson_is_one_line_a_message_and_a_summary() {
    let outcome = run(
        &["check", "--format", "ndjson", "-"],
        &format!("{LIST}\n\n{TOOLS}\n{BAD_CALL}\n"),
    );
    let lines = outcome.lines();
    assert_eq!(lines.len(), 4);
    assert_eq!(
        lines[1],
        json!({
            "source": "<stdin>", "line": 3, "dir": "s2c", "session": null, "kind": "response", "method": "tools/list", "id": 3,
            "revision": "2025-11-25", "verdict": "pass", "violations": [],
        })
    );
    let keys: Vec<_> = [
        "source",
        "line",
        "dir",
        "session",
        "kind",
        "method",
        "id",
        "revision",
        "verdict",
        "violations",
    ]
    .iter()
    .map(|key| outcome.stdout.find(&format!("\"{key}\":")).expect(key))
    .collect();
    assert!(keys.is_sorted(), "members in the documented order");
    let violation = &lines[2]["violations"][0];
    assert_eq!(violation["rule"], "schema/missing-member");
    assert_eq!(violation["code"], -32602);
    assert_eq!(
        violation["span"],
        json!({"start": 0, "end": BAD_CALL.len()})
    );
    assert_eq!(
        outcome.summary(),
        json!({"messages": 3, "pass": 2, "flag": 0, "block": 1, "violations": {"schema/missing-member": 1}})
    );
}

#[test]
fn json_is_one_document() {
    let files: &[(&str, &[u8])] = &[
        ("a.ndjson", BAD_CALL.as_bytes()),
        ("b.ndjson", b""),
        ("c.ndjson", b"x\n{\"dir\":1,\"raw\":\"\"}\ny"),
    ];
    let folder = folder(files);
    for jobs in ["1", "3"] {
        let outcome = run_in(
            &folder,
            &[
                "check", "--format", "json", "--jobs", jobs, "a.ndjson", "b.ndjson", "c.ndjson",
            ],
        );
        let document: Value = serde_json::from_str(&outcome.stdout).expect(&outcome.stdout);
        let sources: Vec<_> = document["messages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|m| m["source"].clone())
            .collect();
        assert_eq!(sources, ["a.ndjson", "c.ndjson", "c.ndjson", "c.ndjson"]);
        assert_eq!(document["summary"]["block"], 3);
        assert_eq!(document["summary"]["record_faults"], 1);
    }
    let empty = run(&["check", "--format", "json"], "");
    let document: Value = serde_json::from_str(&empty.stdout).expect(&empty.stdout);
    assert_eq!(document["messages"], json!([]));
}

#[test]
fn quiet_shows_the_summary_only() {
    let outcome = run(&["check", "-q", "--format", "ndjson"], BAD_CALL);
    assert_eq!(outcome.lines().len(), 1);
    assert_eq!(outcome.summary()["block"], 1);
    let outcome = run(&["check", "--quiet"], BAD_CALL);
    assert!(!outcome.stdout.contains("tools/call"), "{}", outcome.stdout);
    assert_eq!(outcome.code, 1);
}

#[test]
fn colour_only_where_it_is_wanted() {
    let plain = run(&["check"], BAD_CALL);
    assert!(!plain.stdout.contains('\x1b'));
    let forced = run(&["check", "--color", "always"], BAD_CALL);
    assert!(forced.stdout.contains('\x1b'));
    let by_environment = assay(&["check"])
        .env("CLICOLOR_FORCE", "1")
        .write_stdin(BAD_CALL)
        .output()
        .unwrap();
    assert!(by_environment.stdout.contains(&0x1b));
    let never = assay(&["check", "--color", "never"])
        .env("CLICOLOR_FORCE", "1")
        .write_stdin(BAD_CALL)
        .output()
        .unwrap();
    assert!(!never.stdout.contains(&0x1b));
}

#[test]
fn revision_direction_and_answers_are_given_where_the_traffic_does_not_say() {
    let elicit = r#"{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}"#;
    let rules = |arguments: &[&str], input: &str| {
        let mut all = vec!["check", "--format", "ndjson"];
        all.extend(arguments);
        run(&all, input).rules().concat()
    };
    assert_eq!(rules(&["--revision", "2025-06-18"], elicit), [""; 0]);
    assert_eq!(
        rules(&["--revision", "2025-03-26"], elicit),
        ["schema/unknown-method"]
    );
    assert_eq!(
        rules(&["--revision", "2025-06-18", "--direction", "s2c"], elicit),
        [""; 0]
    );
    assert_eq!(
        rules(&["--revision", "2025-06-18", "--direction", "c2s"], elicit),
        ["request/method-direction"]
    );
    assert_eq!(rules(&[], PONG), [""; 0]);
    assert_eq!(
        rules(&["--answers", "tools/list"], PONG),
        ["schema/missing-member"]
    );
}

#[test]
fn limits_are_given_and_reported() {
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"a":{}{}}}}}"#,
        "[".repeat(20),
        "]".repeat(20)
    );
    let outcome = run(&["check", "--format", "ndjson", "--max-depth", "10"], &deep);
    assert_eq!(outcome.rules(), [["json/depth-limit"]]);
    let outcome = run(
        &["check", "--format", "ndjson", "--max-message-bytes", "50"],
        &format!("{deep}\n{PING}\n"),
    );
    assert_eq!(
        outcome.rules(),
        [vec!["json/size-limit".to_owned()], vec![]]
    );
    assert_eq!(run(&["check", "--max-message-bytes", "0"], PING).code, 2);
}

#[test]
fn the_report_goes_to_a_file() {
    let folder = folder(&[("a.ndjson", BAD_CALL.as_bytes())]);
    let outcome = run_in(&folder, &["check", "a.ndjson", "--output", "report.txt"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (1, ""));
    let report = std::fs::read_to_string(folder.path().join("report.txt")).unwrap();
    assert!(report.contains("schema/missing-member"));
    let outcome = run_in(
        &folder,
        &["check", "a.ndjson", "--output", "no/such/folder/report.txt"],
    );
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.contains("no/such/folder/report.txt"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn names_that_are_meant_are_suggested() {
    let cases: [(&[&str], &str); 6] = [
        (&["check", "--revision", "2025-06-19"], "2025-06-18"),
        (&["check", "--layers", "json,shema"], "schema"),
        (&["check", "--answers", "tools/lst"], "tools/list"),
        (&["chekc"], "check"),
        (&["check", "--formt", "json"], "--format"),
        (&["check", "--format", "ndjsn"], "ndjson"),
    ];
    for (arguments, meant) in cases {
        let outcome = run(arguments, "");
        assert_eq!(outcome.code, 2, "{arguments:?}");
        let suggestion = outcome
            .stderr
            .lines()
            .find(|line| line.contains("similar") || line.contains("did you mean"));
        assert!(
            suggestion.is_some_and(|line| line.contains(meant)),
            "{arguments:?}: {}",
            outcome.stderr
        );
    }
}

#[test]
fn definitions_are_replaced() {
    let document = r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","$defs":{"PingRequest":{"type":"object",
        "properties":{"method":{"const":"ping"},"params":{"type":"object"}},"required":["method","params"]}}}"#;
    let folder = folder(&[
        ("own.json", document.as_bytes()),
        ("a.ndjson", PING.as_bytes()),
    ]);
    let outcome = run_in(
        &folder,
        &[
            "check", "--format", "ndjson", "a.ndjson", "--schema", "own.json",
        ],
    );
    assert_eq!(outcome.rules(), [["schema/override"]], "{}", outcome.stderr);
    // A document that cannot be used is reported; the built-in definitions take its place, or
    // nothing does.
    let fallen_back = run_in(
        &folder,
        &[
            "check",
            "--format",
            "ndjson",
            "a.ndjson",
            "--schema",
            "missing.json",
        ],
    );
    assert_eq!(
        (fallen_back.code, fallen_back.rules().concat().len()),
        (0, 0)
    );
    assert!(
        fallen_back.stderr.contains("missing.json"),
        "{}",
        fallen_back.stderr
    );
    let refused = run_in(
        &folder,
        &[
            "check",
            "a.ndjson",
            "--schema",
            "missing.json",
            "--schema-required",
        ],
    );
    assert_eq!((refused.code, refused.stdout.as_str()), (2, ""));
    assert!(
        refused.stderr.contains("missing.json"),
        "{}",
        refused.stderr
    );
}

/// The messages of a number of sessions that shake hands, and later send a request each.
fn sessions(count: usize) -> String {
    let record = |session: usize, dir: &str, message: Value| {
        let raw = message.to_string();
        let record = json!({"session": format!("s{session}"), "dir": dir, "raw": raw});
        format!("{record}\n")
    };
    let info = json!({"name": "a", "version": "1"});
    let version = "2025-06-18";
    let mut lines = String::new();
    for session in 0..count {
        let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": info});
        let opens = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
        let result = json!({"protocolVersion": version, "capabilities": {}, "serverInfo": info});
        let opened = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        lines += &record(session, "c2s", opens);
        lines += &record(
            session,
            "s2c",
            json!({"jsonrpc": "2.0", "id": 0, "result": result}),
        );
        lines += &record(session, "c2s", opened);
    }
    for session in 0..count {
        let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
        lines += &record(session, "c2s", ping);
        lines += &record(
            session,
            "s2c",
            json!({"jsonrpc": "2.0", "id": 1, "result": {}}),
        );
    }
    lines
}

#[test]
fn the_number_of_sessions_changes_no_verdict() {
    let outcome = run(&["check", "--format", "ndjson"], &sessions(17_000));
    let lines = outcome.lines();
    let summary = &lines.last().unwrap()["summary"];
    assert_eq!(summary["pass"], 5 * 17_000, "{summary}");
}

#[test]
fn sessions_beyond_the_limit_are_reported_once_and_nothing_follows() {
    let folder = folder(&[
        ("mcp-assay.toml", b"limits = { sessions = 100 }"),
        ("log.ndjson", sessions(300).as_bytes()),
    ]);
    let outcome = run_in(&folder, &["check", "--format", "ndjson", "log.ndjson"]);
    let lines = outcome.lines();
    let summary = &lines.last().unwrap()["summary"];
    assert_eq!(summary["violations"], json!({"session/memory-limit": 1}));
    assert_eq!(outcome.code, 0);
}
