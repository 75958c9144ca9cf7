//! Messages in, events and envelopes out.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use mcp_assay::{Carrier, Direction, Frame, Headers, Http, Part, Session, Validator};
use mcp_assay_contract::envelope::ResultEnvelope;
use mcp_assay_live::guard;
use mcp_assay_report::Origin;
use serde_json::Value;
use tempfile::TempDir;

use super::{Bodies, Event, Log, Mode, Options, Redaction};

const C2S: Direction = Direction::ClientToServer;
const S2C: Direction = Direction::ServerToClient;

/// Validates messages and logs them.
struct Bench {
    folder: TempDir,
    log: Log,
    validator: Validator,
    sessions: HashMap<Option<String>, Session>,
    line: u64,
}

impl Bench {
    fn new(mode: Mode, bodies: Bodies) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let options = Options {
            mode,
            bodies,
            deterministic_ids: true,
        };
        Self {
            log: Log::open(folder.path(), options).unwrap(),
            folder,
            validator: Validator::default(),
            sessions: HashMap::new(),
            line: 0,
        }
    }

    fn line(&mut self, session: Option<&str>, direction: Direction, text: &str) {
        let frame = Frame::new(text.as_bytes()).carrier(Carrier::Stdio);
        self.frame(session, frame.direction(direction));
    }

    fn http(&mut self, number: i64, part: Part<'_>, direction: Direction, text: &str) {
        let http = Http::new(Some(number), part);
        self.frame(
            None,
            Frame::over_http(text.as_bytes(), &http).direction(direction),
        );
    }

    fn frame(&mut self, session: Option<&str>, frame: Frame<'_>) {
        self.line += 1;
        let carrier = frame.carrier;
        let memory = self.sessions.entry(session.map(str::to_owned)).or_default();
        let checked = self.validator.check(memory, frame);
        self.log.message(&Event {
            origin: Origin {
                source: "test",
                line: self.line,
                session,
                ..Origin::default()
            },
            carrier,
            time: Some(Duration::from_millis(10 * self.line)),
            took: Duration::ZERO,
            checked: &checked,
        });
    }

    /// The events, once the log is over. Every envelope keeps the contract.
    fn events(self) -> Vec<Value> {
        self.log.end(|_| true);
        let (missing, path) = self.log.finish();
        assert_eq!(missing, 0);
        let text = fs::read_to_string(path).unwrap();
        let latest = fs::read_to_string(self.folder.path().join("latest.jsonl")).unwrap();
        assert_eq!(text, latest);
        text.lines()
            .map(|line| {
                let event: Value = serde_json::from_str(line).expect(line);
                if event["event"] == "exchange" {
                    let envelope = event["envelope"].to_string();
                    ResultEnvelope::read(envelope.as_bytes()).expect(line);
                }
                event
            })
            .collect()
    }
}

/// Exchanges as `line code reason` or `line ok`.
fn exchanges(events: &[Value]) -> Vec<String> {
    let exchanges = events.iter().filter(|event| event["event"] == "exchange");
    exchanges
        .map(|event| {
            let envelope = &event["envelope"];
            let (line, error) = (&event["line"], &envelope["error"]);
            match (
                envelope["ok"].as_bool(),
                error["details"]["reason"].as_str(),
            ) {
                (Some(true), _) => format!("{line} ok"),
                (_, None) => format!("{line} {}", error["code"].as_str().unwrap()),
                (_, Some(reason)) => {
                    format!("{line} {} {reason}", error["code"].as_str().unwrap())
                }
            }
        })
        .collect()
}

fn ping(id: u32) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#)
}

fn pong(id: u32) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)
}

