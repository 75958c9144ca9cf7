//! Codes that no other error has, and the same error on every transport.

use mcp_assay::model::ERRORS;
use mcp_assay::{Carrier, Frame, Headers, Http, Layer, Policy, Session, Validator};

use super::*;
use crate::envelope::{Meta, NonEmpty, ResultEnvelope, Transport};

#[test]
fn the_table_is_in_order() {
    for (index, error) in CanonicalError::ALL.into_iter().enumerate() {
        assert_eq!(TABLE[index].error, error);
        assert_eq!(CanonicalError::named(error.name()), Some(error));
        assert_eq!(
            CanonicalError::of_http_status(error.to_http_status()),
            Some(error)
        );
    }
    let statuses = CanonicalError::ALL.map(CanonicalError::to_http_status);
    assert_eq!(statuses, [400, 502, 404, 401, 504, 500]);
    assert_eq!(CanonicalError::named("invalid_input"), None);
    assert_eq!(CanonicalError::of_http_status(204), None);
}

#[test]
fn no_revision_gives_a_code_another_meaning() {
    for revision in Revision::ALL {
        let mut codes = Vec::new();
        for error in CanonicalError::ALL {
            let code = error.to_jsonrpc_error(revision).code;
            assert!(!codes.contains(&code), "{error} shares {code}");
            codes.push(code);
            let meaning = ERRORS
                .iter()
                .find(|known| known.code == code && known.revisions.contains(revision))
                .map(|known| known.name);
            let same = match error {
                CanonicalError::InvalidInput => Some("InvalidParams"),
                CanonicalError::InternalError => Some("InternalError"),
                _ => None,
            };
            assert_eq!(meaning, same, "{error} {code} in {revision}");
            // Not even a code that had a meaning once, or had one in a draft.
            assert!(same.is_some() || ERRORS.iter().all(|known| known.code != code));
            assert!(![-32001, -32003, -32004].contains(&code));
            let standard = matches!(code, -32700 | -32603..=-32600);
            assert!(standard || !(-32768..=-32100).contains(&code));
            let reserved = revision.has(Fact::ReservedErrorRange);
            assert!(!reserved || !(-32099..=-32000).contains(&code));
            assert_eq!(CanonicalError::of_code(i64::from(code), revision), error);
        }
    }
}

#[test]
fn every_known_code_comes_to_something() {
    use CanonicalError::{InternalError, InvalidInput, NotFound, Unauthorized};
    let (old, new) = (Revision::V2025_11_25, Revision::V2026_07_28);
    for (code, revision, expected) in [
        (-32700, old, InvalidInput),
        (-32600, new, InvalidInput),
        (-32601, old, NotFound),
        (-32002, old, NotFound),
        (-32002, new, NotFound),
        (-32020, old, InternalError),
        (-32020, new, InvalidInput),
        (-32042, old, Unauthorized),
        (-32042, new, InternalError),
        (-1, old, Unauthorized),
        (-1, new, InternalError),
        (-32000, old, InternalError),
        (i64::MIN, new, InternalError),
        (12345, new, InternalError),
    ] {
        assert_eq!(
            CanonicalError::of_code(code, revision),
            expected,
            "{code} in {revision}"
        );
    }
}

/// Our own rules accept the error objects.
#[test]
fn error_objects_are_sound_in_every_revision() {
    for revision in Revision::ALL {
        for error in CanonicalError::ALL {
            let mut policy = Policy::default();
            policy.revision = Some(revision);
            let (mut validator, mut session) = (Validator::new(policy), Session::new());
            let request = concat!(
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"#,
                r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
                r#""io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"#,
                r#""io.modelcontextprotocol/clientCapabilities":{}}}}"#
            );
            validator.check(&mut session, request);
            let object = error
                .with_message("quotes \" and \u{1b}[31m")
                .to_jsonrpc_error(revision);
            let answer = format!(r#"{{"jsonrpc":"2.0","id":1,"error":{}}}"#, object.to_json());
            assert!(!answer.contains('\u{1b}'));
            let frame = Frame::new(answer.as_bytes()).direction(Direction::ServerToClient);
            let checked = validator.check(&mut session, frame);
            let names: Vec<_> = checked.violations().iter().map(|v| v.rule.name).collect();
            assert_eq!(names, [""; 0], "{answer} in {revision}");
            let error = checked.root().unwrap().get("error").unwrap();
            let keys: Vec<_> = error
                .get("data")
                .unwrap()
                .members()
                .map(|(key, _)| key.text().unwrap().into_owned())
                .collect();
            assert_eq!(keys, ["canonical", "httpStatus", "message", "retryable"]);
        }
    }
}

/// A message with a fault: its sender, the method it answers, its text, and the expected error.
type Fault = (
    Direction,
    Option<&'static str>,
    &'static str,
    CanonicalError,
);

const FAULTS: &[Fault] = {
    use CanonicalError::{InvalidInput, InvalidOutput, NotFound};
    use Direction::{ClientToServer as Up, ServerToClient as Down};
    &[
        (
            Up,
            None,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#,
            InvalidInput,
        ),
        (
            Up,
            None,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/cal"}"#,
            NotFound,
        ),
        (
            Up,
            None,
            r#"{"jsonrpc":"2.0","id":1,"method":"#,
            InvalidInput,
        ),
        (
            Up,
            None,
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            InvalidInput,
        ),
        (
            Down,
            Some("tools/list"),
            r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{}]}}"#,
            InvalidOutput,
        ),
        (
            Down,
            Some("tools/list"),
            r#"{"jsonrpc":"2.0","id":1,"result":[]}"#,
            InvalidOutput,
        ),
        (
            Down,
            None,
            r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#,
            InvalidOutput,
        ),
        (
            Down,
            None,
            r#"{"jsonrpc":"2.0","id":1,"result":"#,
            InvalidOutput,
        ),
        // Sent by the server, so that this is the input and the client's answer the output.
        (
            Down,
            None,
            r#"{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}"#,
            InvalidInput,
        ),
        (
            Up,
            Some("sampling/createMessage"),
            r#"{"jsonrpc":"2.0","id":1,"result":{"role":1}}"#,
            InvalidOutput,
        ),
    ]
};

