//! Messages of which only the parts are given.

use mcp_assay::protocol::{Answer, Json, Protocol, Reason};
use mcp_assay::{MessageKind, Revision, Validator};
use mcp_assay_tests::cases;

use super::{Protocols, blocks, parts};

#[test]
fn parts_are_judged_as_the_message_they_make() {
    for revision in Revision::ALL {
        let mut validator = Validator::default();
        let mut protocols = Protocols::new(revision);
        let mut seen = [0; 4];
        for case in cases(revision, 2000) {
            let Some((method, body)) = parts(&case) else {
                continue;
            };
            let json = || Json::from(body.as_deref().map(Json::from));
            let protocol = protocols.of(&case);
            let found = match case.kind {
                MessageKind::Request => protocol.validate_request(&method, json()),
                MessageKind::Notification => protocol.validate_notification(&method, json()),
                MessageKind::Response => {
                    protocol.validate_response(1, Answer::result(json()).to(&method))
                }
                _ => protocol.validate_response(1, Answer::error(json()).to(&method)),
            };
            let blocked = blocks(&mut validator, case.frame());
            assert_eq!(found.is_err(), blocked, "{case:?}\n{found:?}");
            seen[case.kind as usize] += 1;
        }
        assert!(seen.iter().all(|seen| *seen > 50), "{revision} {seen:?}");
    }
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
    let error = protocol.validate_request("ping\",\"id\":2,\"x\":\"", None);
    assert_eq!(error.expect_err("a name").reason(), Reason::UnknownMethod);
}

#[test]
fn nothing_that_a_terminal_would_act_on_is_printed() {
    let mut protocol = Protocol::new().revision(Revision::V2025_06_18);
    let hostile = "\u{1b}[31m\u{7}\u{202e}\n\u{9b}";
    let mut quoted = serde_json::to_string(hostile).expect("a string");
    let errors = [
        protocol.validate_method_name(hostile),
        protocol.validate_notification_name(hostile),
        protocol.validate_request(hostile, hostile),
        protocol.validate_field_type(hostile, "1", mcp_assay::protocol::FieldType::String),
        protocol.validate_required_fields("{}", &[hostile]),
        protocol.validate_resource_uri(hostile),
        protocol.validate_request(
            "tools/call",
            &format!(r#"{{"name":{quoted},"_meta":{quoted}}}"#),
        ),
        protocol.validate_tool_call(
            "a",
            &format!("{{{quoted}:1}}"),
            r#"{"additionalProperties":false}"#,
        ),
        protocol.validate_tool_call("a", None, &format!(r#"{{"$ref":{quoted}}}"#)),
    ];
    quoted.insert(0, 'x');
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
