//! Tests of messages under definitions that replace the model.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::json_schema::SchemaDefinitions;
use crate::{Direction, Frame, Revision, Session, Validator};

/// A document in the style of the newer official schemas.
fn modern() -> Value {
    let message = |method: &str, params: Value| {
        json!({
            "type": "object",
            "properties": {
                "jsonrpc": {"const": "2.0"}, "id": {"type": ["string", "integer"]},
                "method": {"const": method}, "params": params
            },
            "required": ["jsonrpc", "method"]
        })
    };
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": {
            "CallToolRequest": message("tools/call", json!({
                "type": "object", "required": ["name"],
                "properties": {"name": {"type": "string"}, "arguments": {"type": "object"}, "level": {"maximum": 9}},
                "propertyNames": {"maxLength": 12}
            })),
            "CallToolResult": {"type": "object", "required": ["content"], "properties": {
                "content": {"type": "array", "items": {"anyOf": [{"$ref": "#/$defs/Text"}, {"$ref": "#/$defs/Image"}]}}
            }},
            "CreateTaskResult": {"type": "object", "required": ["task"]},
            "Text": {"type": "object", "required": ["type", "text"], "properties": {"type": {"const": "text"}, "text": {"type": "string"}}},
            "Image": {"type": "object", "required": ["type", "data"], "properties": {"type": {"const": "image"}, "data": {"type": "string"}}},
            "ListToolsRequest": message("tools/list", json!({"type": "object", "additionalProperties": false, "properties": {"cursor": {}}})),
            "ListToolsResultResponse": {"type": "object", "properties": {"result": {"required": ["tools", "unheardOf"]}}},
            "PingRequest": message("ping", json!({"type": "object"})),
            "EmptyResult": {"type": "object", "properties": {"_meta": {"type": "object"}}},
            "CreateMessageRequest": {"properties": {"method": {"const": "sampling/createMessage"}}},
            "ClientRequest": {"anyOf": [
                {"$ref": "#/$defs/CallToolRequest"}, {"$ref": "#/$defs/ListToolsRequest"}, {"$ref": "#/$defs/PingRequest"}
            ]},
            "ClientNotification": message("notifications/cancelled", json!({"required": ["requestId"]})),
            "CancelledNotification": message("notifications/cancelled", json!({"required": ["requestId"]})),
            "JSONRPCResultResponse": {"type": "object", "required": ["result"], "properties": {"extra": false}},
            "JSONRPCErrorResponse": {"type": "object", "required": ["id"]},
            "BusyError": {"properties": {"error": {"allOf": [{}, {
                "properties": {"code": {"const": -32050}, "data": {"required": ["retry"]}}, "required": ["code", "data"]
            }]}}}
        }
    })
}

/// A document in the style of the older official schemas, with separate envelopes.
fn classic() -> Value {
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "definitions": {
            "PingRequest": {"type": "object", "properties": {"method": {"const": "ping"}}, "required": ["method"]},
            "InitializedNotification": {"properties": {"method": {"const": "notifications/initialized"}}},
            "JSONRPCRequest": {"required": ["id"], "properties": {"id": {"type": "integer"}}},
            "JSONRPCNotification": {"properties": {"params": {"maxProperties": 0}}},
            "JSONRPCResponse": {"properties": {"id": {"type": "integer"}}},
            "JSONRPCError": {"properties": {"error": {"properties": {"message": {"minLength": 1}}}}},
            "EmptyResult": {"$ref": "#/definitions/Result"},
            "Result": {"properties": {"_meta": {"type": "object"}}}
        }
    })
}

/// The violations of a message: rule, pointer, bytes and text of each.
fn check(document: &Value, frame: Frame<'_>) -> Vec<String> {
    let definitions =
        SchemaDefinitions::new(document.to_string().as_bytes()).expect("a good document");
    let mut validator = Validator::default();
    validator.replace_definitions(Arc::new(definitions));
    let checked = validator.check(&mut Session::new(), frame);
    let describe = |violation| {
        let violation: &crate::Violation = violation;
        let bytes = &frame.bytes[violation.span.start as usize..violation.span.end as usize];
        let bytes = String::from_utf8_lossy(bytes);
        format!(
            "{} {} {bytes}: {}",
            violation.rule.name,
            checked.pointer(violation),
            checked.message(violation)
        )
    };
    checked.violations().iter().map(describe).collect()
}

