//! The axum example behind the layer: what passes, what is refused, what is replaced.

#[path = "../examples/axum.rs"]
#[expect(dead_code, reason = "the example's `main` listens on a fixed port")]
mod example;

use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, Response, StatusCode};
use futures_util::stream;
use http_body_util::{BodyExt, StreamBody};
use mcp_assay::json_schema::SchemaDefinitions;
use mcp_assay::{CurrentDefinitions, Policy, Verdict};
use mcp_assay_live::guard::{Judged, Mode};
use mcp_assay_testkit::failing::Defect;
use mcp_assay_tower::AssayLayer;
use tower::{Layer, ServiceExt, service_fn};

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const LIST: &str = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;
const CALL: &str = r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"weather","arguments":{"city":"Ulm"}}}"#;
const BROKEN: &str = r#"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"broken"}}"#;
const NAMELESS: &str = r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{}}"#;
const WRONG_ARGUMENT: &str = r#"{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"weather","arguments":{"city":7}}}"#;

/// Rules that were violated, in order, and how many parts were judged.
#[derive(Clone, Default)]
struct Told(Arc<Mutex<(Vec<&'static str>, usize)>>);

impl Told {
    fn layer(&self, mode: Mode) -> AssayLayer {
        let told = self.clone();
        AssayLayer::new(Policy::default(), mode).reporter(
            move |_: Option<&str>, judged: &Judged<'_>| {
                let mut told = told.0.lock().unwrap();
                told.1 += 1;
                if judged.checked.verdict() == Verdict::Block {
                    let violations = judged.checked.violations().iter();
                    told.0
                        .extend(violations.map(|violation| violation.rule.name));
                }
            },
        )
    }

    fn rules(&self) -> Vec<&'static str> {
        self.0.lock().unwrap().0.clone()
    }

    fn judged(&self) -> usize {
        self.0.lock().unwrap().1
    }
}

fn request(path: &str, session: Option<&str>, message: &str) -> Request<Body> {
    let mut request = Request::post(path)
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("host", "localhost")
        .header("content-length", message.len());
    if let Some(session) = session {
        request = request
            .header("mcp-session-id", session)
            .header("mcp-protocol-version", "2025-06-18");
    }
    request.body(Body::from(message.to_owned())).unwrap()
}

/// Status, session and text of the answer of the example.
async fn post(
    app: &axum::Router,
    path: &str,
    session: Option<&str>,
    message: &str,
) -> (u16, Option<String>, String) {
    let response = app
        .clone()
        .oneshot(request(path, session, message))
        .await
        .unwrap();
    let status = response.status().as_u16();
    let named = response.headers().get("mcp-session-id");
    let named = named.map(|value| value.to_str().unwrap().to_owned());
    let length = response
        .headers()
        .get("content-length")
        .map(|value| value.to_str().unwrap().parse::<usize>().unwrap());
    let body = response.into_body().collect().await.unwrap().to_bytes();
    assert!(
        length.is_none_or(|length| length == body.len()),
        "the length is that of the body"
    );
    (status, named, String::from_utf8(body.to_vec()).unwrap())
}

/// A session that has begun.
async fn begin(app: &axum::Router) -> String {
    let (status, session, _) = post(app, "/mcp", None, INITIALIZE).await;
    assert_eq!(status, 200);
    let session = session.expect("the server names a session");
    assert_eq!(post(app, "/mcp", Some(&session), INITIALIZED).await.0, 202);
    session
}

#[tokio::test]
async fn good_messages_pass_in_both_modes_byte_for_byte() {
    let bare = example::app(AssayLayer::default().sessions(0, Duration::ZERO));
    for mode in Mode::ALL {
        let told = Told::default();
        let app = example::app(told.layer(mode));
        let session = begin(&app).await;
        for (path, message) in [("/mcp", LIST), ("/mcp", CALL), ("/mcp?stream", CALL)] {
            let message = message.replace("\"id\":3", &format!("\"id\":\"{path}\""));
            let (status, _, text) = post(&app, path, Some(&session), &message).await;
            let (_, _, expected) = post(&bare, path, Some(&session), &message).await;
            assert_eq!((status, text), (200, expected), "{mode:?}");
        }
        assert_eq!(told.rules(), [""; 0], "{mode:?}");
        // Two parts of each exchange, and of the stream: two events and the end.
        assert_eq!(told.judged(), 2 * 5 + 3, "{mode:?}");
    }
}

