//! Spans of exchanges.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use mcp_assay::{Carrier, Direction, Frame, Headers, Http, Part, Policy, Session};
use mcp_assay_live::guard::{Action, Guard, Mode};
use opentelemetry::trace::SpanKind;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SdkTracerProvider, SpanData, SpanExporter};

use super::Spans;
use super::export::Failures;

const TO_SERVER: Direction = Direction::ClientToServer;
const TO_CLIENT: Direction = Direction::ServerToClient;
const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";

/// Collects exported spans.
#[derive(Clone, Debug, Default)]
struct Kept(Arc<Mutex<Vec<SpanData>>>);

impl SpanExporter for Kept {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        self.0.lock().expect("nobody panics").extend(batch);
        Ok(())
    }
}

/// Traffic with spans.
struct Traffic {
    guard: Guard,
    session: Session,
    spans: Spans,
    kept: Kept,
}

impl Traffic {
    fn new(mode: Mode) -> Self {
        let kept = Kept::default();
        let provider = SdkTracerProvider::builder()
            .with_simple_exporter(kept.clone())
            .build();
        Self {
            guard: Guard::new(Policy::default(), mode),
            session: Session::new(),
            spans: Spans::new(provider, Failures::default()),
            kept,
        }
    }

    fn say(&mut self, direction: Direction, text: &str) {
        let frame = Frame::new(text.as_bytes())
            .direction(direction)
            .carrier(Carrier::Stdio);
        self.judge(frame);
    }

    /// The same, seen at a time in milliseconds.
    fn say_at(&mut self, time: u64, direction: Direction, text: &str) {
        let frame = Frame::new(text.as_bytes())
            .direction(direction)
            .time(Duration::from_millis(time));
        self.judge(frame);
    }

    fn part(&mut self, direction: Direction, exchange: i64, part: Part<'_>, body: &str) {
        let http = Http::new(Some(exchange), part);
        self.judge(Frame::over_http(body.as_bytes(), &http).direction(direction));
    }

    fn judge(&mut self, frame: Frame<'_>) {
        let judged = self.guard.judge(&mut self.session, frame);
        let answer = match judged.action {
            Action::Refuse(text) | Action::Replace(text) if judged.repairs.is_empty() => Some(text),
            _ => None,
        };
        self.spans
            .message(Some("1"), frame.time, &judged.checked, answer);
    }

    /// Each span in lines: its name and kind, then its attributes and events.
    fn end(self) -> Vec<String> {
        self.spans.finish();
        let spans = self.kept.0.lock().expect("nobody panics");
        let told = |span: &SpanData| {
            let kind = match span.span_kind {
                SpanKind::Server => "server",
                SpanKind::Client => "client",
                _ => "other",
            };
            let mut attributes: Vec<String> = span
                .attributes
                .iter()
                .map(|attribute| format!("{}={}", attribute.key, attribute.value))
                .collect();
            attributes.sort();
            let mut told = format!("{} ({kind})\n{}", span.name, attributes.join("\n"));
            for event in &span.events.events {
                let values: Vec<_> = event
                    .attributes
                    .iter()
                    .map(|attribute| attribute.value.to_string())
                    .collect();
                told = format!("{told}\n{}: {}", event.name, values.join(" "));
            }
            told
        };
        spans.iter().map(told).collect()
    }
}

#[test]
fn a_call_on_standard_streams() {
    let mut traffic = Traffic::new(Mode::Shadow);
    traffic.say(
        TO_SERVER,
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"add","arguments":{}}}"#,
    );
    traffic.say(
        TO_CLIENT,
        r#"{"jsonrpc":"2.0","id":"s","method":"roots/list"}"#,
    );
    traffic.say(
        TO_SERVER,
        r#"{"jsonrpc":"2.0","id":"s","result":{"roots":[]}}"#,
    );
    traffic.say(
        TO_CLIENT,
        r#"{"jsonrpc":"2.0","id":7,"result":{"content":[],"isError":true}}"#,
    );
    traffic.say(
        TO_SERVER,
        r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#,
    );
    let told = traffic.end();
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told[0].starts_with("roots/list (client)\njsonrpc.request.id=s\n"));
    for line in [
        "tools/call add (server)",
        "error.type=tool_error",
        "gen_ai.operation.name=execute_tool",
        "gen_ai.tool.name=add",
        "jsonrpc.request.id=7",
        "mcp.method.name=tools/call",
        "network.transport=pipe",
    ] {
        assert!(
            told[1].lines().any(|told| told == line),
            "{line}: {}",
            told[1]
        );
    }
    assert!(!told[1].contains("rpc.response.status_code"), "{}", told[1]);
    assert!(told[2].starts_with("notifications/roots/list_changed (server)\n"));
    assert!(!told[2].contains("error.type"), "{}", told[2]);
}