#[test]
fn every_exchange_has_one_envelope() {
    let mut bench = Bench::new(Mode::Live(guard::Mode::Shadow), Bodies::LeftOut);
    bench.line(None, C2S, &ping(1));
    bench.line(None, S2C, &ping(1));
    bench.line(None, C2S, &pong(1));
    bench.line(None, S2C, &pong(1));
    let call = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{}}"#;
    bench.line(None, C2S, call);
    bench.line(
        None,
        S2C,
        r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"no name"}}"#,
    );
    bench.line(
        None,
        C2S,
        r#"{"jsonrpc":"2.0","id":3,"method":"tools/list"}"#,
    );
    bench.line(None, S2C, r#"{"jsonrpc":"2.0","id":3,"result":{}}"#);
    let read = r#"{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"file:///a"}}"#;
    bench.line(None, C2S, read);
    bench.line(
        None,
        S2C,
        r#"{"jsonrpc":"2.0","id":4,"error":{"code":-32002,"message":"secret"}}"#,
    );
    bench.line(None, C2S, &ping(5));
    bench.line(None, C2S, &ping(6));
    let cancelled =
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":6}}"#;
    bench.line(None, C2S, cancelled);
    bench.line(None, S2C, &pong(77));
    let events = bench.events();
    assert_eq!(
        exchanges(&events),
        [
            "2 ok",
            "1 ok",
            "5 INVALID_INPUT",
            "7 INVALID_OUTPUT",
            "9 NOT_FOUND",
            "11 TIMEOUT unanswered",
            "12 TIMEOUT cancelled",
        ]
    );
    let messages = events.iter().filter(|event| event["event"] == "message");
    assert_eq!(messages.count(), 14);
    assert!(events.iter().all(|event| event["mode"] == "shadow"));
    assert!(!format!("{events:?}").contains("secret"));
    let first = &events[0];
    assert_eq!(first["direction"], "c2s");
    assert_eq!(first["transport"], "stdio");
    let answer = events.iter().find(|event| event["line"] == 4).unwrap();
    assert_eq!(answer["meta"]["requestId"], first["meta"]["requestId"]);
    assert_eq!(answer["meta"]["durationMs"], 30);
    for event in &events {
        assert_eq!(event["would_block"], event["verdict"] == "block");
    }
}

#[test]
fn sessions_do_not_answer_each_other() {
    let mut bench = Bench::new(Mode::Live(guard::Mode::Enforce), Bodies::LeftOut);
    for session in ["a", "b"] {
        bench.line(Some(session), C2S, &ping(1));
    }
    bench.line(Some("b"), S2C, &pong(1));
    bench.log.end(|session| session == Some("a"));
    let events = bench.events();
    assert_eq!(exchanges(&events), ["2 ok", "1 TIMEOUT unanswered"]);
    let trace = |line| {
        let event = events.iter().find(|event| event["line"] == line).unwrap();
        event["meta"]["traceId"].as_str().unwrap().to_owned()
    };
    assert_ne!(trace(1), trace(2));
    assert_eq!(trace(2), trace(3));
}

#[test]
fn items_of_a_batch_are_exchanges() {
    let mut bench = Bench::new(Mode::Check, Bodies::LeftOut);
    let call = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call"}"#;
    let batch = format!("[{},{call}]", ping(1));
    let revision = mcp_assay::Revision::ALL
        .into_iter()
        .find(|revision| revision.name() == "2025-03-26")
        .unwrap();
    let frame = |text| Frame::new(text).carrier(Carrier::Stdio).revision(revision);
    bench.frame(None, frame(batch.as_bytes()).direction(C2S));
    let answer = format!(
        r#"[{},{{"jsonrpc":"2.0","id":2,"error":{{"code":-32602,"message":"x"}}}}]"#,
        pong(1)
    );
    bench.frame(None, frame(answer.as_bytes()).direction(S2C));
    let events = bench.events();
    assert_eq!(exchanges(&events), ["1 ok", "1 INVALID_INPUT"]);
    assert_eq!(events.len(), 4);
}