#[tokio::test]
async fn a_bad_request_is_answered_by_the_layer() {
    let told = Told::default();
    let app = example::app(told.layer(Mode::Enforce));
    let session = begin(&app).await;
    post(&app, "/mcp", Some(&session), LIST).await;
    for (message, id, code, expected) in [
        (NAMELESS, "5", -32602, 200),
        (WRONG_ARGUMENT, "6", -32602, 200),
        (r#"{"jsonrpc":"2.0","id":7,"#, "7", -32700, 400),
    ] {
        let (status, _, text) = post(&app, "/mcp", Some(&session), message).await;
        assert_eq!(status, expected, "{message}");
        let expected = format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"#);
        assert!(text.starts_with(&expected), "{text}");
    }
    assert_eq!(
        told.rules(),
        [
            "schema/missing-member",
            "tools/arguments-match-schema",
            "json/well-formed"
        ]
    );
    // The session goes on.
    assert_eq!(post(&app, "/mcp", Some(&session), CALL).await.0, 200);
}

#[tokio::test]
async fn a_bad_notification_is_refused_without_an_id() {
    let app = example::app(Told::default().layer(Mode::Enforce));
    let session = begin(&app).await;
    let progress = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#;
    let (status, _, text) = post(&app, "/mcp", Some(&session), progress).await;
    assert_eq!(status, 400);
    assert!(
        text.starts_with(r#"{"jsonrpc":"2.0","error":{"code":-32602,"#),
        "{text}"
    );
}

#[tokio::test]
async fn a_bad_answer_is_replaced_as_json_and_in_a_stream() {
    for path in ["/mcp", "/mcp?stream"] {
        let told = Told::default();
        let app = example::app(told.layer(Mode::Enforce));
        let session = begin(&app).await;
        let (status, _, text) = post(&app, path, Some(&session), BROKEN).await;
        assert_eq!(status, 200);
        assert!(
            text.contains(r#"{"jsonrpc":"2.0","id":4,"error":{"code":"#),
            "{text}"
        );
        assert!(!text.contains("sunny"), "{text}");
        if path.contains("stream") {
            assert!(text.starts_with(": hello\n\nid: 1\ndata: {"), "{text}");
            assert!(text.contains("\n\nid: 2\ndata: {\"jsonrpc\""), "{text}");
        }
        assert_eq!(told.rules(), ["schema/wrong-type"]);
    }
}

#[tokio::test]
async fn shadow_passes_what_is_bad_and_tells() {
    let told = Told::default();
    let app = example::app(told.layer(Mode::Shadow));
    let session = begin(&app).await;
    for path in ["/mcp", "/mcp?stream"] {
        let id = format!("\"id\":\"{path}\"");
        let (status, _, text) =
            post(&app, path, Some(&session), &BROKEN.replace("\"id\":4", &id)).await;
        assert_eq!(status, 200);
        assert!(text.contains("\"content\":\"sunny\""), "{text}");
    }
    let (status, _, _) = post(&app, "/mcp", Some(&session), NAMELESS).await;
    assert_eq!(status, 200);
    assert_eq!(
        told.rules(),
        [
            "schema/wrong-type",
            "schema/wrong-type",
            "schema/missing-member"
        ]
    );
}

#[tokio::test]
async fn without_a_session_nothing_is_concluded_from_what_was_not_seen() {
    let told = Told::default();
    let app = example::app(told.layer(Mode::Enforce));
    assert_eq!(
        post(&app, "/mcp", Some("unknown-to-the-layer"), CALL)
            .await
            .0,
        200
    );
    assert_eq!(told.rules(), [""; 0]);
}

#[tokio::test]
async fn the_tools_that_a_session_has_shown_are_known_to_the_client_after_its_end() {
    let app = example::app(Told::default().layer(Mode::Enforce));
    let session = begin(&app).await;
    post(&app, "/mcp", Some(&session), LIST).await;
    let (_, _, text) = post(&app, "/mcp", Some(&session), WRONG_ARGUMENT).await;
    assert!(text.contains("\"error\":{\"code\":-32602"), "{text}");
    let mut end = request("/mcp", Some(&session), "");
    *end.method_mut() = axum::http::Method::DELETE;
    let ended = app.clone().oneshot(end).await.unwrap();
    assert_eq!(ended.status(), StatusCode::NO_CONTENT);
    // The tools of the handler do not depend on a session.
    for named in [Some(&*session), Some("made-up"), None] {
        let (_, _, text) = post(&app, "/mcp", named, WRONG_ARGUMENT).await;
        assert!(text.contains("\"error\":{\"code\":-32602"), "{text}");
    }
}

/// The verdict on the answer to a request without sessions.
async fn stateless(answer: &'static str) -> Vec<&'static str> {
    let told = Told::default();
    let service = service_fn(move |_: Request<_>| async move {
        let response = Response::builder().header("content-type", "application/json");
        Ok::<_, Infallible>(response.body(Body::from(answer)).unwrap())
    });
    let message = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    let mut request = request("/mcp", None, message);
    let headers = request.headers_mut();
    headers.insert("mcp-protocol-version", "2026-07-28".parse().unwrap());
    headers.insert("mcp-method", "tools/list".parse().unwrap());
    let service = told.layer(Mode::Shadow).layer(service);
    let response = service.oneshot(request).await.unwrap();
    response.into_body().collect().await.unwrap();
    told.rules()
}

#[tokio::test]
async fn without_sessions_an_answer_is_judged_by_its_request() {
    let good = r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}}"#;
    assert_eq!(stateless(good).await, [""; 0]);
    let shape = r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private"}}"#;
    assert_eq!(stateless(shape).await, ["schema/missing-member"]);
    let other = r#"{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}}"#;
    assert_eq!(stateless(other).await, ["response/id-known"]);
}

#[tokio::test]
async fn bodies_are_bounded() {
    let mut policy = Policy::default();
    policy.limits.bytes = 1000;
    let long = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"_meta":{{"x":"{}"}}}}}}"#,
        "x".repeat(2000)
    );
    for (mode, status) in [(Mode::Enforce, 413), (Mode::Shadow, 200)] {
        let app = example::app(AssayLayer::new(policy.clone(), mode));
        assert_eq!(post(&app, "/mcp", None, &long).await.0, status, "{mode:?}");
    }
}

