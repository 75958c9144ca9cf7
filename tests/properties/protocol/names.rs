//! Names, codes and definitions against the tables of the model.

use mcp_assay::model::{METHODS, MethodKind};
use mcp_assay::{Revision, rules};
use mcp_assay_contract::check_definition_in;
use mcp_assay_contract::protocol::{FieldType, Fields, Protocol, Reason};

#[test]
fn a_name_is_known_if_the_model_has_it_in_the_revision() {
    for revision in Revision::ALL {
        let mut protocol = Protocol::new().revision(revision);
        for method in METHODS {
            let kind = method.forms[revision.index()].map(|form| form.kind);
            let request = protocol.validate_method_name(method.name);
            assert_eq!(
                request.is_ok(),
                kind == Some(MethodKind::Request),
                "{} {request:?}",
                method.name
            );
            let notification = protocol.validate_notification_name(method.name);
            let expected = kind == Some(MethodKind::Notification);
            assert_eq!(
                notification.is_ok(),
                expected,
                "{} {notification:?}",
                method.name
            );
        }
    }
}

#[test]
fn a_code_is_refused_where_the_specification_keeps_it() {
    for revision in Revision::ALL {
        let mut protocol = Protocol::new().revision(revision);
        let modern = revision == Revision::V2026_07_28;
        for code in (-32_800..=-31_900).chain([i64::MIN, -1, 0, 1, 1001, i64::MAX]) {
            let standard = matches!(code, -32_700 | -32_603..=-32_600);
            let reserved = (-32_768..=-32_100).contains(&code) && !standard;
            let kept = (-32_099..=-32_020).contains(&code) && !(-32_022..=-32_020).contains(&code);
            let refused = reserved || modern && (kept || code == -32_002);
            let found = protocol.validate_error_code(code);
            assert_eq!(found.is_err(), refused, "{revision} {code} {found:?}");
            if let Err(error) = found {
                assert_eq!(error.reason(), Reason::InvalidErrorCode);
                assert_eq!(error.details()[0], ("code", code.to_string()));
            }
        }
    }
}

#[test]
fn a_definition_says_what_the_model_says() {
    let values = [
        "{}",
        "[]",
        r#"{"type":"text","text":"a"}"#,
        r#"{"type":"text"}"#,
        r#"{"name":"a","inputSchema":{"type":"object"}}"#,
        r#"{"name":1}"#,
        r#""info""#,
    ];
    for revision in Revision::ALL {
        let mut protocol = Protocol::new().revision(revision);
        for name in [
            "ContentBlock",
            "Tool",
            "TextContent",
            "LoggingLevel",
            "Nothing",
        ] {
            for value in values {
                let known = check_definition_in(name, revision, value.as_bytes()).expect("JSON");
                let found = protocol.validate_field_type("f", value, FieldType::Definition(name));
                match known {
                    Some(violations) => assert_eq!(found.is_ok(), violations.is_empty()),
                    None => {
                        let error = found.expect_err("unknown");
                        assert_eq!(error.reason(), Reason::UnknownDefinition);
                    }
                }
            }
        }
        let error = protocol.validate_required_fields("{}", Fields::Of("Tool"));
        let error = error.expect_err("a tool has a name").to_string();
        assert_eq!(error, "missing_required_fields: fields=name,inputSchema");
        let nested = r#"{"name":"a","inputSchema":{}}"#;
        assert!(
            protocol
                .validate_required_fields(nested, Fields::Of("Tool"))
                .is_ok()
        );
    }
}

#[test]
fn types_are_told_apart() {
    let mut protocol = Protocol::new();
    let types = [
        (FieldType::String, r#""a""#),
        (FieldType::Integer, "-7"),
        (FieldType::Number, "0.5"),
        (FieldType::Boolean, "true"),
        (FieldType::Object, "{}"),
        (FieldType::Array, "[]"),
        (FieldType::Null, "null"),
    ];
    let (string_or_integer, none) = ([FieldType::String, FieldType::Integer], []);
    for (_, value) in types {
        let found = protocol.validate_field_type("f", value, &string_or_integer);
        assert_eq!(found.is_ok(), [r#""a""#, "-7"].contains(&value), "{value}");
        assert!(
            protocol
                .validate_field_type("f", value, FieldType::Any)
                .is_ok()
        );
        let found = protocol.validate_field_type("f", value, FieldType::OneOf(&none));
        assert_eq!(found.expect_err(value).reason(), Reason::TypeMismatch);
    }
    for (expected, _) in types {
        for (other, value) in types {
            let fits =
                expected == other || (expected, other) == (FieldType::Number, FieldType::Integer);
            let found = protocol.validate_field_type("f", value, expected);
            assert_eq!(found.is_ok(), fits, "{expected:?} {value}");
            if let Err(error) = found {
                assert_eq!(error.reason(), Reason::TypeMismatch);
                let names: Vec<_> = error.details().iter().map(|(name, _)| *name).collect();
                assert_eq!(names, ["field", "expected", "found"]);
            }
        }
    }
}

/// Problems that the functions find by themselves name rules that have a page.
#[test]
fn problems_name_rules_that_exist() {
    let mut protocol = Protocol::new();
    let uri = protocol.validate_resource_uri("x").expect_err("no URI");
    let call = protocol.validate_tool_call("a", r#"{"b":1}"#, r#"{"maxProperties":0}"#);
    for error in [uri, call.expect_err("too many")] {
        let name = error.first().rule.expect("a rule");
        assert!(rules::find(name).is_some(), "{name}");
    }
}