fn check_text(document: &Value, text: &str) -> Vec<String> {
    check(document, Frame::new(text.as_bytes()))
}

fn check_answer(document: &Value, method: &str, text: &str) -> Vec<String> {
    check(
        document,
        Frame::new(text.as_bytes())
            .answers(method)
            .revision(Revision::V2025_11_25),
    )
}

#[test]
fn a_call_is_checked_against_the_definition_of_its_method() {
    let call = |params: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#)
    };
    let cases = [
        (r#"{"name":"a"}"#, vec![]),
        (
            r#"{"name":"b","name":"a"}"#,
            vec!["json/unique-keys /params/name \"name\": `name` stands twice in the same object"],
        ),
        (
            "{}",
            vec!["schema/override /params {}: `name` is missing from `params` (`required`)"],
        ),
        (
            r#"{"name":1,"level":10}"#,
            vec![
                "schema/override /params/name 1: `name` is a number, the schema in force expects another type (`type`)",
                "schema/override /params/level 10: `level` is out of range (`maximum`)",
            ],
        ),
        (
            r#"{"name":"a","wwwwwwwwwwwww":0}"#,
            vec![
                r#"schema/override /params {"name":"a","wwwwwwwwwwwww":0}: `params` does not fit the schema in force (`propertyNames`)"#,
            ],
        ),
    ];
    for (params, expected) in cases {
        let mut found = check_text(&modern(), &call(params));
        found.sort_by_key(|line| !line.contains("/params/name"));
        assert_eq!(found, expected, "{params}");
    }
}

#[test]
fn each_member_that_is_not_allowed_is_reported_where_it_stands() {
    let found = check_text(
        &modern(),
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"","more":[1],"x/y":2}}"#,
    );
    assert_eq!(
        found,
        [
            "schema/override /params/more [1]: `more` is not a member that the schema in force allows (`additionalProperties`)",
            "schema/override /params/x~1y 2: `x/y` is not a member that the schema in force allows (`additionalProperties`)",
        ]
    );
}

#[test]
fn a_method_that_the_document_does_not_send_is_unknown() {
    for method in ["tools/fly", "prompts/list", "sampling/createMessage"] {
        let text = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}"}}"#);
        let expected = format!(
            "schema/unknown-method /method \"{method}\": the schema in force has no method `{method}`"
        );
        assert_eq!(check_text(&modern(), &text), [expected]);
    }
}

#[test]
fn the_unions_say_who_sends_what() {
    let ping =
        Frame::new(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).revision(Revision::V2025_11_25);
    assert_eq!(
        check(&modern(), ping.direction(Direction::ClientToServer)),
        [""; 0]
    );
    let found = check(&modern(), ping.direction(Direction::ServerToClient));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].starts_with("request/method-direction /method \"ping\": "),
        "{found:?}"
    );
    let cancelled = Frame::new(
        br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
    );
    assert_eq!(
        check(&modern(), cancelled.direction(Direction::ClientToServer)),
        [""; 0]
    );
}