#[test]
fn a_session_over_http() {
    let mut traffic = Traffic::new(Mode::Shadow);
    let post = |pairs| Part::Request {
        method: "POST",
        path: "/mcp",
        headers: Headers(pairs),
    };
    let head = |status, pairs, streamed| Part::Response {
        status,
        headers: Headers(pairs),
        streamed,
    };
    let kind = ("content-type", "application/json");
    let plain = [kind];
    traffic.part(
        TO_SERVER,
        1,
        post(&plain),
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#,
    );
    let named = [kind, ("mcp-session-id", "abc")];
    traffic.part(
        TO_CLIENT,
        1,
        head(200, &named, false),
        r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}"#,
    );
    traffic.part(
        TO_SERVER,
        2,
        post(&named),
        r#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"greet"}}"#,
    );
    traffic.part(TO_CLIENT, 2, head(200, &named, true), "");
    let event = Part::Event {
        name: Some("message"),
        id: None,
        retry: None,
    };
    traffic.part(
        TO_CLIENT,
        2,
        event,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"secret"}}"#,
    );
    traffic.part(
        TO_SERVER,
        3,
        post(&named),
        r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#,
    );
    traffic.part(TO_CLIENT, 3, head(404, &[], false), "");
    let told = traffic.end();
    let expected: [&[&str]; 3] = [
        &[
            "initialize (server)",
            "mcp.session.id=abc",
            "network.protocol.name=http",
            "network.transport=tcp",
        ],
        &[
            "prompts/get greet (server)",
            "error.type=-32602",
            "gen_ai.prompt.name=greet",
            "mcp.protocol.version=2025-06-18",
            "mcp.session.id=abc",
            "rpc.response.status_code=-32602",
        ],
        &["ping (server)", "error.type=404"],
    ];
    assert_eq!(told.len(), expected.len(), "{told:?}");
    for (told, lines) in told.iter().zip(expected) {
        for line in lines {
            assert!(told.lines().any(|told| told == *line), "{line}: {told}");
        }
        assert!(!told.contains("secret"), "{told}");
    }
}

#[test]
fn faults_refusals_and_what_is_never_answered() {
    let mut traffic = Traffic::new(Mode::Enforce);
    for text in [
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":4,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}"#,
    ] {
        traffic.say(TO_SERVER, text);
    }
    traffic.say(TO_CLIENT, r#"{"jsonrpc":"2.0","id":2,"result":7}"#);
    let told = traffic.end();
    let expected: [&[&str]; 5] = [
        &[
            "tools/call (server)",
            "error.type=-32602",
            "mcp_assay.verdict=block",
            "mcp_assay.violation: schema/missing-member error /params",
        ],
        &[
            "ping (server)",
            "jsonrpc.request.id=3",
            "error.type=cancelled",
        ],
        &["notifications/cancelled (server)", "mcp_assay.verdict=pass"],
        &[
            "ping (server)",
            "jsonrpc.request.id=2",
            "mcp_assay.verdict=block",
        ],
        &[
            "ping (server)",
            "jsonrpc.request.id=4",
            "error.type=unanswered",
        ],
    ];
    assert_eq!(told.len(), expected.len(), "{told:#?}");
    for (told, lines) in told.iter().zip(expected) {
        for line in lines {
            assert!(told.lines().any(|told| told == *line), "{line}: {told}");
        }
    }
}

#[test]
fn the_cause_is_in_meta_or_in_the_head() {
    let other = TRACE.replace('0', "1");
    let in_head = format!("00-{other}-b7ad6b7169203331-01");
    let in_meta = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"_meta":{{"traceparent":"00-{TRACE}-b7ad6b7169203331-01","tracestate":"a=b"}}}}}}"#
    );
    let plain = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    for (text, headers, trace) in [
        (&*in_meta, vec![], Some(TRACE)),
        (&in_meta, vec![("TraceParent", &*in_head)], Some(TRACE)),
        (plain, vec![("TraceParent", &*in_head)], Some(&*other)),
        (plain, vec![("traceparent", "00-nonsense")], None),
    ] {
        let mut traffic = Traffic::new(Mode::Shadow);
        let part = Part::Request {
            method: "POST",
            path: "/",
            headers: Headers(&headers),
        };
        traffic.part(TO_SERVER, 1, part, text);
        let kept = traffic.kept.clone();
        traffic.end();
        let spans = kept.0.lock().expect("nobody panics");
        let found = spans[0].span_context.trace_id().to_string();
        match trace {
            Some(trace) => assert_eq!(found, trace),
            None => assert!(found != TRACE && found != other),
        }
        let parent = spans[0].parent_span_id.to_string();
        assert_eq!(parent == "b7ad6b7169203331", trace.is_some());
    }
}

