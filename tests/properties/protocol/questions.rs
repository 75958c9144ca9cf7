//! Single questions, as callers write them.

use mcp_assay::{Frame, Policy, Revision, Session, Validator, Verdict};
use mcp_assay_contract::protocol::{
    FieldType, Problem, Protocol, Reason, ValidationError, validate_batch, validate_field_type,
    validate_jsonrpc, validate_message, validate_method_name, validate_notification_name,
    validate_request, validate_tool_call,
};
use mcp_assay_testkit::cases;

/// Where nothing names a revision, the functions assume what the validator of the program assumes.
#[test]
fn functions_and_program_assume_the_same_revision() {
    assert_eq!(Protocol::new().revision_in_force().name(), "2025-11-25");
    assert!(validate_request("ping", ()).is_ok());
    assert!(validate_request("tools/call", r#"{"name":"add"}"#).is_ok());
    assert!(validate_notification_name("notifications/initialized").is_ok());
    let (mut validator, mut protocol) = (Validator::default(), Protocol::new());
    let mut seen = [0, 0];
    for revision in Revision::ALL {
        for case in cases(revision, 100) {
            let frame = Frame::new(&case.bytes);
            let blocked = validator.check(&mut Session::new(), frame).verdict() == Verdict::Block;
            let found = protocol.validate_message(&case.bytes);
            assert_eq!(found.is_err(), blocked, "{case:?}\n{found:?}");
            seen[usize::from(blocked)] += 1;
        }
    }
    assert!(seen.iter().all(|seen| *seen > 100), "{seen:?}");
}

#[test]
fn a_field_may_be_of_several_types_or_of_any() {
    let id: &[FieldType<'_>] = &[FieldType::String, FieldType::Integer];
    for value in [r#""a""#, "7"] {
        assert!(validate_field_type("id", value, id).is_ok(), "{value}");
    }
    for value in ["null", "1.5", "true", "[]", "{}"] {
        let error = validate_field_type("id", value, id).expect_err(value);
        assert_eq!(error.reason(), Reason::TypeMismatch);
        assert_eq!(
            error.first().detail("expected"),
            Some("a string or an integer")
        );
        assert!(validate_field_type("id", value, FieldType::Any).is_ok());
    }
    let block = &[FieldType::Null, FieldType::Definition("ContentBlock")];
    assert!(validate_field_type("block", r#"{"type":"text","text":"a"}"#, block).is_ok());
    assert!(validate_field_type("block", r#"{"type":"text"}"#, block).is_err());
    let unknown = &[FieldType::Null, FieldType::Definition("Nothing")];
    let error = validate_field_type("block", "null", unknown).expect_err("unknown");
    assert_eq!(error.reason(), Reason::UnknownDefinition);
    assert!(validate_field_type("any", "{", FieldType::Any).is_err());
}

#[test]
fn a_call_needs_a_name_and_an_object() {
    let error = validate_tool_call("", "{}", ()).expect_err("no name");
    assert_eq!(error.reason().as_str(), "invalid_tool_name");
    for arguments in ["[1]", "7", "null", r#""a""#, "true"] {
        let error = validate_tool_call("add", arguments, ()).expect_err(arguments);
        assert_eq!(error.reason().as_str(), "invalid_arguments", "{arguments}");
        let schema = r#"{"type":"object"}"#;
        let error = validate_tool_call("add", arguments, schema).expect_err(arguments);
        assert_eq!(error.reason().as_str(), "invalid_arguments", "{arguments}");
    }
    let error = validate_tool_call("", "[]", ()).expect_err("both");
    let reasons: Vec<_> = error.problems().map(|it| it.reason.as_str()).collect();
    assert_eq!(reasons, ["invalid_tool_name", "invalid_arguments"]);
    assert!(validate_tool_call("add", "{}", ()).is_ok());
    assert!(validate_tool_call("add", (), ()).is_ok());
}

#[test]
fn a_jsonrpc_message_is_checked_up_to_its_method() {
    let unknown = validate_jsonrpc(r#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#);
    assert_eq!(
        unknown.expect_err("unknown").reason(),
        Reason::UnknownMethod
    );
    let unknown = validate_jsonrpc(r#"{"jsonrpc":"2.0","method":"notifications/no"}"#);
    let unknown = unknown.expect_err("unknown");
    assert_eq!(unknown.reason(), Reason::UnknownNotification);
    let lacking = validate_jsonrpc(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#);
    let lacking = lacking.expect_err("no name");
    assert_eq!(lacking.reason(), Reason::MissingRequiredFields);
    assert!(validate_jsonrpc(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).is_ok());
    assert!(validate_jsonrpc(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#).is_ok());
}

#[test]
fn elements_of_a_batch_say_what_is_wrong_with_them() {
    for revision in [None].into_iter().chain(Revision::ALL.map(Some)) {
        let mut protocol = match revision {
            None => Protocol::new(),
            Some(revision) => Protocol::new().revision(revision),
        };
        for found in [
            protocol.validate_jsonrpc("[1]"),
            protocol.validate_message("[1]"),
            protocol.validate_batch("[1]"),
        ] {
            let error = found.expect_err("a number");
            let element = error.problems().find(|problem| problem.index == Some(0));
            let element = element.expect("the element");
            assert_eq!(element.reason, Reason::NotMap);
            assert_eq!(element.detail("found"), Some("a number"));
            assert_eq!(element.pointer, "/0");
        }
    }
    let good = r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#;
    assert!(validate_batch(good).is_ok() && validate_message(good).is_ok());
}

#[test]
fn callers_make_errors_of_their_own() {
    let error = ValidationError::of_rule("house/quota", "too many calls\u{1b}[31m");
    assert_eq!(error.reason(), Reason::RuleViolated);
    assert_eq!(error.first().rule, Some("house/quota"));
    assert!(!error.to_string().contains('\u{1b}'), "{error}");
    let problems = [
        Problem::new(Reason::OutOfRange, "too late")
            .at("/params/at")
            .with("limit", "9"),
        Problem::new(Reason::RuleViolated, "no")
            .by("house/no")
            .within(2),
    ];
    let error = ValidationError::check(problems).expect_err("two");
    assert_eq!(
        error.to_string(),
        "out_of_range: limit=9; rule_violated: index=2"
    );
    assert_eq!(
        error.problems().nth(1).map(|it| it.pointer.as_str()),
        Some("/2")
    );
    assert!(ValidationError::check([]).is_ok());
}

#[test]
fn json_may_be_text_bytes_or_a_value_and_optional() {
    let text = r#"{"name":"add"}"#;
    let value: serde_json::Value = serde_json::from_str(text).expect("JSON");
    assert!(validate_request("tools/call", Some(text)).is_ok());
    assert!(validate_request("tools/call", Some(text.as_bytes())).is_ok());
    assert!(validate_request("tools/call", Some(text.as_bytes().to_vec())).is_ok());
    assert!(validate_request("tools/call", Some(b"{\"name\":\"add\"}")).is_ok());
    assert!(validate_request("tools/call", Some(&value)).is_ok());
    assert!(validate_request("tools/call", Some(value.clone())).is_ok());
    assert!(validate_request("tools/call", value).is_ok());
    assert!(validate_request("tools/call", text.to_owned()).is_ok());
    assert!(validate_request("tools/call", None::<serde_json::Value>).is_err());
    assert!(validate_request("ping", None::<&str>).is_ok());
}

#[test]
fn the_types_people_print_can_be_printed() {
    let policy = Policy::profile("erlmcp").expect("a profile");
    let mut validator = Validator::new(policy);
    assert!(format!("{validator:?}").contains("erlmcp"));
    let message = br#"{"jsonrpc":"2.0","id":1,"method":"secret","params":{"password":"x1y2"}}"#;
    let checked = validator.check(&mut Session::new(), message);
    let shown = format!("{checked:?}");
    assert!(shown.contains("schema/unknown-method"), "{shown}");
    assert!(!shown.contains("x1y2"), "{shown}");
}

#[test]
fn dialects_answer_in_the_functions_too() {
    let of = |name: &str| Protocol::new().policy(Policy::profile(name).expect("a profile"));
    let (mut erlmcp, mut base) = (of("erlmcp"), of("base-stack"));
    for code in [-32_700, -32_699, -32_500, -32_000, 1001, 1089] {
        assert!(erlmcp.validate_error_code(code).is_ok(), "{code}");
    }
    for code in [-32_701, -31_999, 0, 1000, 1090] {
        assert!(erlmcp.validate_error_code(code).is_err(), "{code}");
    }
    let null = r#"{"jsonrpc":"2.0","id":null,"method":"ping","params":[]}"#;
    assert!(erlmcp.validate_jsonrpc(null).is_ok());
    assert!(validate_jsonrpc(null).is_err());
    for uri in [
        "resource://provider",
        "resource://provider/",
        "resource://p/a/b",
    ] {
        assert!(base.validate_resource_uri(uri).is_ok(), "{uri}");
    }
    for uri in [
        "resource://",
        "resource:///a",
        "file:///a",
        "resource:provider",
    ] {
        assert!(base.validate_resource_uri(uri).is_err(), "{uri}");
    }
    let empty = base.validate_jsonrpc(r#"{"jsonrpc":"2.0","id":1,"method":""}"#);
    let empty = empty.expect_err("no name");
    assert_eq!(
        (empty.reason(), empty.problems().count()),
        (Reason::InvalidMethod, 1)
    );
    let plain = validate_method_name("").expect_err("no name");
    assert_eq!(plain.reason(), Reason::UnknownMethod);
    for result in ["7", "null", "[]", r#""x""#, "true"] {
        let message = format!(r#"{{"jsonrpc":"2.0","id":1.5,"result":{result}}}"#);
        assert!(base.validate_message(&message).is_ok(), "{message}");
        assert!(erlmcp.validate_message(&message).is_err(), "{message}");
    }
    let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},7,{"jsonrpc":"2.0","id":2,"method":"bad"},{"jsonrpc":"2.0","id":3,"method":""}]"#;
    for revision in [
        Revision::V2024_11_05,
        Revision::V2025_03_26,
        Revision::V2025_06_18,
        Revision::V2025_11_25,
    ] {
        let mut base = of("base-stack").revision(revision);
        let error = base.validate_batch(batch).expect_err("three faults");
        let found: Vec<_> = error.problems().map(|it| (it.index, it.reason)).collect();
        let expected = [
            (Some(1), Reason::NotMap),
            (Some(2), Reason::UnknownMethod),
            (Some(3), Reason::InvalidMethod),
        ];
        assert_eq!(found, expected, "{revision}");
    }
}