#[test]
fn an_answer_is_checked_against_the_result_of_its_request() {
    let answer = |result: &str| format!(r#"{{"jsonrpc":"2.0","id":1,"result":{result}}}"#);
    let cases = [
        ("tools/call", r#"{"content":[]}"#, vec![]),
        // The model allows a task as an answer.
        ("tools/call", r#"{"task":{}}"#, vec![]),
        (
            "tools/call",
            "{}",
            vec!["schema/override /result {}: `content` is missing from `result` (`required`)"],
        ),
        (
            "tools/call",
            r#"{"content":[{"type":"text","text":""},{"type":"image","text":""}]}"#,
            vec![
                r#"schema/override /result/content/1 {"type":"image","text":""}: `data` is missing from item 1 of `content` (`required`)"#,
            ],
        ),
        (
            "tools/call",
            r#"{"content":[{"type":"film"}]}"#,
            vec![
                r#"schema/override /result/content/0 {"type":"film"}: item 0 of `content` fits none of the alternatives of the schema in force (`anyOf`)"#,
            ],
        ),
        (
            "tools/list",
            r#"{"tools":[]}"#,
            vec![
                r#"schema/override /result {"tools":[]}: `result` lacks a required member (`required`)"#,
            ],
        ),
        ("ping", "{}", vec![]),
        (
            "ping",
            r#"{"_meta":[]}"#,
            vec![
                "schema/override /result/_meta []: `_meta` is an array, the schema in force expects another type (`type`)",
            ],
        ),
        ("unheard/of", r#"{"anything":1}"#, vec![]),
    ];
    for (method, result, expected) in cases {
        assert_eq!(
            check_answer(&modern(), method, &answer(result)),
            expected,
            "{method} {result}"
        );
    }
    let found = check_answer(
        &modern(),
        "ping",
        r#"{"jsonrpc":"2.0","id":1,"result":{},"extra":1}"#,
    );
    assert_eq!(
        found,
        ["schema/override /extra 1: `extra` does not fit the schema in force (`false`)"]
    );
}

#[test]
fn an_error_is_checked_against_the_definition_of_its_code() {
    let busy = |data: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":-32050,"message":"busy"{data}}}}}"#)
    };
    assert_eq!(
        check_answer(&modern(), "ping", &busy(r#","data":{"retry":1}"#)),
        [""; 0]
    );
    let found = check_answer(&modern(), "ping", &busy(""));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].starts_with("schema/override /error {") && found[0].contains("`data` is missing"),
        "{found:?}"
    );
    let other = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32051,"message":""}}"#;
    assert_eq!(check_answer(&modern(), "ping", other), [""; 0]);
    let found = check_answer(&classic(), "ping", other);
    assert_eq!(
        found,
        ["schema/override /error/message \"\": `message` is too long or too short (`minLength`)"]
    );
}

#[test]
fn an_envelope_that_stands_apart_is_checked_too() {
    let classic = classic();
    assert_eq!(
        check_text(&classic, r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#),
        [""; 0]
    );
    let found = check_text(&classic, r#"{"jsonrpc":"2.0","id":"a","method":"ping"}"#);
    assert_eq!(
        found,
        [
            "schema/override /id \"a\": `id` is a string, the schema in force expects another type (`type`)"
        ]
    );
    let found = check_text(
        &classic,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized","params":{"a":1}}"#,
    );
    assert_eq!(
        found,
        [
            r#"schema/override /params {"a":1}: `params` has too many or too few members (`maxProperties`)"#
        ]
    );
    let found = check_answer(
        &classic,
        "ping",
        r#"{"jsonrpc":"2.0","id":"a","result":{"_meta":{}}}"#,
    );
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn hostile_messages_are_reported_in_bounded_space() {
    let items = vec!["1"; 300_000].join(",");
    let large = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"content":[{items}]}}}}"#);
    assert_eq!(check_answer(&modern(), "tools/call", &large).len(), 1);
    let items = vec!["1"; 1000].join(",");
    let medium = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"content":[{items}]}}}}"#);
    assert_eq!(check_answer(&modern(), "tools/call", &medium).len(), 100);
}

#[test]
fn threads_share_what_one_of_them_compiled() {
    let definitions =
        Arc::new(SchemaDefinitions::new(modern().to_string().as_bytes()).expect("a good document"));
    let verdicts: Vec<_> = std::thread::scope(|scope| {
        let check = || {
            let mut validator = Validator::default();
            validator.replace_definitions(Arc::clone(&definitions) as Arc<_>);
            let message = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#;
            validator
                .first_violation(&Session::new(), message)
                .map(|violation| violation.rule.name)
        };
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(check)).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().expect("no panic"))
            .collect()
    });
    assert_eq!(verdicts, [Some("schema/override"); 4]);
    assert_eq!(definitions.compiled_definitions(), 1);
}
