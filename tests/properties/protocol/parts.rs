//! Messages of which only the parts are given.

use mcp_assay::invent::Invented;
use mcp_assay::{Frame, MessageKind, Revision, Validator};
use mcp_assay_contract::protocol::{Answer, FieldType, Id, Json, Protocol, Reason};

use super::{Parts, blocks, parts_of};

/// Parts are judged as the message that they make.
pub(super) fn agree(case: &Invented, validator: &mut Validator, protocol: &mut Protocol) -> bool {
    let Some(Parts { id, method, body }) = parts_of(case) else {
        return false;
    };
    let id = Id::from(id.as_deref().map(Id::json));
    let json = Json::from(body.as_deref().map(Json::from));
    let found = match case.kind {
        MessageKind::Request => protocol.validate_request(&method, json),
        MessageKind::Notification => protocol.validate_notification(&method, json),
        MessageKind::Response => protocol.validate_response(id, Answer::result(json).to(&method)),
        _ => protocol.validate_response(id, Answer::error(json).to(&method)),
    };
    let blocked = blocks(validator, Frame::of_invented(case));
    assert_eq!(found.is_err(), blocked, "{case:?}\n{found:?}");
    true
}

#[test]
fn a_part_brings_no_members_along() {
    let mut protocol = Protocol::new().revision(Revision::V2025_06_18);
    for params in [
        r#"{},"id":2"#,
        r#"{}}{"a":1"#,
        "",
        "{",
        "{} {}",
        "{}//",
        "\u{feff}{}",
    ] {
        let error = protocol.validate_request("ping", params).expect_err(params);
        assert_eq!(error.reason(), Reason::InvalidJson, "{params}");
    }
    let error = protocol.validate_request("ping\",\"id\":2,\"x\":\"", ());
    assert_eq!(error.expect_err("a name").reason(), Reason::UnknownMethod);
}

#[test]
fn nothing_that_a_terminal_would_act_on_is_printed() {
    let mut protocol = Protocol::new().revision(Revision::V2025_06_18);
    let hostile = "\u{1b}[31m\u{7}\u{202e}\n\u{9b}";
    let quoted = serde_json::to_string(hostile).expect("a string");
    let errors = [
        protocol.validate_method_name(hostile),
        protocol.validate_notification_name(hostile),
        protocol.validate_request(hostile, hostile),
        protocol.validate_field_type(hostile, "1", FieldType::String),
        protocol.validate_required_fields("{}", &[hostile]),
        protocol.validate_resource_uri(hostile),
        protocol.validate_request(
            "tools/call",
            format!(r#"{{"name":{quoted},"_meta":{quoted}}}"#),
        ),
        protocol.validate_tool_call(
            "a",
            format!("{{{quoted}:1}}"),
            r#"{"additionalProperties":false}"#,
        ),
        protocol.validate_tool_call("a", (), format!(r#"{{"$ref":{quoted}}}"#)),
    ];
    for error in errors {
        let text = error.expect_err("hostile").to_string();
        assert!(
            !text.chars().any(|c| c.is_control() || c == '\u{202e}'),
            "{text:?}"
        );
    }
    let long = "x".repeat(100_000);
    let error = protocol.validate_method_name(&long).expect_err("long");
    assert!(error.to_string().len() < 200);
}