#[tokio::test]
async fn events_go_on_as_soon_as_they_are_complete() {
    let (sender, receiver) = tokio::sync::mpsc::unbounded_channel::<&'static str>();
    let receiver = Arc::new(Mutex::new(Some(receiver)));
    let service = service_fn(move |_: Request<_>| {
        let receiver = receiver.lock().unwrap().take().expect("one request");
        let pieces = stream::unfold(receiver, |mut receiver| async {
            let piece = receiver.recv().await?;
            Some((
                Ok::<_, Infallible>(http_body::Frame::data(bytes::Bytes::from(piece))),
                receiver,
            ))
        });
        let response = Response::builder()
            .header("content-type", "text/event-stream")
            .body(StreamBody::new(Box::pin(pieces)));
        std::future::ready(Ok::<_, Infallible>(response.unwrap()))
    });
    let service = Told::default().layer(Mode::Enforce).layer(service);
    let response = service.oneshot(request("/mcp", None, CALL)).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    let mut body = response.into_body();
    let event = "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":1}}\r\n\r\n";
    let mut sent = String::new();
    for piece in [
        ": one\n\n",
        event,
        "data: {\"jsonrpc\":\"2.0\",",
        "\"id\":3,\"result\":{\"content\":[]}}\n\n",
    ] {
        sender.send(piece).unwrap();
        sent.push_str(piece);
        if !sent.ends_with("\n\n") && !sent.ends_with("\r\n\r\n") {
            continue;
        }
        // Nothing more was sent: what comes now was not held back.
        let mut got = String::new();
        while got.len() < sent.len() {
            let frame = body.frame().await.unwrap().unwrap();
            got.push_str(std::str::from_utf8(&frame.into_data().unwrap()).unwrap());
        }
        assert_eq!(got, sent);
        sent.clear();
    }
    drop(sender);
    assert!(body.frame().await.is_none());
}

