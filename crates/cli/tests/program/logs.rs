//! The validation log and its golden.

use std::fs;
use std::path::Path;

use crate::support::{BAD_CALL, LIST, Outcome, PING, PONG, TOOLS, folder, run, run_in};
use mcp_assay::registry::SchemaRegistry;
use mcp_assay_contract::envelope;
use serde_json::Value;
use tempfile::TempDir;

/// The golden log of the session that is part of the program.
const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/demo.jsonl");

fn events(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("latest.jsonl")).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).expect(line))
        .collect()
}

fn of_kind<'e>(events: &'e [Value], kind: &str) -> Vec<&'e Value> {
    let picked = events.iter().filter(|event| event["event"] == kind);
    picked.collect()
}

/// An event without values that differ from run to run.
fn settled(mut event: Value) -> String {
    let members = event.as_object_mut().unwrap();
    assert!(members.remove("ts").is_some());
    members.remove("durationMs");
    members.remove("source");
    event.to_string()
}

#[test]
fn the_golden_of_the_demo_is_stable_over_twenty_runs() {
    let folder = folder(&[]);
    let update = std::env::var_os("UPDATE").is_some();
    for number in 0..20 {
        let demo = ["demo", "--log-dir", "logs", "--deterministic-ids"];
        assert_eq!(run_in(&folder, &demo).code, 0);
        let mut diff = vec![
            "diff-logs",
            "--new",
            "logs/latest.jsonl",
            "--golden",
            GOLDEN,
        ];
        if update && number == 0 {
            diff.push("--update");
        }
        let outcome = run_in(&folder, &diff);
        assert_eq!(
            outcome.code, 0,
            "run {number} (UPDATE=1 writes the golden anew): {}{}",
            outcome.stdout, outcome.stderr
        );
    }
    // Twenty logs and the link.
    let logs = fs::read_dir(folder.path().join("logs")).unwrap();
    assert_eq!(logs.count(), 21);
}

#[test]
fn deterministic_runs_differ_in_volatile_members_alone() {
    let demo = ["--log-dir", "logs", "--deterministic-ids"];
    let drawn = ["--log-dir", "logs"];
    let log = |flags: &[&str]| {
        let folder = folder(&[(
            "a.ndjson",
            format!("{PING}\n{PONG}\n{LIST}\n{TOOLS}\n").as_bytes(),
        )]);
        run_in(&folder, &[&["check", "a.ndjson"], flags].concat());
        let events = events(&folder.path().join("logs")).into_iter();
        events.map(settled).collect::<Vec<_>>()
    };
    assert_eq!(log(&demo), log(&demo));
    assert_ne!(log(&drawn), log(&drawn));
}

#[test]
fn a_response_that_was_not_judged_is_logged_as_such() {
    let lone = r#"{"jsonrpc":"2.0","id":9,"result":{"tools":7}}"#;
    let folder = folder(&[("in.ndjson", format!("{PING}\n{PONG}\n{lone}\n").as_bytes())]);
    run_in(&folder, &["check", "in.ndjson", "--log-dir", "logs"]);
    let events = events(&folder.path().join("logs"));
    let not_judged = |event: &&Value| event["not_judged"].is_string();
    let messages = of_kind(&events, "message");
    let lines: Vec<_> = messages.iter().map(not_judged).collect();
    assert_eq!(lines, [false, false, true], "{messages:?}");
}

