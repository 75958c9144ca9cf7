//! Whole messages and batches.

use mcp_assay::invent::Invented;
use mcp_assay::{Frame, Level, MessageKind, Revision, Session, Validator, Verdict, rules};
use mcp_assay_contract::protocol::{Json, Protocol, Reason, ValidationError};

use super::blocks;

/// A message is valid if the validator finds no error, and the problems are its errors.
pub(super) fn message(case: &Invented, validator: &mut Validator, protocol: &mut Protocol) {
    let frame = Frame::new(&case.bytes)
        .revision(case.revision)
        .direction(case.direction);
    let checked = validator.check(&mut Session::new(), frame);
    let mut errors: Vec<_> = checked
        .violations()
        .iter()
        .filter(|violation| checked.level(violation) == Level::Error)
        .map(|violation| (violation.rule.name, checked.pointer(violation)))
        .collect();
    let found = protocol.validate_message(&case.bytes);
    assert_eq!(
        found.is_err(),
        checked.verdict() == Verdict::Block,
        "{case:?}\n{found:?}"
    );
    let mut named = named(&found);
    // Members that one object lacks are one problem, all else is told one by one.
    errors.dedup_by(|next, last| next == last && next.0 == "schema/missing-member");
    assert_eq!(named, errors, "{case:?}");
    assert!(named.iter().all(|(rule, _)| rules::find(rule).is_some()));
    // A value is judged as its text, but for the order; numbers beyond a double are legal, but no
    // value.
    if let Ok(value) = serde_json::from_slice::<serde_json::Value>(&case.bytes) {
        let mut of_value = self::named(&protocol.validate_message(&value));
        named.sort();
        of_value.sort();
        assert_eq!(named, of_value, "{case:?}");
    }
}

/// Rules and places of all problems.
fn named(found: &Result<(), ValidationError>) -> Vec<(&'static str, String)> {
    let problems = found.as_ref().err().into_iter();
    problems
        .flat_map(ValidationError::problems)
        .map(|problem| (problem.rule.expect("a rule"), problem.pointer.clone()))
        .collect()
}

/// A JSON-RPC message is valid if a validator of its envelope and of its method finds no error.
pub(super) fn jsonrpc(case: &Invented, validator: &mut Validator, protocol: &mut Protocol) {
    let frame = Frame::new(&case.bytes)
        .revision(case.revision)
        .direction(case.direction);
    let found = protocol.validate_jsonrpc(&case.bytes);
    let blocked = blocks(validator, frame);
    assert_eq!(found.is_err(), blocked, "{case:?}\n{found:?}");
}

/// A batch is valid if the validator finds no error, and each bad message has its index.
pub(super) fn batch(case: &Invented, validator: &mut Validator, protocol: &mut Protocol) -> bool {
    if case.kind != MessageKind::Batch {
        return false;
    }
    let found = protocol.validate_batch(&case.bytes);
    let blocked = blocks(validator, Frame::of_invented(case));
    assert_eq!(found.is_err(), blocked, "{case:?}\n{found:?}");
    let Err(found) = found else { return false };
    for problem in found.problems() {
        let index = problem.index.map(|index| index.to_string());
        assert_eq!(problem.pointer.split('/').nth(1), index.as_deref());
    }
    let place = case.fault.as_ref().map_or("", |fault| &fault.place);
    let Some(index) = place.split('/').nth(1) else {
        return false;
    };
    let mut told = found.problems();
    assert!(told.any(|problem| problem.detail("index") == Some(index)));
    true
}

#[test]
fn a_batch_where_there_are_none_is_looked_into() {
    let batch =
        r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},7,{"jsonrpc":"2.0","id":2,"method":"bad"}]"#;
    let mut protocol = Protocol::new().revision(Revision::V2025_06_18);
    let error = protocol.validate_batch(batch).expect_err("no batches");
    let told: Vec<_> = error.problems().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "batch_unsupported: exists=only in 2025-03-26",
            "not_map: index=1, expected=an object, found=a number",
            "unknown_method: index=2, method=bad",
        ]
    );
    let many = format!("[{}]", vec!["7"; 1000].join(","));
    let error = protocol.validate_batch(&many).expect_err("no batches");
    assert_eq!(error.problems().count(), 100);
}

#[test]
fn what_is_no_message_is_never_valid() {
    let deep = "[".repeat(200);
    for text in [
        "",
        " ",
        "\n",
        "hello",
        "{",
        "{}",
        "3",
        "null",
        "\"\"",
        "\u{feff}{}",
        "1 2",
        &deep,
    ] {
        for revision in Revision::ALL {
            let mut protocol = Protocol::new().revision(revision);
            assert!(protocol.validate_jsonrpc(text).is_err(), "{text:?}");
            assert!(protocol.validate_message(text).is_err(), "{text:?}");
            assert!(protocol.validate_batch(text).is_err(), "{text:?}");
        }
    }
    let mut protocol = Protocol::new();
    assert!(protocol.validate_message(b"\xff\xfe").is_err());
    assert!(protocol.validate_message(Json::from(())).is_err());
    let error = protocol.validate_jsonrpc(&deep).expect_err("too deep");
    assert_eq!(error.reason(), Reason::LimitExceeded);
}
