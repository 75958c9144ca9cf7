//! `attempt` in the validation log: repetitions of a request after a timeout or a retryable error.

use std::fs;

use serde_json::{Value, json};

use crate::support::{folder, run_in};

/// A call with this id, and its answers.
fn call(id: u32, city: &str) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
        "params": {"name": "weather", "arguments": {"city": city}, "_meta": {"progressToken": id}}})
    .to_string()
}

fn done(id: u32) -> String {
    json!({"jsonrpc": "2.0", "id": id, "result": {"content": []}}).to_string()
}

fn failed(id: u32, code: i32) -> String {
    let error = json!({"code": code, "message": "no"});
    json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string()
}

fn cancelled(id: u32) -> String {
    let params = json!({"requestId": id, "reason": "timeout"});
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}).to_string()
}

/// A recorded line: time, session, sender and text.
type Line = (f64, &'static str, &'static str, String);

/// Logs a recording; the exchanges as `id attempt`, in the order of their requests, and the events.
fn attempts(lines: &[Line]) -> (Vec<String>, Vec<Value>) {
    let record = |(time, session, direction, raw): &Line| {
        json!({"t": time, "session": session, "dir": direction, "raw": raw}).to_string()
    };
    let text = lines.iter().map(record).collect::<Vec<_>>().join("\n");
    log_of(&text)
}

fn log_of(text: &str) -> (Vec<String>, Vec<Value>) {
    let folder = folder(&[("in.ndjson", text.as_bytes())]);
    run_in(
        &folder,
        &[
            "check",
            "in.ndjson",
            "--log-dir",
            "logs",
            "--deterministic-ids",
        ],
    );
    let log = fs::read_to_string(folder.path().join("logs/latest.jsonl")).unwrap();
    let events: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let mut exchanges: Vec<&Value> = events
        .iter()
        .filter(|event| event["event"] == "exchange")
        .collect();
    exchanges.sort_by_key(|event| event["line"].as_u64());
    let shown = exchanges
        .iter()
        .map(|event| format!("{} {}", event["id"], event["envelope"]["meta"]["attempt"]))
        .collect();
    // The event of the request says the same.
    for exchange in exchanges {
        let request = events
            .iter()
            .find(|event| event["event"] == "message" && event["line"] == exchange["line"]);
        let (request, meta) = (&request.unwrap()["meta"], &exchange["envelope"]["meta"]);
        for member in ["attempt", "requestId", "spanId"] {
            assert_eq!(request[member], meta[member], "{exchange}");
        }
    }
    (shown, events)
}

fn check(name: &str, lines: &[Line], expected: &[&str]) {
    let (found, events) = attempts(lines);
    assert_eq!(found, expected, "{name}: {events:#?}");
}

#[test]
fn a_request_repeated_after_a_retryable_error_is_a_further_attempt() {
    for code in [-32603, -32065, -32050] {
        let lines = [
            (0.0, "s", "c2s", call(1, "Oslo")),
            (0.1, "s", "s2c", failed(1, code)),
            (0.2, "s", "c2s", call(2, "Oslo")),
            (0.3, "s", "s2c", failed(2, code)),
            (0.4, "s", "c2s", call(3, "Oslo")),
            (0.5, "s", "s2c", done(3)),
            (0.6, "s", "c2s", call(4, "Oslo")),
            (0.7, "s", "s2c", done(4)),
        ];
        check("an error", &lines, &["1 1", "2 2", "3 3", "4 1"]);
    }
    // The caller has to change something first.
    for code in [-32602, -32601, -32600, -32002] {
        let lines = [
            (0.0, "s", "c2s", call(1, "Oslo")),
            (0.1, "s", "s2c", failed(1, code)),
            (0.2, "s", "c2s", call(2, "Oslo")),
            (0.3, "s", "s2c", done(2)),
        ];
        check("a final error", &lines, &["1 1", "2 1"]);
    }
}

#[test]
fn a_request_repeated_after_a_timeout_is_a_further_attempt() {
    let lines = [
        (0.0, "s", "c2s", call(1, "Oslo")),
        (3.0, "s", "c2s", cancelled(1)),
        (3.1, "s", "c2s", call(2, "Oslo")),
        (3.2, "s", "s2c", done(2)),
        (3.3, "s", "c2s", call(3, "Oslo")),
        (3.4, "s", "s2c", done(3)),
    ];
    check("cancelled", &lines, &["1 1", "2 2", "3 1"]);
    let lines = [
        (0.0, "s", "c2s", call(1, "Oslo")),
        (60.0, "s", "c2s", call(2, "Oslo")),
        (120.0, "s", "c2s", call(3, "Oslo")),
        (120.1, "s", "s2c", done(3)),
        (120.2, "s", "c2s", call(4, "Oslo")),
        (120.3, "s", "s2c", done(4)),
    ];
    check("never answered", &lines, &["1 1", "2 2", "3 3", "4 1"]);
    let lines = [
        (0.0, "s", "c2s", call(1, "Oslo")),
        (1.0, "s", "c2s", call(1, "Oslo")),
        (1.1, "s", "s2c", done(1)),
    ];
    check("the same id", &lines, &["1 1", "1 2"]);
}