#[test]
fn every_message_is_an_event_and_every_exchange_an_envelope() {
    let input = [
        PING,
        PONG,
        BAD_CALL,
        LIST,
        TOOLS,
        "nonsense",
        r#"{"dir":"c2s","raw":1}"#,
    ];
    let folder = folder(&[("in.ndjson", input.join("\n").as_bytes())]);
    let outcome = run_in(&folder, &["check", "in.ndjson", "--log-dir", "new/logs"]);
    assert_eq!(outcome.code, 1);
    let events = events(&folder.path().join("new/logs"));
    assert_eq!(of_kind(&events, "message").len(), 6);
    assert_eq!(of_kind(&events, "record_fault").len(), 1);
    let registry = SchemaRegistry::default();
    let exchanges = of_kind(&events, "exchange");
    let mut codes: Vec<_> = exchanges
        .iter()
        .map(|event| {
            let envelope = event["envelope"].to_string();
            assert_eq!(envelope::check(envelope.as_bytes(), &registry), []);
            event["envelope"]["error"]["code"].as_str()
        })
        .collect();
    codes.sort_unstable();
    assert_eq!(codes, [None, None, Some("INVALID_INPUT")]);
    let members = [
        "ts",
        "level",
        "event",
        "session",
        "direction",
        "transport",
        "method",
        "id",
        "revision",
        "verdict",
        "mode",
        "would_block",
        "rules",
        "bytes",
        "durationMs",
        "meta",
    ];
    for event in of_kind(&events, "message") {
        for member in members {
            assert!(event.get(member).is_some(), "{member} in {event}");
        }
        assert_eq!(event["mode"], "check");
        assert!(event.get("body").is_none());
    }
    let bad = &of_kind(&events, "message")[2];
    assert_eq!(bad["level"], "error");
    assert_eq!(bad["would_block"], true);
    assert_eq!(bad["rules"][0]["rule"], "schema/missing-member");
    assert_eq!(bad["rules"][0]["pointer"], "");
}

#[test]
fn files_are_logged_in_their_order_each_with_its_own_ids() {
    let folder = folder(&[
        ("in/a.ndjson", PING.as_bytes()),
        ("in/b.ndjson", format!("{PONG}\n").as_bytes()),
        ("in/c.ndjson", format!("{PING}\n{PONG}\n").as_bytes()),
    ]);
    let arguments = ["check", "in", "--jobs", "4", "--log-dir", "logs"];
    run_in(&folder, &arguments);
    let events = events(&folder.path().join("logs"));
    let sources = of_kind(&events, "message")
        .iter()
        .map(|event| event["source"].as_str().unwrap().to_owned())
        .collect::<Vec<_>>();
    assert!(sources.is_sorted());
    // A request of one file is not answered in another.
    assert_eq!(of_kind(&events, "exchange").len(), 2);
}