#[tokio::test]
async fn whoever_waits_is_told_when_the_answer_cannot_be_attributed() {
    for (kind, body) in [
        (
            "application/json",
            r#"{"jsonrpc":"2.0","id":99,"result":{"content":[]}}"#,
        ),
        (
            "text/event-stream",
            "data: {\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{\"content\":[]}}\n\n",
        ),
    ] {
        let service = service_fn(move |_: Request<_>| {
            let response = Response::builder()
                .header("content-type", kind)
                .body(Body::from(body));
            std::future::ready(Ok::<_, Infallible>(response.unwrap()))
        });
        let mut policy = Policy::default();
        policy.revision = Some(mcp_assay::Revision::V2025_06_18);
        let service = AssayLayer::new(policy, Mode::Enforce).layer(service);
        let initialize = service
            .clone()
            .oneshot(request("/mcp", None, INITIALIZE))
            .await
            .unwrap();
        let text = initialize.into_body().collect().await.unwrap().to_bytes();
        let text = String::from_utf8(text.to_vec()).unwrap();
        assert!(text.contains(r#""id":1,"error":"#), "{kind}: {text}");
        assert!(!text.contains("99"), "{kind}: {text}");
    }
}

/// A hundred and fifty warnings, then an error; an id that is no JSON; a batch that uses an id
/// twice.
#[tokio::test]
async fn nothing_talks_its_way_past() {
    let keys = r#""k":0,"#.repeat(150);
    let crowded =
        format!(r#"{{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{{{keys}"z":1}}}}"#);
    let odd_id = r#"{"jsonrpc":"2.0","id":00,"method":"ping"}"#;
    let ping = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;
    let batch = format!("[{ping},{ping}]");
    let welcome = r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-03-26","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}"#;
    let service = service_fn(move |_: Request<_>| async move {
        let response = Response::builder()
            .header("content-type", "application/json")
            .header("mcp-session-id", "s");
        Ok::<_, Infallible>(response.body(Body::from(welcome)).unwrap())
    });
    let service = Told::default().layer(Mode::Enforce).layer(service);
    let old = |session, message: &str| {
        let mut request = request("/mcp", session, message);
        let version = "2025-03-26".parse().unwrap();
        let headers = request.headers_mut();
        headers.insert("mcp-protocol-version", version);
        request
    };
    let initialize = INITIALIZE.replace("2025-06-18", "2025-03-26");
    let response = service.clone().oneshot(old(None, &initialize)).await;
    response.unwrap().into_body().collect().await.unwrap();
    for (message, begins, holds) in [
        (
            &*crowded,
            r#"{"jsonrpc":"2.0","id":8,"error":{"code":-32602,"#,
            "schema/missing-member",
        ),
        (
            odd_id,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"#,
            "json/well-formed",
        ),
        (
            &*batch,
            r#"[{"jsonrpc":"2.0","id":7,"error":"#,
            "request/id-unique-in-session",
        ),
    ] {
        let response = service.clone().oneshot(old(Some("s"), message)).await;
        let body = response.unwrap().into_body().collect().await.unwrap();
        let text = String::from_utf8_lossy(&body.to_bytes()).into_owned();
        assert!(text.starts_with(begins) && text.contains(holds), "{text}");
    }
}

#[tokio::test]
async fn a_message_whose_check_fails_is_refused_by_enforce_alone() {
    let call = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"defect"}}"#;
    for mode in Mode::ALL {
        let told = Told::default();
        let app = example::app(told.layer(mode).definitions(Arc::new(Defect)));
        let session = begin(&app).await;
        let (status, _, text) = post(&app, "/mcp", Some(&session), call).await;
        assert_eq!(status, 200);
        let is_refused = text.starts_with(r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"#)
            && text.contains("could not be checked");
        assert_eq!(is_refused, mode == Mode::Enforce, "{text}");
        // It goes on.
        let (status, _, text) = post(&app, "/mcp", Some(&session), LIST).await;
        assert!(status == 200 && text.contains("\"tools\""), "{text}");
    }
}

/// A list of tools as a document describes its request, with further keywords.
fn list_document(keywords: &str) -> Arc<SchemaDefinitions> {
    let method = |name: &str, method: &str, keywords: &str| {
        format!(r#""{name}":{{"properties":{{"method":{{"const":"{method}"}}}}{keywords}}}"#)
    };
    let document = [
        method("InitializeRequest", "initialize", ""),
        method("InitializedNotification", "notifications/initialized", ""),
        method("ListToolsRequest", "tools/list", keywords),
    ];
    let document = format!(r#"{{"$defs":{{{}}}}}"#, document.join(","));
    Arc::new(SchemaDefinitions::new(document.as_bytes()).unwrap())
}

#[tokio::test]
async fn definitions_from_outside_are_replaced_while_clients_are_served() {
    let current = Arc::new(CurrentDefinitions::new(list_document("")));
    let layer = Told::default().layer(Mode::Enforce);
    let app = example::app(layer.definitions(Arc::clone(&current) as Arc<_>));
    let session = begin(&app).await;
    let (_, _, text) = post(&app, "/mcp", Some(&session), LIST).await;
    assert!(text.contains("\"tools\""), "{text}");
    current.replace(list_document(r#","required":["params"]"#));
    let another = LIST.replace("\"id\":2", "\"id\":22");
    let (_, _, text) = post(&app, "/mcp", Some(&session), &another).await;
    assert!(text.contains("schema/override"), "{text}");
}