#[test]
fn other_requests_are_first_attempts() {
    let lines = [
        (0.0, "s", "c2s", call(1, "Oslo")),
        (0.1, "s", "c2s", call(2, "Oslo")),
        (0.2, "s", "s2c", done(1)),
        (0.3, "s", "s2c", done(2)),
    ];
    check("side by side", &lines, &["1 1", "2 1"]);
    let lines = [
        (0.0, "s", "c2s", call(1, "Oslo")),
        (0.1, "s", "s2c", failed(1, -32603)),
        (0.2, "s", "c2s", call(2, "Rome")),
        (0.3, "s", "s2c", done(2)),
        (0.4, "u", "c2s", call(3, "Oslo")),
        (0.5, "u", "s2c", done(3)),
    ];
    check("another content or session", &lines, &["1 1", "2 1", "3 1"]);
}

/// All attempts share the id of the exchange, each has a span of its own.
#[test]
fn attempts_share_the_id_of_their_exchange() {
    let lines = [
        (0.0, "s", "c2s", call(1, "Oslo")),
        (0.1, "s", "s2c", failed(1, -32603)),
        (0.2, "s", "c2s", call(2, "Oslo")),
        (0.3, "s", "s2c", done(2)),
        (0.4, "s", "c2s", call(3, "Oslo")),
        (0.5, "s", "s2c", done(3)),
    ];
    let (_, events) = attempts(&lines);
    let meta = |id: u32| {
        let exchange = events
            .iter()
            .find(|event| event["event"] == "exchange" && event["id"] == id);
        exchange.unwrap()["envelope"]["meta"].clone()
    };
    assert_eq!(meta(1)["requestId"], meta(2)["requestId"]);
    assert_ne!(meta(1)["spanId"], meta(2)["spanId"]);
    assert_ne!(meta(2)["requestId"], meta(3)["requestId"]);
}

#[test]
fn an_http_status_is_a_reason_to_try_again() {
    let exchange = |number: u32, id: u32, status: u16, body: &str| {
        let head = json!({"method": "POST", "path": "/mcp", "headers": [["content-type", "application/json"],
            ["accept", "application/json, text/event-stream"]]});
        let answer = json!({"status": status, "headers": [["content-type", "application/json"]]});
        [
            json!({"n": number, "dir": "c2s", "http": head, "body": call(id, "Oslo")}).to_string(),
            json!({"n": number, "dir": "s2c", "http": answer, "body": body}).to_string(),
        ]
        .join("\n")
    };
    for (status, attempt) in [(503, 2), (504, 2), (400, 1), (404, 1), (401, 1)] {
        let text = [exchange(1, 1, status, ""), exchange(2, 2, 200, &done(2))].join("\n");
        let (found, events) = log_of(&text);
        let expected = ["1 1".to_owned(), format!("2 {attempt}")];
        assert_eq!(found, expected, "{status}: {events:#?}");
    }
}

/// A stream that ends without the answer.
#[test]
fn a_stream_that_breaks_off_is_a_reason_to_try_again() {
    let head = json!({"method": "POST", "path": "/mcp", "headers": [["content-type", "application/json"],
        ["accept", "application/json, text/event-stream"]]});
    let stream = json!({"status": 200, "headers": [["content-type", "text/event-stream"]]});
    let text = [
        json!({"n": 1, "dir": "c2s", "http": head, "body": call(1, "Oslo")}),
        json!({"n": 1, "dir": "s2c", "http": stream, "stream": true}),
        json!({"n": 1, "dir": "s2c", "end": true}),
        json!({"n": 2, "dir": "c2s", "http": head, "body": call(2, "Oslo")}),
        json!({"n": 2, "dir": "s2c", "http": stream, "stream": true}),
        json!({"n": 2, "dir": "s2c", "sse": {"data": done(2)}}),
        json!({"n": 2, "dir": "s2c", "end": true}),
    ]
    .map(|line| line.to_string())
    .join("\n");
    assert_eq!(log_of(&text).0, ["1 1", "2 2"]);
}

/// More failures than are tracked: the log goes on, and the newest are known.
#[test]
fn failures_are_forgotten_one_by_one() {
    let mut lines = Vec::new();
    for id in 1..=3000_u32 {
        let city = format!("city {id}");
        lines.push((f64::from(id), "s", "c2s", call(id, &city)));
        lines.push((f64::from(id), "s", "s2c", failed(id, -32603)));
    }
    for (id, city) in [(4001, 3000), (4002, 1)] {
        lines.push((4000.0, "s", "c2s", call(id, &format!("city {city}"))));
        lines.push((4000.0, "s", "s2c", done(id)));
    }
    let (found, _) = attempts(&lines);
    assert_eq!(found[3000..], ["4001 2", "4002 1"]);
}