const TYPE: &[(&str, &str)] = &[
    ("content-type", "application/json"),
    ("accept", "application/json, text/event-stream"),
];

/// All errors for a message, as envelopes and as error objects.
fn errors(transport: Transport, fault: &Fault) -> Vec<(ResultEnvelope, JsonRpcError)> {
    let &(direction, answers, text, expected) = fault;
    let (mut validator, mut session) = (Validator::default(), Session::new());
    let part = match direction {
        Direction::ClientToServer => Part::Request {
            method: "POST",
            path: "/mcp",
            headers: Headers(TYPE),
        },
        Direction::ServerToClient => Part::Response {
            status: 200,
            headers: Headers(TYPE),
            streamed: false,
        },
    };
    let http = Http::new(None, part);
    let frame = match transport {
        Transport::Stdio => Frame::new(text.as_bytes()).carrier(Carrier::Stdio),
        Transport::Http => Frame::over_http(text.as_bytes(), &http),
    };
    let mut frame = frame.direction(direction).revision(Revision::V2025_06_18);
    frame.answers = answers;
    let checked = validator.check(&mut session, frame);
    let found: Vec<_> = checked
        .violations()
        .iter()
        // Faults that only HTTP can have are no fault of the message.
        .filter(|violation| violation.rule.layer != Layer::Http)
        .map(|violation| {
            let kind = CanonicalError::of_violation(&checked, violation);
            let error = kind.with_message(checked.message(violation));
            let mut meta = Meta::new(NonEmpty::new("1").unwrap(), transport);
            meta.method = checked.method().and_then(NonEmpty::new);
            meta.input_bytes = text.len() as u64;
            if transport == Transport::Http {
                meta.route = NonEmpty::new("/mcp");
            }
            let object = error.to_jsonrpc_error(checked.revision().unwrap());
            (ResultEnvelope::failure(error, meta), object)
        })
        .collect();
    assert!(
        found
            .iter()
            .any(|(envelope, _)| envelope.error().unwrap().code == expected),
        "{text}: {found:?}"
    );
    found
}

#[test]
fn transports_give_the_same_error_for_the_same_fault() {
    for fault in FAULTS {
        let [stdio, http] = Transport::ALL.map(|transport| errors(transport, fault));
        assert_eq!(stdio.len(), http.len(), "{}", fault.2);
        for ((stdio, stdio_object), (http, http_object)) in stdio.iter().zip(&http) {
            assert_eq!(stdio_object.code, http_object.code);
            assert_eq!(stdio_object.message, http_object.message);
            assert_eq!(stdio_object.data, http_object.data);
            let [stdio, http] = [stdio, http].map(|envelope| fields(&envelope.to_json()));
            assert_eq!(stdio.len(), http.len());
            for (one, other) in stdio.iter().zip(&http) {
                let differs = ["/meta/transport", "/meta/route"].contains(&one.0.as_str());
                assert_eq!(one == other, !differs, "{one:?} {other:?}");
            }
        }
    }
}

/// Every value that is no container, with its pointer.
fn fields(json: &str) -> Vec<(String, String)> {
    use mcp_assay::syntax::{Kind, Tape, scan};
    let mut tape = Tape::new();
    scan(
        json.as_bytes(),
        &mcp_assay::syntax::ScanLimits::DEFAULT,
        &mut tape,
    )
    .unwrap();
    (0..tape.tokens().len() as u32)
        .map(|index| tape.node(json.as_bytes(), index))
        .filter(|node| !matches!(node.kind(), Kind::Key | Kind::Object | Kind::Array))
        .map(|node| {
            let raw = String::from_utf8_lossy(node.raw()).into_owned();
            (node.pointer(), raw)
        })
        .collect()
}

#[test]
fn authorisation_has_an_error_of_its_own() {
    let (mut validator, mut session) = (Validator::default(), Session::new());
    let headers = [("content-type", "application/json")];
    let part = Part::Request {
        method: "POST",
        path: "/mcp?access_token=abcdefghijklmnop",
        headers: Headers(&headers),
    };
    let http = Http::new(None, part);
    let ping = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let frame = Frame::over_http(ping, &http)
        .direction(Direction::ClientToServer)
        .revision(Revision::V2025_06_18);
    let checked = validator.check(&mut session, frame);
    let violation = checked
        .violations()
        .iter()
        .find(|violation| violation.rule.name == "auth/no-query-token")
        .expect("the token is in the query");
    let error = CanonicalError::of_violation(&checked, violation);
    assert_eq!(error, CanonicalError::Unauthorized);
}

#[test]
fn no_answer_is_a_timeout() {
    let (mut validator, mut session) = (Validator::default(), Session::new());
    let open = [
        (
            Direction::ClientToServer,
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#,
        ),
        (
            Direction::ServerToClient,
            r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}"#,
        ),
        (
            Direction::ClientToServer,
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        ),
        (
            Direction::ClientToServer,
            r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#,
        ),
    ];
    for (direction, text) in open {
        let frame = Frame::new(text.as_bytes()).direction(direction);
        assert_eq!(
            validator.check(&mut session, frame).violations().len(),
            0,
            "{text}"
        );
    }
    let endings = validator.end(&session);
    let errors: Vec<_> = endings.iter().map(CanonicalError::of_ending).collect();
    assert_eq!(errors, [CanonicalError::Timeout]);
}
