//! The decisions about an exchange, each with messages that a guard has checked.

use std::time::Duration;

use bytes::Bytes;
use mcp_assay::{Direction, Event, Events, Frame, Headers, Http, Part, Policy, Revision, Session};

use super::{
    CheckedPart, Exchange, HeadAction, Located, Method, Representation, RequestAction,
    ResponseAction, SessionKey, SessionTable,
};
use crate::guard::{Guard, Mode};

const REVISION: Revision = Revision::V2025_03_26;

const HANDSHAKE: [(Direction, &str); 3] = [
    (
        Direction::ClientToServer,
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#,
    ),
    (
        Direction::ServerToClient,
        r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-03-26","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}"#,
    ),
    (
        Direction::ClientToServer,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    ),
];

/// An exchange with the guard and the session that check its parts.
struct Carrier {
    guard: Guard,
    session: Session,
    exchange: Exchange<u64>,
    out: Vec<u8>,
}

impl Carrier {
    /// Posts a body, which must be forwarded.
    fn new(body: &str) -> Self {
        let mut carrier = Self {
            guard: Guard::new(Policy::default(), Mode::Enforce),
            session: Session::new(),
            exchange: Exchange::new(Mode::Enforce, Method::Post, None, Some(REVISION)),
            out: Vec::new(),
        };
        for (direction, message) in HANDSHAKE {
            let frame = Frame::new(message.as_bytes()).direction(direction);
            carrier.guard.judge(&mut carrier.session, frame);
        }
        assert_eq!(carrier.post(body), RequestAction::Forward);
        carrier
    }

    fn post(&mut self, body: &str) -> RequestAction {
        let mut table = SessionTable::new(1, Duration::MAX);
        let bytes = Bytes::copy_from_slice(body.as_bytes());
        self.exchange
            .locate(bytes, None, &mut table, Duration::ZERO);
        let part = Part::Request {
            method: "POST",
            path: "/mcp",
            headers: Headers(&[
                ("content-type", "application/json"),
                ("accept", "application/json, text/event-stream"),
            ]),
        };
        let checked = self.check(body, part, Direction::ClientToServer);
        self.exchange.request_action(checked)
    }

    fn respond(&mut self, status: u16, body: &str) -> ResponseAction {
        let part = Part::Response {
            status,
            headers: Headers(&[("content-type", "application/json")]),
            streamed: false,
        };
        let checked = self.check(body, part, Direction::ServerToClient);
        self.exchange.response_action(status, checked)
    }

    /// Sends events as the response, and gives what goes on.
    fn stream(&mut self, text: &str) -> String {
        let mut events = Events::new(1 << 20);
        let mut answers = Vec::new();
        events.feed(text.as_bytes(), |event| answers.extend(self.event(&event)));
        assert_eq!(answers, Vec::<Bytes>::new());
        let mut out = std::mem::take(&mut self.out);
        events.end(|event| self.exchange.end(Some(&event), &mut out));
        self.exchange.end(None, &mut out);
        String::from_utf8(out).unwrap()
    }

    fn event(&mut self, event: &Event<'_>) -> Option<Bytes> {
        let data = String::from_utf8(event.data.as_deref().unwrap_or_default().to_vec()).unwrap();
        let part =
            (!event.is_empty()).then(|| self.check(&data, event.part(), Direction::ServerToClient));
        self.exchange.event(event, part, &mut self.out)
    }

    fn check(&mut self, body: &str, part: Part<'_>, direction: Direction) -> CheckedPart {
        let http = Http::new(Some(1), part);
        let mut frame = Frame::over_http(body.as_bytes(), &http).direction(direction);
        frame.header_revision = Some(REVISION);
        CheckedPart::new(&self.guard.judge(&mut self.session, frame))
    }
}

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const TWO: &str =
    r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":"b","method":"ping"}]"#;
const PONG: &str = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
const STRANGER: &str = r#"{"jsonrpc":"2.0","id":77,"result":{}}"#;

/// The beginning of the error event for a request whose response was left out.
fn lost(id: &str) -> String {
    format!("event: message\ndata: {{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{{\"code\":-32062,")
}

#[test]
fn each_lost_response_is_replaced_at_the_end_of_a_stream_and_no_other() {
    let pong_b = PONG.replace("1,", "\"b\",");
    let cases: [(&str, String, &[&str]); 7] = [
        (PING, format!("data: {PONG}\n\n"), &[]),
        (PING, format!("data: {STRANGER}\n\n"), &["1"]),
        (PING, format!("data: {STRANGER}\n\ndata: {PONG}\n\n"), &[]),
        // A batch is an answer to the requests whose responses it holds.
        (TWO, format!("data: [{PONG},{pong_b}]\n\n"), &[]),
        (
            TWO,
            format!("data: {PONG}\n\ndata: {STRANGER}\n\n"),
            &["\"b\""],
        ),
        (TWO, format!("data: {STRANGER}\n\n"), &["1", "\"b\""]),
        // Nobody hears of an event without its blank line.
        (PING, format!("data: {PONG}\n"), &["1"]),
    ];
    for (request, events, expected) in cases {
        let out = Carrier::new(request).stream(&events);
        assert!(!out.contains("77"), "{out}");
        assert_eq!(out.matches("\"error\"").count(), expected.len(), "{out}");
        for id in expected {
            assert!(out.contains(&lost(id)), "{id}: {out}");
        }
    }
}

