//! Messages that are built.

use mcp_assay::invent::Invented;
use mcp_assay::{Frame, MessageKind, Revision, Validator};
use mcp_assay_contract::build::{self, Object};
use mcp_assay_contract::protocol::{Id, Json, Protocol, Reason};
use mcp_assay_testkit::Random;

use super::{Parts, blocks, parts_of};

/// Builders accept exactly the valid input, and a built message passes and is one line.
pub(super) fn agree(case: &Invented, validator: &mut Validator, protocol: &mut Protocol) -> bool {
    // Errors are built from their code and message.
    let Some(parts) = parts_of(case).filter(|_| case.kind != MessageKind::Error) else {
        return false;
    };
    let Parts { id, method, body } = parts;
    let id = Id::from(id.as_deref().map(Id::json));
    let json = Json::from(body.as_deref().map(Json::from));
    let draft = match case.kind {
        MessageKind::Request => build::request("a\"1", &method, json),
        MessageKind::Notification => build::notification(&method, json),
        _ => build::response(id, &method, json),
    };
    let built = draft.build_with(protocol);
    let blocked = blocks(validator, Frame::of_invented(case));
    assert_eq!(built.is_err(), blocked, "{case:?}\n{built:?}");
    let Ok(text) = built else { return false };
    let mut frame = Frame::of_invented(case);
    frame.bytes = text.as_bytes();
    assert!(!blocks(validator, frame), "{text}");
    assert!(!text.contains(['\n', '\r']), "{text}");
    true
}

#[test]
fn errors_are_built_if_their_code_may_be_sent() {
    let mut random = Random::new(7);
    let mut validator = Validator::default();
    for revision in Revision::ALL {
        let mut protocol = Protocol::new().revision(revision);
        let mut built = 0;
        for _ in 0..2000 {
            let code = i64::try_from(random.below(3000)).expect("small") - 33_500;
            let message: String = (0..random.below(6))
                .filter_map(|_| char::from_u32(random.below(0x300) as u32))
                .collect();
            let data = Object::new().text(&message, &message).boolean("late", true);
            let id = random.below(1000).to_string();
            let draft = build::error(&id, code, &message, data);
            let Ok(text) = draft.build_with(&mut protocol) else {
                continue;
            };
            built += 1;
            let frame = Frame::new(text.as_bytes()).revision(revision);
            assert!(!blocks(&mut validator, frame), "{text}");
            let read: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            assert_eq!(read["error"]["message"], message.as_str());
            assert_eq!(read["error"]["code"], code);
            assert_eq!(read["id"], id.as_str());
        }
        assert!(built > 100, "{revision} {built}");
    }
}

#[test]
fn what_is_invalid_is_not_built() {
    let mut protocol = Protocol::new().revision(Revision::V2025_06_18);
    for (draft, reason) in [
        (
            build::request(Id::json("null"), "ping", ()),
            Reason::InvalidId,
        ),
        (
            build::request(Id::json("1.5"), "ping", ()),
            Reason::InvalidId,
        ),
        (build::request(None, "ping", ()), Reason::MissingId),
        (
            build::request(1, "notifications/initialized", ()),
            Reason::UnexpectedId,
        ),
        (build::notification("tools/list", ()), Reason::MissingId),
        (build::request(1, "ping", "[]"), Reason::InvalidParams),
        (
            build::request(1, "ping", "{},\"id\":2"),
            Reason::InvalidJson,
        ),
        (
            build::request(1, "ping", Object::new().json("a", "1,\"b\":2")),
            Reason::InvalidJson,
        ),
        (build::response(1, "ping", ()), Reason::MissingMethod),
        (build::response(None, "ping", "{}"), Reason::MissingId),
        (build::error(1, -32500, "", ()), Reason::InvalidErrorCode),
        (build::error(None, -32603, "", ()), Reason::MissingId),
    ] {
        let error = draft.build_with(&mut protocol).expect_err("invalid");
        assert_eq!(error.reason(), reason, "{draft:?}");
    }
}

#[test]
fn only_the_revision_with_batches_builds_them() {
    for revision in Revision::ALL {
        let mut protocol = Protocol::new().revision(revision);
        let pings = build::batch([build::request(1, "ping", ()), build::request(2, "ping", ())]);
        let built = pings.build_with(&mut protocol);
        assert_eq!(
            built.is_ok(),
            revision == Revision::V2025_03_26,
            "{revision}"
        );
    }
    let mut protocol = Protocol::new().revision(Revision::V2025_03_26);
    let answers = |second| {
        build::batch([
            build::response(1, "ping", "{}"),
            build::response(2, "tools/list", second),
        ])
    };
    assert!(answers(r#"{"tools":[]}"#).build_with(&mut protocol).is_ok());
    let error = answers("{}")
        .build_with(&mut protocol)
        .expect_err("no tools");
    assert_eq!(error.first().index, Some(1));
    let mixed = build::batch([
        build::request(1, "ping", ()),
        build::response(1, "ping", "{}"),
    ]);
    let error = mixed.build_with(&mut protocol).expect_err("mixed");
    assert_eq!(error.reason(), Reason::MixedBatch);
    let error = build::batch([])
        .build_with(&mut protocol)
        .expect_err("empty");
    assert_eq!(error.reason(), Reason::EmptyBatch);
}
