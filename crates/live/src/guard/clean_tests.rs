//! The errors that a guard writes are clean under our own rules, in every revision: a receiver that
//! saw the refused message has nothing to report about the refusal.

use mcp_assay::model::Fact;
use mcp_assay::rules::inline;
use mcp_assay::{Carrier, Direction, Frame, Level, Policy, Revision, Session, Validator};

use super::{Action, Guard, Mode, Values};

const TO_SERVER: Direction = Direction::ClientToServer;
const TO_CLIENT: Direction = Direction::ServerToClient;

/// Messages of a client, each of which is refused in every revision that is not named.
const REFUSED: [(&str, &[Revision]); 21] = [
    (
        r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{META}}"#,
        &[],
    ),
    (
        r#"{"jsonrpc":"2.0","id":"u","method":"tools/none","params":{META}}"#,
        &[],
    ),
    (
        r#"{"jsonrpc":"2.0","id":1.5,"method":"tools/list","params":{META}}"#,
        &[],
    ),
    (
        r#"{"jsonrpc":"2.0","id":null,"method":"tools/list","params":{META}}"#,
        &[],
    ),
    (
        r#"{"jsonrpc":"2.0","id":true,"method":"tools/list","params":{META}}"#,
        &[],
    ),
    (
        r#"{"jsonrpc":"2.0","id":{"a":1},"method":"tools/list","params":{META}}"#,
        &[],
    ),
    (
        r#"{"jsonrpc":"2.0","id":[7],"method":"tools/list","params":{META}}"#,
        &[],
    ),
    (
        r#"{"jsonrpc":"1.0","id":8,"method":"tools/list","params":{META}}"#,
        &[],
    ),
    (r#"{"id":9,"method":"tools/list","params":{META}}"#, &[]),
    (r#"{"jsonrpc":"2.0","id":10,"method":7}"#, &[]),
    (
        r#"{"jsonrpc":"2.0","id":11,"method":"tools/list","params":[]}"#,
        &[],
    ),
    (r#"{"jsonrpc":"2.0","id":12}"#, &[]),
    (r#"{"jsonrpc":"2.0"}"#, &[]),
    ("{}", &[]),
    ("{oops", &[]),
    ("oops", &[]),
    (r#""oops""#, &[]),
    ("17", &[]),
    (r#"{"jsonrpc":"2.0","id":13,"method":"tools/list",}"#, &[]),
    ("[]", &[]),
    (
        r#"[{"jsonrpc":"2.0","id":14,"method":"tools/list","params":{META}},{"jsonrpc":"2.0","id":15,"method":"tools/call","params":{META}}]"#,
        &[],
    ),
];

/// Answers of a server to the request 3, each of which is replaced.
const REPLACED: [&str; 5] = [
    r#"{"jsonrpc":"2.0","id":3,"result":{"tools":1}}"#,
    r#"{"jsonrpc":"2.0","id":"3","result":{"tools":[]}}"#,
    r#"{"jsonrpc":"2.0","id":3,"result":{"tools":[NaN]}}"#,
    r#"{"jsonrpc":"2.0","result":{"tools":[,]}}"#,
    r#"{"jsonrpc":"2.0","id":3,"result":{"tools":[]},"error":{"code":1,"message":"x"}}"#,
];

fn meta(revision: Revision) -> String {
    if !revision.has(Fact::Stateless) {
        return String::new();
    }
    format!(
        r#""_meta":{{"io.modelcontextprotocol/protocolVersion":"{revision}","io.modelcontextprotocol/clientCapabilities":{{}},"io.modelcontextprotocol/clientInfo":{{"name":"c","version":"1"}}}}"#
    )
}

/// The messages that open a session, and a request that stays open.
fn opening(revision: Revision) -> Vec<(Direction, String)> {
    let meta = meta(revision);
    let mut messages = Vec::new();
    if revision.has(Fact::Handshake) {
        messages.extend([
            (TO_SERVER, format!(r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"{revision}","capabilities":{{}},"clientInfo":{{"name":"c","version":"1"}}}}}}"#)),
            (TO_CLIENT, format!(r#"{{"jsonrpc":"2.0","id":0,"result":{{"protocolVersion":"{revision}","capabilities":{{"tools":{{}}}},"serverInfo":{{"name":"s","version":"1"}}}}}}"#)),
            (TO_SERVER, r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned()),
        ]);
    }
    messages.push((
        TO_SERVER,
        format!(r#"{{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{{{meta}}}}}"#),
    ));
    messages
}

fn line(text: &str, direction: Direction) -> Frame<'_> {
    Frame::new(text.as_bytes())
        .direction(direction)
        .carrier(Carrier::Stdio)
}

/// Opens a session, lets a guard refuse or replace a message, and lets a receiver that has seen
/// everything check the error: it must find nothing.
fn check(revision: Revision, sender: Direction, message: &str) -> Option<String> {
    let (mut guard, mut session) = (Guard::new(Policy::default(), Mode::Enforce), Session::new());
    guard.values = Values::Quoted;
    let (mut receiver, mut seen) = (Validator::default(), Session::new());
    for (direction, text) in opening(revision) {
        let judged = guard.judge(&mut session, line(&text, direction));
        assert_eq!(judged.action, Action::Forward, "{revision}: {text}");
        receiver.check(&mut seen, line(&text, direction));
    }
    let judged = guard.judge(&mut session, line(message, sender));
    let (error, direction) = match judged.action {
        Action::Refuse(error) | Action::Split { back: error, .. } => {
            // The sender knows what it sent.
            receiver.check(&mut seen, line(message, sender));
            (error, sender.reverse())
        }
        // The receiver gets the error in place of the message.
        Action::Replace(error) => (error, sender),
        _ => return None,
    };
    let error = String::from_utf8(error.to_vec()).unwrap();
    let checked = receiver.check(&mut seen, line(&error, direction));
    let rules: Vec<_> = checked
        .violations()
        .iter()
        // Up to 2025-06-18 an id that could not be read is null, of which there is a note.
        .filter(|violation| {
            *violation.rule != inline::ERROR_ID_NOT_NULL || checked.level(violation) != Level::Note
        })
        .map(|violation| violation.rule.name)
        // An array is answered by an array, whatever the revision says about arrays.
        .filter(|rule| !(error.starts_with('[') && *rule == inline::BATCH_UNDEFINED.name))
        .collect();
    assert!(
        rules.is_empty(),
        "{revision}: {message}\n{error}\n{rules:?}"
    );
    assert_eq!(checked.revision(), Some(revision), "{message}\n{error}");
    let has_null = error.contains(r#""id":null"#);
    assert!(!has_null || !revision.has(Fact::ErrorWithoutId), "{error}");
    assert!(
        error.contains(r#""id":"#) || revision.has(Fact::ErrorWithoutId),
        "{error}"
    );
    Some(error)
}

#[test]
fn refusals_are_clean_in_every_revision() {
    for revision in Revision::ALL {
        for (message, accepted) in REFUSED {
            let message = message.replace("META", &meta(revision));
            let error = check(revision, TO_SERVER, &message);
            assert_eq!(
                error.is_some(),
                !accepted.contains(&revision),
                "{revision}: {message}"
            );
        }
    }
}

#[test]
fn replaced_answers_are_clean_in_every_revision() {
    for revision in Revision::ALL {
        for message in REPLACED {
            let error = check(revision, TO_CLIENT, message);
            let error = error.unwrap_or_else(|| panic!("{revision}: {message}"));
            assert!(error.starts_with(r#"{"jsonrpc":"2.0","id":3,"#), "{error}");
        }
    }
}

#[test]
fn an_error_without_an_id_is_still_reported_where_every_message_has_one() {
    let error = r#"{"jsonrpc":"2.0","error":{"code":-32603,"message":"no"}}"#;
    for revision in Revision::ALL {
        let (mut receiver, mut seen) = (Validator::default(), Session::new());
        for (direction, text) in opening(revision) {
            receiver.check(&mut seen, line(&text, direction));
        }
        let checked = receiver.check(&mut seen, line(error, TO_CLIENT));
        let violations = checked.violations();
        assert_eq!(violations.len(), 1, "{revision}");
        assert!(violations[0].rule.name.starts_with("jsonrpc/error-id-"));
    }
}