#[test]
fn a_refused_notification_or_response_is_not_called_accepted() {
    for body in [
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":5,"result":7}"#,
    ] {
        let mut carrier = Carrier::new(PING);
        let RequestAction::Refuse(status, text) = carrier.post(body) else {
            panic!("{body} was accepted");
        };
        assert_eq!(status, 400);
        assert!(
            text.starts_with(br#"{"jsonrpc":"2.0","error":{"code":"#),
            "{text:?}"
        );
        assert!(!carrier.exchange.is_abandoned());
    }
}

#[test]
fn a_response_that_belongs_to_nothing_ends_the_wait() {
    for (request, begins) in [
        (PING, r#"{"jsonrpc":"2.0","id":1,"error":"#),
        (TWO, r#"[{"jsonrpc":"2.0","id":1,"error":"#),
    ] {
        let mut carrier = Carrier::new(request);
        let ResponseAction::Replace(200, body) = carrier.respond(200, STRANGER) else {
            panic!("a stranger was forwarded");
        };
        assert!(body.starts_with(begins.as_bytes()), "{body:?}");
    }
    let mut carrier = Carrier::new(PING);
    assert_eq!(carrier.respond(400, STRANGER), ResponseAction::Forward);
}

#[test]
fn a_session_is_tracked_once_the_server_agrees_and_until_it_ends() {
    let mut table = SessionTable::new(8, Duration::MAX);
    let key = || SessionKey::id(0, "s");
    let mut post = |status| {
        let mut exchange = Exchange::new(Mode::Shadow, Method::Post, key(), None);
        let located = exchange.locate(Bytes::new(), None, &mut table, Duration::ZERO);
        exchange.enter(7);
        exchange.answered(status, None, None, &mut table, Duration::ZERO);
        if let Some(ended) = exchange.ended_session(status) {
            table.remove(ended);
        }
        (located, exchange.is_alone())
    };
    assert_eq!(post(400), (Located::Unknown, true));
    assert_eq!(post(200), (Located::Unknown, false));
    assert_eq!(post(400), (Located::Known, false));
    assert_eq!(post(404), (Located::Known, false));
    assert_eq!(post(404), (Located::Unknown, true));

    let initialize = r#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#;
    let mut exchange = Exchange::new(Mode::Shadow, Method::Post, None, None);
    let body = Bytes::from_static(initialize.as_bytes());
    let located = exchange.locate(body, None, &mut table, Duration::ZERO);
    assert_eq!(located, Located::Opens);
    exchange.enter(8);
    let evicted = exchange.answered(200, key(), None, &mut table, Duration::ZERO);
    assert_eq!(evicted, Some(Vec::new()));
    assert_eq!(table.find(&key().unwrap(), Duration::ZERO), Some(8));
}

#[test]
fn an_unreadable_event_does_not_take_the_place_of_the_answer() {
    let broken = r#"{"jsonrpc":"2.0","id":1,"result":{,}}"#;
    let out = Carrier::new(PING).stream(&format!("data: {broken}\n\ndata: {PONG}\n\n"));
    assert_eq!(out, format!("data: {PONG}\n\n"));
    let out = Carrier::new(PING).stream(&format!("data: {broken}\n\ndata: {broken}\n\n"));
    assert_eq!(out.matches("\"id\":1").count(), 1, "{out}");
    assert!(out.starts_with(&lost("1")), "{out}");
    // The id may be spelt in another way.
    let spelt = PONG.replace(":1,", ":1.0,");
    let out = Carrier::new(PING).stream(&format!("data: {broken}\n\ndata: {spelt}\n\n"));
    assert!(!out.contains("error"), "{out}");
}

#[test]
fn errors_for_a_part_of_a_batch_come_back_with_the_answers() {
    let bad = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{}}"#;
    let batch = format!("[{PING},{bad}]");
    let posted = || {
        let mut carrier = Carrier::new(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        let RequestAction::Replace(rest) = carrier.post(&batch) else {
            panic!("a part goes on");
        };
        assert_eq!(rest, format!("[{PING}]"));
        carrier
    };
    let mut carrier = posted();
    let answer = format!("[{PONG}]");
    assert_eq!(carrier.respond(200, &answer), ResponseAction::Forward);
    let merged = carrier.exchange.merge(answer.as_bytes()).unwrap();
    let begins = format!(r#"[{PONG},{{"jsonrpc":"2.0","id":2,"error":"#);
    assert!(merged.starts_with(begins.as_bytes()), "{merged:?}");
    assert_eq!(carrier.exchange.merge(answer.as_bytes()), None);
    let out = posted().stream(&format!("data: {PONG}\n\n"));
    assert!(
        out.contains(r#"data: [{"jsonrpc":"2.0","id":2,"error":"#),
        "{out}"
    );
}

#[test]
fn the_answer_to_a_request_is_json_or_a_stream() {
    let form = |kind: &'static str| Representation::new([kind.as_bytes()], []);
    let decide = |status, kind| {
        let form = form(kind);
        let form = form.as_ref().map_err(|unreadable| *unreadable);
        Carrier::new(PING).exchange.head_action(status, form)
    };
    for (status, kind) in [
        (200, "application/json"),
        (200, "text/event-stream; charset=utf-8"),
        (202, "text/plain"),
        (404, "text/html"),
        (500, "application/json; charset=utf-16"),
    ] {
        assert_eq!(decide(status, kind), HeadAction::Forward, "{kind}");
    }
    for kind in ["text/html", "text/event-streamx", "application/jsonx"] {
        let HeadAction::Replace(body) = decide(200, kind) else {
            panic!("{kind} was forwarded");
        };
        assert!(
            body.starts_with(br#"{"jsonrpc":"2.0","id":1,"error":"#),
            "{body:?}"
        );
    }
    let refused = decide(200, "application/json; charset=utf-7");
    assert!(matches!(refused, HeadAction::Refuse(_)), "{refused:?}");
}