#[test]
fn memory_is_bounded() {
    let mut traffic = Traffic::new(Mode::Shadow);
    for id in 0..10_100 {
        let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        traffic.say(TO_SERVER, &text);
    }
    let given_up = traffic.kept.0.lock().expect("nobody panics").len();
    assert_eq!(given_up, 625);
    assert_eq!(traffic.end().len(), 10_100);
}

#[test]
fn a_span_lasts_as_long_as_the_traffic() {
    let mut traffic = Traffic::new(Mode::Shadow);
    // The times at which messages were seen; all checks run now, one after the other.
    for (time, direction, text) in [
        (
            10_000,
            TO_SERVER,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
        ),
        (
            10_040,
            TO_SERVER,
            r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#,
        ),
        (10_250, TO_CLIENT, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#),
        (71_040, TO_CLIENT, r#"{"jsonrpc":"2.0","id":2,"result":{}}"#),
        (
            71_050,
            TO_CLIENT,
            r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}"#,
        ),
    ] {
        traffic.say_at(time, direction, text);
    }
    let kept = traffic.kept.clone();
    traffic.end();
    let spans = kept.0.lock().expect("nobody panics");
    let took: Vec<_> = spans
        .iter()
        .map(|span| {
            span.end_time
                .duration_since(span.start_time)
                .expect("it ends after it begins")
        })
        .collect();
    assert_eq!(took, [250, 61_000, 0].map(Duration::from_millis));
    let between = spans[1].start_time.duration_since(spans[0].start_time);
    let between = between.expect("the second begins later").as_millis();
    // The estimate of the beginning may become better from one message to the next.
    assert!((0..=40).contains(&between), "{between}");
}

#[test]
fn a_span_names_session_and_server_where_they_are_known() {
    let mut traffic = Traffic::new(Mode::Shadow);
    let servers = [
        ("/a", "https://a.example.com/mcp".to_owned()),
        ("/a/b", "http://[::1]:8080/mcp".to_owned()),
    ];
    traffic.spans.set_servers(servers.into_iter());
    let headers = [
        ("content-type", "application/json"),
        ("Mcp-Session-Id", "abc"),
    ];
    let post = |path| Part::Request {
        method: "POST",
        path,
        headers: Headers(&headers),
    };
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    traffic.part(TO_SERVER, 1, post("/a?x=1"), ping);
    let event = Part::Event {
        name: None,
        id: None,
        retry: None,
    };
    // A request of the server has no headers of its own.
    traffic.part(
        TO_CLIENT,
        1,
        event,
        r#"{"jsonrpc":"2.0","id":"s","method":"ping"}"#,
    );
    traffic.part(TO_SERVER, 2, post("/a/b/c"), ping);
    traffic.part(
        TO_SERVER,
        3,
        post("/other"),
        r#"{"jsonrpc":"2.0","id":9,"method":"ping"}"#,
    );
    let mut told = traffic.end();
    told.sort();
    let has = |told: &str, line: &str| told.lines().any(|it| it == line);
    assert_eq!(told.len(), 4, "{told:?}");
    assert!(
        told.iter().all(|it| has(it, "mcp.session.id=abc")),
        "{told:?}"
    );
    let of = |id: &str, address: &str, port: &str| {
        told.iter().any(|it| {
            has(it, &format!("jsonrpc.request.id={id}"))
                && has(it, &format!("server.address={address}"))
                && has(it, &format!("server.port={port}"))
        })
    };
    assert!(of("1", "a.example.com", "443"), "{told:?}");
    assert!(of("s", "a.example.com", "443"), "{told:?}");
    assert!(of("1", "::1", "8080"), "{told:?}");
}
