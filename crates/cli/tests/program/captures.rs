//! `check`: the meaning of lines.

use crate::support::{BAD_CALL, LIST, Outcome, PING, PONG, run};
use serde_json::{Value, json};

fn check(lines: &[String]) -> Outcome {
    run(&["check", "--format", "ndjson"], &lines.join("\n"))
}

fn stdio(direction: &str, raw: &str) -> String {
    json!({"t": 1.5, "dir": direction, "raw": raw}).to_string()
}

fn message(line: &Value) -> (Option<&str>, Option<&str>, Option<&str>) {
    (
        line["dir"].as_str(),
        line["kind"].as_str(),
        line["method"].as_str(),
    )
}

#[test]
fn records_of_stdio() {
    let base64 = "eyJqc29ucnBjIjoiMi4wIiwiaWQiOjEsIm1ldGhvZCI6InBpbmcifQ==";
    let outcome = check(&[
        stdio("c2s", PING),
        stdio("s2c", PONG),
        json!({"dir": "c2s", "raw_b64": base64, "unknown": {"jsonrpc": "2.0"}}).to_string(),
        json!({"dir": "s2c", "raw_b64": "/w==", "unterminated": true}).to_string(),
        stdio("s2c", "Listening..."),
        json!({"dir": "s2c", "raw": PONG, "answers": "tools/list", "session": "new"}).to_string(),
        json!({"id": 5, "method": "x", "dir": "c2s", "raw": PING}).to_string(),
    ]);
    let lines = outcome.lines();
    assert_eq!(
        message(&lines[0]),
        (Some("c2s"), Some("request"), Some("ping"))
    );
    assert_eq!(
        message(&lines[1]),
        (Some("s2c"), Some("response"), Some("ping"))
    );
    assert_eq!(
        message(&lines[2]),
        (Some("c2s"), Some("request"), Some("ping"))
    );
    assert_eq!(lines[5]["session"], "new");
    let rules = outcome.rules();
    assert_eq!(rules[3], ["framing/utf8"]);
    assert_eq!(rules[4], ["framing/stdout-messages-only"]);
    assert_eq!(rules[5], ["schema/missing-member"]);
    assert_eq!(rules[6], ["request/id-unique-in-session"]);
}

/// A server that is started again is another connection: what the first one left open stays open,
/// and what the second one has not answered yet is not its fault.
#[test]
fn a_handshake_after_the_end_begins_a_new_connection() {
    let opening = [
        stdio(
            "c2s",
            r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#,
        ),
        stdio(
            "s2c",
            r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}"#,
        ),
        stdio(
            "c2s",
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        ),
    ];
    let end = json!({"t": 1.5, "dir": "s2c", "end": true, "by": "server"}).to_string();
    let levels = |lines: &[String]| -> Vec<(Value, Value)> {
        let found = check(lines).lines();
        let violations = found.iter().flat_map(|line| {
            let listed = line["violations"].as_array().into_iter().flatten();
            listed.map(|violation| (line["line"].clone(), violation["level"].clone()))
        });
        violations.collect()
    };
    let again = [
        &opening[..],
        &[stdio("c2s", LIST)],
        std::slice::from_ref(&end),
        &opening,
    ]
    .concat();
    assert_eq!(levels(&again), [(json!(4), json!("error"))]);
    let open = [&opening[..], &[end], &opening, &[stdio("c2s", LIST)]].concat();
    assert_eq!(levels(&open), [(json!(8), json!("note"))]);
}

#[test]
fn where_something_was_not_seen_nothing_is_concluded() {
    let list = |gap: Value| json!({"dir": "c2s", "raw": LIST, "gap": gap}).to_string();
    let first = check(&[list(Value::Null)]);
    assert!(
        first.rules()[0].contains(&"lifecycle/initialize-first".to_owned()),
        "{:?}",
        first.rules()
    );
    for lines in [
        vec![list(json!("before"))],
        vec![
            json!({"dir": "s2c", "gap": "before"}).to_string(),
            list(Value::Null),
        ],
    ] {
        let outcome = check(&lines);
        assert!(
            outcome.rules().iter().all(Vec::is_empty),
            "{:?}",
            outcome.rules()
        );
    }
    let broken = check(&[list(json!("between"))]);
    assert_eq!(broken.summary()["record_faults"], 1);
}

