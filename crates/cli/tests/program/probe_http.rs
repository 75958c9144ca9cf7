//! A server over HTTP with given answers, for `probe`.

#![cfg(unix)]

use std::sync::atomic::{AtomicU64, Ordering};

use mcp_assay_testkit::http::server::{Server, Then, Wire};
use mcp_assay_testkit::http::sound::{STREAM, chunk};
use mcp_assay_testkit::http::{self, Response};
use mcp_assay_testkit::wait::until;
use serde_json::{Value, json};

use crate::support::assay;

/// An answer: the status, the type of its body, and the body.
pub(crate) type Answer = (u16, &'static str, String);

/// Serves until the tests are over; returns the URL.
pub(crate) fn serve(answer: fn(&Value) -> Answer) -> String {
    http::serve(move |request| {
        let (status, kind, text) = match request.method.as_str() {
            "POST" => answer(&request.json()),
            _ => (405, "text/plain", String::new()),
        };
        Response::text(status, kind, text)
    })
}

/// Lacks a member in its first answer, declares errors as text, and serves methods that do not
/// exist.
pub(crate) fn faulty(message: &Value) -> Answer {
    const JSON: &str = "application/json";
    let result = |result: Value| json!({"jsonrpc": "2.0", "id": message["id"], "result": result});
    let error = |code: i32| {
        let error = json!({"code": code, "message": "no"});
        json!({"jsonrpc": "2.0", "id": message["id"], "error": error}).to_string()
    };
    match message["method"].as_str() {
        Some(_) if message.get("id").is_none() => (202, JSON, String::new()),
        Some("initialize") => {
            let greeting = json!({
                "protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "faulty"},
            });
            (200, JSON, result(greeting).to_string())
        }
        Some("resources/list") => (200, "text/plain", error(-32601)),
        Some("ping" | "mcp-assay/no-such-method") => (200, JSON, result(json!({})).to_string()),
        Some(_) => (200, JSON, error(-32601)),
        None => (400, JSON, String::new()),
    }
}

#[test]
fn who_wants_a_token_is_exit_3() {
    for status in [401, 403] {
        let answer: fn(&Value) -> Answer = match status {
            401 => |_| (401, "text/plain", "no".to_owned()),
            _ => |_| (403, "text/plain", "no".to_owned()),
        };
        let url = serve(answer);
        let output = assay(&["probe", "--quick", "--url", &url])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(3));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(&status.to_string()), "{said}");
    }
}

#[test]
fn secrets_do_not_get_into_documents() {
    let url = serve(faulty);
    let secret = url.replace("http://", "http://me:swordfish1@") + "?key=swordfish2";
    for format in ["junit", "sarif", "github", "html"] {
        let arguments = ["probe", "--quick", "--format", format, "--url", &secret];
        let output = assay(&arguments)
            .args(["--header", "Authorization: Bearer swordfish3"])
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.contains("schema/missing-member"), "{text}");
        assert!(!text.contains("swordfish"), "{format}: {text}");
    }
}

/// Begins the answer to a batch at once, and goes on after a ping with a later id.
fn slow_with_batches(last_ping: &AtomicU64, message: &Value, wire: &mut dyn Wire) {
    let pong = |id: &Value| json!({"jsonrpc": "2.0", "id": id, "result": {}});
    let response = match message {
        Value::Array(calls) => {
            wire.write_all(STREAM).unwrap();
            let last = calls.iter().filter_map(|call| call["id"].as_u64()).max();
            until(|| Some(last_ping.load(Ordering::SeqCst)) > last);
            for call in calls {
                let event = format!("data: {}\n\n", pong(&call["id"]));
                wire.write_all(&chunk(&event)).unwrap();
            }
            wire.write_all(&chunk("")).unwrap();
            return;
        }
        message if message["method"] == "initialize" => {
            let mut greeting = pong(&message["id"]);
            greeting["result"] = json!({
                "protocolVersion": "2025-03-26", "capabilities": {}, "serverInfo": {"name": "slow", "version": "1"},
            });
            Response::json(200, &greeting)
        }
        message if message["method"] == "ping" => {
            let id = message["id"].as_u64().unwrap_or_default();
            last_ping.fetch_max(id, Ordering::SeqCst);
            Response::json(200, &pong(&message["id"]))
        }
        _ => Response::bare(202),
    };
    response.write(wire).unwrap();
}

#[test]
fn a_batch_may_be_answered_after_what_follows_it() {
    let last_ping = AtomicU64::new(0);
    let server = Server::new(move |request, wire| {
        slow_with_batches(&last_ping, &request.json(), wire);
        Then::Close
    });
    let mut probe = assay(&["probe", "--only", "jsonrpc/batch-accepted", "--verbose"]);
    let output = probe.args(["--url", &server.url()]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("pass           jsonrpc/batch-accepted"),
        "{text}"
    );
}