#[test]
fn bodies_are_logged_on_demand_and_secrets_never() {
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f","arguments":{"password":"hunter2","who":"hunter2","n":1}}}"#;
    let folder = folder(&[("in.ndjson", call.as_bytes())]);
    let log = |flags: &[&str]| {
        let arguments = [&["check", "in.ndjson", "--log-dir", "logs"], flags].concat();
        run_in(&folder, &arguments);
        fs::read_to_string(folder.path().join("logs/latest.jsonl")).unwrap()
    };
    assert!(!log(&[]).contains("arguments"));
    let shown = log(&["--log-bodies"]);
    assert!(shown.contains(r#""arguments":{"password":"[redacted]","who":"hunter2","n":1}"#));
    assert!(!log(&["--log-bodies", "--redact", "^WHO$"]).contains("hunter2"));
    let bad = run_in(
        &folder,
        &["check", "--log-dir", "l", "--log-bodies", "--redact", "a["],
    );
    assert_eq!(bad.code, 2);
    assert_eq!(run_in(&folder, &["check", "--log-bodies"]).code, 2);
}

#[test]
fn once_checks_the_first_session_alone() {
    let record = |session: &str, direction: &str, raw: &str| {
        serde_json::json!({"session": session, "dir": direction, "raw": raw}).to_string()
    };
    let lines = [
        record("a", "c2s", PING),
        record("b", "c2s", BAD_CALL),
        record("a", "s2c", PONG),
    ];
    let folder = folder(&[
        ("in/0.ndjson", b""),
        ("in/1.ndjson", lines.join("\n").as_bytes()),
        ("in/2.ndjson", BAD_CALL.as_bytes()),
    ]);
    let arguments = [
        "check",
        "in",
        "--once",
        "--format",
        "ndjson",
        "--log-dir",
        "logs",
    ];
    let outcome = run_in(&folder, &arguments);
    assert_eq!(outcome.code, 0, "{}", outcome.stdout);
    assert_eq!(outcome.summary()["messages"], 2);
    let events = events(&folder.path().join("logs"));
    assert!(events.iter().all(|event| event["session"] == "a"));
    assert_eq!(events.len(), 3);
    assert_eq!(run_in(&folder, &["check", "in"]).code, 1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_is_written_whatever_else_fails() {
    let folder = folder(&[]);
    let arguments = ["check", "-", "--output", "/dev/full", "--log-dir", "logs"];
    let outcome = crate::support::assay(&arguments)
        .current_dir(folder.path())
        .write_stdin(PING)
        .output()
        .unwrap();
    assert_eq!(outcome.status.code(), Some(2));
    let events = events(&folder.path().join("logs"));
    assert_eq!(of_kind(&events, "message").len(), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_that_cannot_grow_is_told_once_and_the_check_goes_on() {
    let input = format!("{PING}\n{PONG}\n").repeat(1000);
    let folder = folder(&[("in.ndjson", input.as_bytes())]);
    let program = crate::support::assay(&[]).get_program().to_owned();
    // A limit of the shell stands in for a full disk; the signal that comes with it is ignored.
    let script = "trap '' XFSZ; ulimit -f 100; exec \"$0\" check in.ndjson --log-dir logs --format ndjson --select schema";
    let outcome = std::process::Command::new("sh")
        .args(["-c", script])
        .arg(program)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let stderr = String::from_utf8(outcome.stderr).unwrap();
    assert_eq!(outcome.status.code(), Some(2), "{stderr}");
    let complaints: Vec<_> = stderr.lines().collect();
    assert_eq!(complaints.len(), 2, "{stderr}");
    assert!(complaints[0].contains("failed to write all of logs/"));
    assert!(complaints[1].contains("events are missing from logs/"));
    // The report goes to a pipe, which has no such limit.
    let report = String::from_utf8(outcome.stdout).unwrap();
    assert_eq!(report.lines().count(), 2001);
}

#[test]
fn differences_are_aligned() {
    let event = |id: u32, verdict: &str| {
        format!(
            r#"{{"ts":"{id}","event":"message","id":{id},"verdict":"{verdict}","meta":{{"traceId":"{id}{verdict}"}}}}"#
        )
    };
    let golden = [
        event(1, "pass"),
        event(2, "pass"),
        event(3, "pass"),
        event(4, "pass"),
    ];
    let new = [
        event(1, "pass"),
        event(3, "block"),
        event(4, "pass"),
        event(5, "pass"),
    ];
    let folder = folder(&[
        ("golden.jsonl", golden.join("\n").as_bytes()),
        ("new.jsonl", (new.join("\n") + "\n").as_bytes()),
    ]);
    let diff = |flags: &[&str]| diff_logs(&folder, flags);
    let outcome = diff(&[]);
    assert_eq!(outcome.code, 1);
    let expected = "\
--- golden.jsonl
+++ new.jsonl
         1 equal
-     2  message id 2
-          /event    \"message\"
-          /id       2
-          /verdict  \"pass\"
~     2  message id 3 (golden line 3)
~          /verdict  \"pass\" -> \"block\"
         1 equal
+     4  message id 5
+          /event    \"message\"
+          /id       5
+          /verdict  \"pass\"

1 changed, 1 removed, 1 added, 2 equal: 4 events became 4
";
    assert_eq!(outcome.stdout, expected);
    let json: Value = serde_json::from_str(&diff(&["--format", "json"]).stdout).unwrap();
    assert_eq!(json["equal"], false);
    assert_eq!(json["summary"]["changed"], 1);
    let changed = &json["differences"][1];
    assert_eq!(changed["fields"][0]["pointer"], "/verdict");
    assert_eq!(changed["fields"][0]["old"], "pass");
    assert_eq!(changed["fields"][0]["new"], "block");
    assert_eq!(
        (&changed["goldenLine"], &changed["newLine"]),
        (&3.into(), &2.into())
    );
    let ignoring = diff(&["--ignore", "verdict", "--ignore", "/id"]);
    assert_eq!(ignoring.code, 0, "{}", ignoring.stdout);
    assert_eq!(ignoring.stdout, "equal: 4 events\n");
}

#[test]
fn a_golden_is_written_without_what_differs_from_run_to_run() {
    let folder = folder(&[(
        "new.jsonl",
        br#"{"ts":"x","event":"message","id":1,"envelope":{"meta":{"spanId":"x","status":200}}}"#,
    )]);
    let diff = |flags: &[&str]| diff_logs(&folder, flags);
    let missing = diff(&[]);
    assert_eq!(missing.code, 2);
    assert!(
        missing.stderr.contains("there is no golden log yet"),
        "{}",
        missing.stderr
    );
    assert_eq!(diff(&["--update"]).code, 0);
    let written = || fs::read_to_string(folder.path().join("golden.jsonl")).unwrap();
    assert_eq!(
        written(),
        "{\"event\":\"message\",\"id\":1,\"envelope\":{\"meta\":{\"status\":200}}}\n"
    );
    assert_eq!(diff(&[]).code, 0);
    fs::write(
        folder.path().join("new.jsonl"),
        r#"{"event":"message","id":2}"#,
    )
    .unwrap();
    assert_eq!(diff(&[]).code, 1);
    assert_eq!(diff(&["--update"]).code, 0);
    assert_eq!(written(), "{\"event\":\"message\",\"id\":2}\n");
    let packed = [
        "diff-logs",
        "--new",
        "new.jsonl",
        "--golden",
        "golden.jsonl.gz",
        "--update",
    ];
    assert_eq!(run_in(&folder, &packed).code, 2);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no drafts");
}

#[test]
fn lines_that_are_no_events_are_named() {
    let folder = folder(&[
        ("new.jsonl", b"{\"id\":1}\n{\"id\":\n\n[1]\n{\"id\":2}\n"),
        ("golden.jsonl", b"{\"id\":1}\n{\"id\":2}\n"),
    ]);
    let outcome = diff_logs(&folder, &[]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stdout.contains("equal: 2 events"));
    assert!(
        outcome
            .stderr
            .contains("new.jsonl:2 is left out: it stops being JSON at byte")
    );
    assert!(
        outcome
            .stderr
            .contains("new.jsonl:4 is left out: it is no JSON object")
    );
    let update = diff_logs(&folder, &["--update"]);
    assert_eq!(update.code, 2);
    assert!(update.stderr.contains("is not written"));
}

#[test]
fn large_logs_are_compared() {
    let log = |skip: u32| {
        let lines = (0..50_000).filter(|number| *number != skip);
        lines.fold(String::new(), |text, number| {
            text + &format!("{{\"event\":\"message\",\"id\":{number},\"verdict\":\"pass\"}}\n")
        })
    };
    let folder = folder(&[
        ("new.jsonl", log(777).as_bytes()),
        ("golden.jsonl", log(40_000).as_bytes()),
    ]);
    let outcome = diff_logs(&folder, &[]);
    assert_eq!(outcome.code, 1);
    assert!(
        outcome.stdout.contains("1 removed, 1 added, 49998 equal"),
        "{}",
        outcome.stdout
    );
}

#[test]
fn nothing_of_a_log_acts_on_the_terminal() {
    let hostile = "{\"event\":\"message\",\"id\":\"\\u001b[31m\u{9b}\u{202e}\",\"\u{85}\":1}";
    let folder = folder(&[("new.jsonl", hostile.as_bytes()), ("golden.jsonl", b"")]);
    for format in ["human", "json"] {
        let outcome = diff_logs(&folder, &["--format", format]);
        assert_eq!(outcome.code, 1);
        let acts = |character: char| character.is_control() && character != '\n';
        assert!(!outcome.stdout.contains(acts), "{:?}", outcome.stdout);
        assert!(!outcome.stdout.contains('\u{202e}'));
    }
    let message = "{\"jsonrpc\":\"2.0\",\"id\":\"\u{9b}\",\"method\":\"\u{202e}\\u001b\"}";
    let logs = folder.path().join("logs");
    run(&["check", "--log-dir", logs.to_str().unwrap()], message);
    let text = fs::read_to_string(logs.join("latest.jsonl")).unwrap();
    assert!(text.contains("\\u009b") && text.contains("\\u202e\\u001b"));
}

/// Compares `new.jsonl` with `golden.jsonl`.
fn diff_logs(folder: &TempDir, flags: &[&str]) -> Outcome {
    let files = ["--new", "new.jsonl", "--golden", "golden.jsonl"];
    run_in(folder, &[&["diff-logs"], &files[..], flags].concat())
}