#[test]
fn a_refusal_of_http_ends_an_exchange() {
    let mut bench = Bench::new(Mode::Check, Bodies::LeftOut);
    let headers = [
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
    ];
    let request = Part::Request {
        method: "POST",
        path: "/mcp?key=hidden",
        headers: Headers(&headers),
    };
    let response = |status| Part::Response {
        status,
        headers: Headers(&[]),
        streamed: false,
    };
    bench.http(1, request, C2S, &ping(1));
    bench.http(2, request, C2S, &ping(2));
    bench.http(2, response(401), S2C, "");
    bench.http(1, response(503), S2C, "down");
    let events = bench.events();
    assert_eq!(exchanges(&events), ["2 UNAUTHORIZED", "1 INTERNAL_ERROR"]);
    let over = events.iter().find(|event| event["event"] == "exchange");
    let meta = &over.unwrap()["envelope"]["meta"];
    assert_eq!(meta["status"], 401);
    assert_eq!(meta["route"], "/mcp");
    assert_eq!(meta["transport"], "http");
    assert!(!format!("{events:?}").contains("hidden"));
}

#[test]
fn bodies_are_logged_without_secrets() {
    let redaction = Redaction::new(&["^city$".to_owned()]).unwrap();
    let mut bench = Bench::new(Mode::Check, Bodies::Redacted(redaction));
    let headers = [
        ("Authorization", "Bearer s3cret"),
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
    ];
    let request = Part::Request {
        method: "POST",
        path: "/mcp?code=s3cret",
        headers: Headers(&headers),
    };
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"f","arguments":{"city":"s3cret","api_key":"s3cret","deep":[{"password":{"is":"s3cret"}}],"plain":"shown"}}}"#;
    bench.http(1, request, C2S, call);
    bench.line(
        None,
        C2S,
        r#"{"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"p"}}"#,
    );
    let result =
        r#"{"jsonrpc":"2.0","id":2,"result":{"messages":[],"_meta":{"x/token":"s3cret","x/n":1}}}"#;
    bench.line(None, S2C, result);
    bench.line(None, S2C, "not JSON: password=s3cret");
    let events = bench.events();
    let text = format!("{events:?}");
    assert!(!text.contains("s3cret"), "{text}");
    assert_eq!(events[0]["body"]["params"]["arguments"]["plain"], "shown");
    assert_eq!(events[0]["http"]["headers"][0][1], "[redacted]");
    assert_eq!(events[0]["http"]["headers"][1][1], "application/json");
    let over = events.iter().find(|event| event["event"] == "exchange");
    let envelope = &over.unwrap()["envelope"];
    assert_eq!(envelope["data"]["_meta"]["x/n"], 1, "{envelope}");
    assert_eq!(envelope["meta"]["promptId"], "p");
    let unreadable = events.iter().find(|event| event["kind"] == "unreadable");
    assert!(unreadable.unwrap()["body"].is_null());
}

#[test]
fn memory_is_bounded_and_names_are_short() {
    let mut bench = Bench::new(Mode::Check, Bodies::LeftOut);
    let long = "x".repeat(100_000);
    let request = format!(r#"{{"jsonrpc":"2.0","id":"{long}","method":"{long}"}}"#);
    bench.line(None, C2S, &request);
    for id in 0..400 {
        bench.line(None, C2S, &ping(id));
    }
    let events = bench.events();
    assert_eq!(exchanges(&events).len(), 401);
    let given_up = exchanges(&events)
        .into_iter()
        .filter(|exchange| exchange.ends_with("too many open requests"));
    // The first is at fault itself: its method does not exist.
    assert_eq!(given_up.count(), 400 - 256);
    assert!(events[0].to_string().len() < 2000);
}

#[test]
fn a_folder_that_cannot_be_made_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let open = |folder: &Path| {
        let options = Options {
            mode: Mode::Check,
            bodies: Bodies::LeftOut,
            deterministic_ids: false,
        };
        Log::open(folder, options)
    };
    let error = open(&file).err().expect("a file is no folder");
    assert!(format!("{error:#}").contains("failed to write a log to"));
    assert!(open(&folder.path().join("a/b")).is_ok());
}
