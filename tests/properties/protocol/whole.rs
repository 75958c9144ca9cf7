//! Whole messages and batches.

use mcp_assay::protocol::{Json, Protocol, Reason};
use mcp_assay::{Frame, Layer, Level, MessageKind, Policy, Revision, Session, Validator, Verdict};
use mcp_assay_tests::cases;

use super::{Protocols, blocks};

#[test]
fn a_message_is_valid_if_the_validator_finds_no_error() {
    for revision in Revision::ALL {
        let mut validator = Validator::default();
        let mut protocols = Protocols::new(revision);
        for case in cases(revision, 2000) {
            let frame = Frame::new(&case.bytes)
                .revision(revision)
                .direction(case.direction);
            let checked = validator.check(&mut Session::new(), frame);
            let errors: Vec<_> = checked
                .violations()
                .iter()
                .filter(|violation| checked.level(violation) == Level::Error)
                .map(|violation| (violation.rule.name, checked.pointer(violation)))
                .collect();
            let found = protocols.of(&case).validate_message(&case.bytes);
            assert_eq!(
                found.is_err(),
                checked.verdict() == Verdict::Block,
                "{case:?}\n{found:?}"
            );
            let Err(found) = found else { continue };
            let named: Vec<_> = found
                .problems()
                .filter_map(|problem| Some((problem.rule?, problem.pointer.clone())))
                .collect();
            // Members that one object lacks are one problem, all else is told one by one.
            let mut expected = errors;
            expected.dedup_by(|next, last| next == last && next.0 == "schema/missing-member");
            assert_eq!(named, expected, "{case:?}");
        }
    }
}

#[test]
fn an_envelope_is_valid_if_the_validator_finds_no_error_up_to_json_rpc() {
    let mut policy = Policy::default();
    policy.layers = [Layer::Framing, Layer::Json, Layer::Jsonrpc]
        .into_iter()
        .collect();
    for revision in Revision::ALL {
        let mut validator = Validator::new(policy.clone());
        let mut protocol = Protocol::new().revision(revision);
        for case in cases(revision, 2000) {
            let frame = Frame::new(&case.bytes).revision(revision);
            let found = protocol.validate_jsonrpc(&case.bytes);
            let blocked = blocks(&mut validator, frame);
            assert_eq!(found.is_err(), blocked, "{case:?}\n{found:?}");
        }
    }
}

#[test]
fn a_value_is_judged_as_its_text() {
    for revision in Revision::ALL {
        let mut protocol = Protocol::new().revision(revision);
        for case in cases(revision, 500) {
            // Numbers beyond a double are legal, but no value.
            let Ok(value) = serde_json::from_slice::<serde_json::Value>(&case.bytes) else {
                continue;
            };
            let of_text = protocol.validate_message(&case.bytes);
            let of_value = protocol.validate_message(&value);
            assert_eq!(of_text, of_value, "{case:?}");
        }
    }
}

#[test]
fn a_bad_message_in_a_batch_has_its_index() {
    let revision = Revision::V2025_03_26;
    let mut validator = Validator::default();
    let mut protocols = Protocols::new(revision);
    let mut seen = 0;
    for case in cases(revision, 3000).filter(|case| case.kind == MessageKind::Batch) {
        let found = protocols.of(&case).validate_batch(&case.bytes);
        assert_eq!(
            found.is_err(),
            blocks(&mut validator, case.frame()),
            "{case:?}\n{found:?}"
        );
        let Err(found) = found else { continue };
        for problem in found.problems() {
            let index = problem.pointer.split('/').nth(1);
            assert_eq!(
                index,
                problem.index.map(|index| index.to_string()).as_deref()
            );
        }
        let place = case.fault.as_ref().map_or("", |fault| &fault.place);
        if let Some(index) = place.split('/').nth(1) {
            let told = found
                .problems()
                .any(|problem| problem.detail("index") == Some(index));
            assert!(told, "{case:?}\n{found}");
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen}");
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
    assert!(protocol.validate_message(Json::from(None)).is_err());
    let error = protocol.validate_jsonrpc(&deep).expect_err("too deep");
    assert_eq!(error.reason(), Reason::LimitExceeded);
}
