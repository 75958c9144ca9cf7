//! Calls of tools.

use mcp_assay::{Direction, Frame, Revision, Session, Validator, Verdict};
use mcp_assay_contract::protocol::{Protocol, Reason};

/// As if the server had listed the tool and the client called it.
#[test]
fn a_call_is_judged_as_in_a_session() {
    let schemas = [
        r#"{"type":"object"}"#,
        r#"{"type":"object","properties":{"a":{"type":"number"}},"required":["a"]}"#,
        r#"{"type":"object","additionalProperties":false}"#,
        r#"{"type":"object","properties":{"a":{"enum":["x",{"y":[1]}]}}}"#,
        r#"{"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}]}"#,
        r#"{"type":"object","properties":{"a":{"items":[{"type":"string"}]}}}"#,
    ];
    let arguments = [
        None,
        Some("{}"),
        Some(r#"{"a":1}"#),
        Some(r#"{"a":"x"}"#),
        Some("{\n\"a\": {\"y\": [1]}\n}"),
        Some(r#"{"a":-1,"b":null}"#),
    ];
    let mut seen = [0, 0];
    for revision in [
        Revision::V2024_11_05,
        Revision::V2025_03_26,
        Revision::V2025_06_18,
    ] {
        for schema in schemas {
            for arguments in arguments {
                let blocked = in_session(revision, schema, arguments);
                let mut protocol = Protocol::new().revision(revision);
                let found = protocol.validate_tool_call("add", arguments, schema);
                assert_eq!(found.is_err(), blocked, "{schema} {arguments:?} {found:?}");
                seen[usize::from(blocked)] += 1;
            }
        }
    }
    assert!(seen.iter().all(|seen| *seen > 20), "{seen:?}");
}

fn in_session(revision: Revision, schema: &str, arguments: Option<&str>) -> bool {
    let (mut validator, mut session) = (Validator::default(), Session::new());
    let arguments = arguments.map_or(String::new(), |it| format!(r#","arguments":{it}"#));
    let messages = [
        (
            Direction::ClientToServer,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#.to_owned(),
        ),
        (
            Direction::ServerToClient,
            format!(
                r#"{{"jsonrpc":"2.0","id":1,"result":{{"tools":[{{"name":"add","inputSchema":{schema}}}]}}}}"#
            ),
        ),
        (
            Direction::ClientToServer,
            format!(
                r#"{{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{{"name":"add"{arguments}}}}}"#
            ),
        ),
    ];
    let mut verdict = Verdict::Pass;
    for (direction, message) in &messages {
        let frame = Frame::new(message.as_bytes())
            .direction(*direction)
            .revision(revision);
        let checked = validator.check(&mut session, frame);
        verdict = checked.verdict();
    }
    verdict == Verdict::Block
}

#[test]
fn a_schema_that_cannot_be_used_is_told() {
    let mut protocol = Protocol::new();
    for schema in [
        r#"{"type":"objekt"}"#,
        r#"{"$ref":"https://example.com/other.json"}"#,
        r##"{"$ref":"#/missing"}"##,
        r#"{"pattern":"("}"#,
        "7",
    ] {
        let error = protocol
            .validate_tool_call("add", "{}", schema)
            .expect_err(schema);
        assert_eq!(error.reason(), Reason::InvalidSchema, "{schema}");
    }
    let error = protocol
        .validate_tool_call("add", "{}", "{")
        .expect_err("no JSON");
    assert_eq!(error.reason(), Reason::InvalidJson);
    // The sender's own data is asked for since 2026-07-28, but not here.
    assert!(protocol.validate_tool_call("add", "{}", ()).is_ok());
}