#[test]
fn sessions_interleave() {
    let hello = |session: &str, version: &str| {
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}});
        let answer = json!({"jsonrpc": "2.0", "id": 1, "result": {
            "protocolVersion": version, "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}});
        [
            json!({"dir": "c2s", "session": session, "raw": request.to_string()}).to_string(),
            json!({"dir": "s2c", "session": session, "raw": answer.to_string()}).to_string(),
        ]
    };
    let [a1, a2] = hello("a", "2024-11-05");
    let [b1, b2] = hello("b", "2025-06-18");
    let ping = |session: &str| json!({"dir": "c2s", "session": session, "raw": PING}).to_string();
    let forced =
        json!({"dir": "c2s", "session": "a", "revision": "2025-03-26", "raw": PING}).to_string();
    let outcome = check(&[a1, b1, b2, a2, ping("a"), ping("b"), forced]);
    let revisions: Vec<_> = outcome.lines()[4..7]
        .iter()
        .map(|line| line["revision"].clone())
        .collect();
    assert_eq!(revisions, ["2024-11-05", "2025-06-18", "2025-03-26"]);
}

#[test]
fn records_of_http() {
    let json_type = json!([["Content-Type", "application/json; charset=utf-8"]]);
    let with_version = json!([
        ["content-type", "application/json"],
        ["MCP-Protocol-Version", "2025-03-26"]
    ]);
    let list = r#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#;
    let tools = r#"{"jsonrpc":"2.0","id":7,"result":{"tools":[]}}"#;
    let note = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
    let stream = json!([["content-type", "text/event-stream"]]);
    let post = |n: i32, headers: &Value, body: &str| {
        json!({"n": n, "dir": "c2s", "http": {"method": "POST", "path": "/mcp", "headers": headers}, "body": body}).to_string()
    };
    let outcome = check(&[
        post(1, &json_type, PING),
        json!({"n": 1, "dir": "s2c", "http": {"status": 200, "headers": json_type}, "body": PONG}).to_string(),
        // Accepted, refused, asked for by GET: no messages.
        post(2, &json_type, note),
        json!({"n": 2, "dir": "s2c", "http": {"status": 202, "reason": "Accepted", "headers": []}, "body": ""}).to_string(),
        json!({"n": 3, "dir": "s2c", "http": {"status": 404, "headers": [["content-type", "text/html"]]}, "body": "<p>"}).to_string(),
        json!({"n": 3, "dir": "s2c", "http": {"status": 401, "headers": json_type}, "body": "{\"error\":\"x\"}"}).to_string(),
        json!({"n": 4, "dir": "c2s", "http": {"method": "GET", "path": "/mcp", "headers": [["accept", "text/event-stream"]]}}).to_string(),
        // A streamed answer.
        post(5, &with_version, list),
        json!({"n": 5, "dir": "s2c", "http": {"status": 200, "headers": stream}, "stream": true}).to_string(),
        json!({"n": 5, "dir": "s2c", "sse": {"id": "1", "data": ""}}).to_string(),
        json!({"n": 5, "dir": "s2c", "sse": {"event": "endpoint", "data": "/messages?x"}}).to_string(),
        json!({"n": 5, "dir": "s2c", "sse": {"event": "message", "id": "2", "retry": 3000, "data": note}}).to_string(),
        json!({"n": 5, "dir": "s2c", "sse": {"data": tools}}).to_string(),
        json!({"n": 5, "dir": "s2c", "end": true}).to_string(),
    ]);
    let lines = outcome.lines();
    let seen: Vec<_> = lines[..lines.len() - 1]
        .iter()
        .map(|line| (line["line"].as_u64().unwrap(), message(line)))
        .collect();
    let (c2s, s2c) = (Some("c2s"), Some("s2c"));
    let changed = Some("notifications/tools/list_changed");
    assert_eq!(
        seen,
        [
            (1, (c2s, Some("request"), Some("ping"))),
            (2, (s2c, Some("response"), Some("ping"))),
            (3, (c2s, Some("notification"), changed)),
            (8, (c2s, Some("request"), Some("tools/list"))),
            (12, (s2c, Some("notification"), changed)),
            (13, (s2c, Some("response"), Some("tools/list"))),
        ]
    );
    // The header of the request counts for its answer.
    assert_eq!(lines[3]["revision"], "2025-03-26");
    assert_eq!(lines[4]["revision"], "2025-03-26");
}

#[test]
fn broken_records_are_named_and_the_rest_is_checked() {
    let broken = [
        r#"{"t":1,"dir":"c2s","raw":"{\"js"#,
        r#"{"dir":"up","raw":"x"}"#,
        r#"{"raw":"x"}"#,
        r#"{"dir":"c2s","raw":1}"#,
        r#"{"dir":"c2s","raw":"x","raw_b64":"eA=="}"#,
        r#"{"dir":"c2s","raw_b64":"***"}"#,
        r#"{"dir":"c2s","raw":"x","revision":"2025-01-01"}"#,
        r#"{"dir":"c2s","raw":"x","session":7}"#,
        r#"{"dir":"c2s","raw":"x","n":1.5}"#,
        r#"{"dir":"c2s","raw":"x","t":"now"}"#,
        r#"{"dir":"c2s","http":[]}"#,
        r#"{"dir":"c2s","http":{"headers":{"a":"b"}},"body":"x"}"#,
        r#"{"dir":"c2s","http":{"headers":[["a"]]},"body":"x"}"#,
        r#"{"dir":"s2c","sse":"data"}"#,
        r#"{"dir":"s2c","end":"yes"}"#,
        r#"{"dir":"s2c","end":true,"raw":"x"}"#,
        r#"{"t":1,"dir":"s2c"}"#,
    ];
    let mut lines: Vec<_> = broken.iter().map(ToString::to_string).collect();
    lines.push(stdio("c2s", PING));
    let outcome = check(&lines);
    assert_eq!(outcome.code, 1);
    let found = outcome.lines();
    assert_eq!(found.len(), broken.len() + 2);
    for (index, record) in broken.iter().enumerate() {
        assert_eq!(found[index]["line"], index + 1, "{record}");
        let fault = found[index]["record_fault"].as_str().expect(record);
        assert!(fault.len() > 10 && !fault.contains('\n'), "{fault}");
    }
    assert_eq!(found[broken.len()]["verdict"], "pass");
    assert_eq!(outcome.summary()["record_faults"], broken.len());
    let human = run(&["check"], &lines.join("\n"));
    assert!(human.stdout.contains("<stdin>:2"), "{}", human.stdout);
}

#[test]
fn lines_that_are_no_records_are_messages() {
    let cases = [
        ("Server ready", "json/well-formed"),
        ("{\"a\":", "json/well-formed"),
        ("42", "json/top-level-object"),
        (r#"{"id":1,"method":"ping"}"#, "jsonrpc/version-member"),
        (r#"{"method":"ping","jsonrpc":"2.0","id":1,"raw":"x"}"#, ""),
        (r#"{"raw":"x","jsonrpc":"2.0","id":1,"method":"ping"}"#, ""),
        (
            "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
            "json/no-bom",
        ),
    ];
    for (line, rule) in cases {
        let outcome = check(&[line.to_owned()]);
        assert_eq!(
            outcome.rules().concat().join(" "),
            rule,
            "{line}: {}",
            outcome.stdout
        );
    }
}

#[test]
fn line_ends_and_marks_of_editors_do_no_harm() {
    let windows = format!("\u{feff}{}\r\n\r\n{PONG}\r\n", stdio("c2s", PING));
    let outcome = run(&["check", "--format", "ndjson"], &windows);
    assert_eq!(outcome.code, 0, "{}", outcome.stdout);
    assert_eq!(outcome.summary()["messages"], 2);
}

#[test]
fn a_text_over_several_lines_is_one_message() {
    let pretty =
        serde_json::to_string_pretty(&serde_json::from_str::<Value>(PING).unwrap()).unwrap();
    let outcome = run(&["check", "--format", "ndjson"], &format!("\n{pretty}\n"));
    assert_eq!(
        (outcome.code, outcome.summary()["messages"].as_u64()),
        (0, Some(1))
    );
    assert_eq!(outcome.lines()[0]["line"], 2);
    let batch = format!("[\n{PING},\n{BAD_CALL}\n]\n");
    let outcome = run(
        &["check", "--format", "ndjson", "--revision", "2025-03-26"],
        &batch,
    );
    assert_eq!(outcome.rules(), [["schema/missing-member"]]);
    // A first line that was cut off does not swallow the others.
    let outcome = run(
        &["check", "--format", "ndjson"],
        &format!("{{\"jsonrpc\":\"2.0\",\"params\":{{\n{PING}\n{PONG}\n"),
    );
    assert_eq!(
        outcome.rules(),
        [vec!["json/well-formed".to_owned()], vec![], vec![]]
    );
}

#[test]
fn the_size_limit_is_that_of_the_message_in_a_record() {
    let call = |text: &str| {
        json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": text}}).to_string()
    };
    let lines = [
        stdio("c2s", &call(&"\u{1}".repeat(4))),
        stdio("c2s", &call(&"x".repeat(100))),
        // Longer than any message of a hundred bytes can make it.
        stdio("c2s", &"x".repeat(100_000)),
        stdio("c2s", PING),
    ];
    assert!(lines[0].len() > 100);
    let outcome = run(
        &["check", "--format", "ndjson", "--max-message-bytes", "100"],
        &lines.join("\n"),
    );
    let expected = [&[][..], &["json/size-limit"], &["record"], &[]];
    assert_eq!(outcome.rules(), expected, "{}", outcome.stdout);
}
