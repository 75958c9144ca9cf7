//! Questions as they come on standard input, and their answers.

use serde_json::{Value, json};

use super::*;

/// The answers to lines.
fn answers(lines: &str) -> Vec<Value> {
    let mut output = Vec::new();
    let mut server = Server::new(Policy::default(), None);
    server.serve(&mut lines.as_bytes(), &mut output).unwrap();
    let text = String::from_utf8(output).unwrap();
    assert!(text.is_empty() || text.ends_with('\n'));
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The result of one question.
fn ask(question: &Value) -> Value {
    let mut answers = answers(&question.to_string());
    assert_eq!(answers.len(), 1);
    let mut answer = answers.remove(0);
    assert_eq!(answer["ok"], json!(true), "{question} {answer}");
    answer["result"].take()
}

/// The message about a bad question.
fn complaint(question: &str) -> String {
    let answers = answers(question);
    assert_eq!(answers[0]["ok"], json!(false), "{question}");
    assert_eq!(answers[0]["error"]["kind"], "bad_question");
    answers[0]["error"]["message"].as_str().unwrap().to_owned()
}

#[test]
fn every_line_has_an_answer_with_its_id_and_blank_ones_have_none() {
    let lines = "\n  \n{\"id\":\"a\",\"command\":\"validate_request\",\"method\":\"ping\"}\r\n\t\n\
        {\"id\":{\"n\":1.50},\"command\":\"validate_request\",\"method\":\"bad\"}\n\
        nonsense\n[1]\n{\"id\":4}\n{\"command\":\"validate_method_name\",\"method\":\"ping\"}";
    let found = answers(lines);
    let ids: Vec<_> = found
        .iter()
        .map(|answer| answer["id"].to_string())
        .collect();
    assert_eq!(ids, ["\"a\"", r#"{"n":1.5}"#, "null", "null", "4", "null"]);
    let ok: Vec<_> = found.iter().map(|answer| answer["ok"] == true).collect();
    assert_eq!(ok, [true, true, false, false, false, true]);
    assert_eq!(found[1]["result"]["text"], "unknown_method: method=bad");
}

#[test]
fn bad_questions_are_explained_and_end_nothing() {
    for (question, says) in [
        ("{", "not JSON at byte 1"),
        ("[]", "a question is an object"),
        ("{\"id\":1}", "`command` is missing"),
        ("{\"command\":7}", "`command` is not a string"),
        (
            "{\"command\":\"validate_requst\"}",
            "unknown command `validate_requst`; did you mean `validate_request`?",
        ),
        (
            "{\"command\":\"validate_request\"}",
            "validate_request: `method` is missing",
        ),
        (
            "{\"command\":\"validate_request\",\"method\":\"ping\",\"param\":{}}",
            "unknown member `param`; did you mean `params`?",
        ),
        (
            "{\"command\":\"validate_request\",\"method\":\"ping\",\"revision\":\"2025-06-17\"}",
            "validate_request: unknown revision `2025-06-17`; did you mean `2025-06-18`?",
        ),
        (
            "{\"command\":\"validate_request\",\"method\":\"ping\",\"profile\":\"/etc/passwd\"}",
            "validate_request: unknown profile `/etc/passwd`",
        ),
        (
            "{\"command\":\"validate_error_code\",\"code\":\"1\"}",
            "validate_error_code: `code` is not an integer of 64 bits",
        ),
        (
            "{\"command\":\"check\",\"session\":9,\"message\":{}}",
            "check: no session 9 is open",
        ),
        (
            "{\"command\":\"validate_jsonrpc\",\"message\":{},\"text\":\"{}\"}",
            "validate_jsonrpc: either `message` or `text`, not both",
        ),
        (
            "{\"command\":\"validate_field_type\",\"field\":\"a\",\"value\":1,\"type\":\"strng\"}",
            "validate_field_type: unknown type `strng`; did you mean `string`?",
        ),
    ] {
        let said = complaint(question);
        assert!(said.starts_with(says), "{question}\n{said}");
    }
    let long = format!("{{\"id\":\"{}\"}}\n", "x".repeat(17 << 20));
    let found = answers(&format!(
        "{long}{}",
        r#"{"id":2,"command":"canonical.list"}"#
    ));
    assert_eq!(
        (&found[0]["ok"], &found[1]["ok"]),
        (&json!(false), &json!(true))
    );
}

#[test]
fn functions_about_messages_answer() {
    answer_in_words([
        (
            json!({"command": "validate_jsonrpc", "message": {"jsonrpc": "2.0", "id": 1, "method": "no/such"}}),
            "unknown_method: method=no/such",
        ),
        (
            json!({"command": "protocol.validate_jsonrpc", "text": "[1]"}),
            "not_map: index=0, expected=an object, found=a number",
        ),
        (
            json!({"command": "validate_jsonrpc", "text": "{"}),
            "invalid_json: ",
        ),
        (
            json!({"command": "validate_message", "message": {"jsonrpc": "2.0", "id": null, "method": "ping"}}),
            "invalid_id: ",
        ),
        (
            json!({"command": "validate_message", "profile": "erlmcp", "message": {"jsonrpc": "2.0", "id": null, "method": "ping"}}),
            "",
        ),
        (
            json!({"command": "validate_batch", "batch": [{"jsonrpc": "2.0", "id": 1, "method": "bad"}]}),
            "unknown_method: index=0, method=bad",
        ),
        (
            json!({"command": "validate_batch", "revision": "2025-06-18", "batch": []}),
            "batch_unsupported: ",
        ),
        (json!({"command": "validate_request", "method": "ping"}), ""),
        (
            json!({"command": "validate_request", "method": "tools/list", "direction": "s2c"}),
            "wrong_direction: ",
        ),
        (
            json!({"command": "validate_notification", "method": "notifications/progress", "params": {"progressToken": 1, "progress": 1}}),
            "",
        ),
        (
            json!({"command": "validate_response", "response_id": 1, "result": {}, "method": "tools/list"}),
            "missing_required_fields: fields=tools, at=/result",
        ),
        (
            json!({"command": "validate_response", "result": {}}),
            "missing_id",
        ),
        (
            json!({"command": "validate_response", "response_id": 1, "error": {"code": -32500, "message": ""}}),
            "invalid_error_code: code=-32500",
        ),
        (
            json!({"command": "validate_error_code", "code": -32500, "profile": "erlmcp"}),
            "",
        ),
    ]);
}

#[test]
fn functions_about_parts_answer() {
    answer_in_words([
        (
            json!({"command": "validate_method_name", "method": "bad"}),
            "unknown_method: method=bad",
        ),
        (
            json!({"command": "validate_notification_name", "method": "bad"}),
            "unknown_notification: method=bad",
        ),
        (
            json!({"command": "validate_field_type", "field": "id", "value": null, "type": ["string", "integer"]}),
            "type_mismatch: field=id, expected=a string or an integer, found=null",
        ),
        (
            json!({"command": "validate_field_type", "field": "id", "value": [1], "type": "any"}),
            "",
        ),
        (
            json!({"command": "validate_field_type", "field": "t", "value": {}, "type": {"definition": "Tool"}}),
            "missing_required_fields: ",
        ),
        (
            json!({"command": "validate_required_fields", "object": {"a": 1}, "required": ["a", "b"]}),
            "missing_required_fields: fields=b",
        ),
        (
            json!({"command": "validate_required_fields", "object": {}, "required": {"definition": "Tool"}}),
            "missing_required_fields: fields=name,inputSchema",
        ),
        (
            json!({"command": "validate_resource_uri", "uri": "x"}),
            "invalid_uri: ",
        ),
        (
            json!({"command": "validate_tool_call", "name": ""}),
            "invalid_tool_name: field=/params/name",
        ),
        (
            json!({"command": "validate_tool_call", "name": "add", "arguments": {}, "input_schema": {"required": ["a"]}}),
            "invalid_arguments: field=/params/arguments, keyword=required, missing=a",
        ),
    ]);
}

/// Asks each question; the answer begins with a text, or is that all is well.
fn answer_in_words<const N: usize>(cases: [(Value, &str); N]) {
    for (question, text) in cases {
        let found = ask(&question);
        assert_eq!(found["valid"], text.is_empty(), "{question} {found}");
        let said = found["text"].as_str().unwrap_or_default();
        assert!(said.starts_with(text), "{question}\n{said}");
        let again =
            ask(&json!({"command": "format_validation_error", "problems": found["problems"]}));
        // The order of details is that of the answer.
        assert_eq!(again.as_str().unwrap().is_empty(), text.is_empty());
    }
}

#[test]
fn a_message_is_checked_as_it_was_written() {
    let question = r#"{"command":"validate_message","profile":"strict","message":{"jsonrpc":"2.0","id":1,"id":1,"method":"ping"}}"#;
    let found = answers(question);
    assert_eq!(found[0]["result"]["reason"], "duplicate_key");
}

#[test]
fn sessions_are_opened_checked_and_ended() {
    let of_second = |direction: &str, message: Value| json!({"id": 7, "command": "check", "session": 2, "time": 0.5, "direction": direction, "message": message});
    let lines = [
        json!({"id": 1, "command": "open", "revision": "2025-06-18"}),
        json!({"id": 2, "command": "session.open", "profile": "base-stack"}),
        json!({"id": 3, "command": "check", "session": 1, "direction": "c2s", "message": {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {}}}),
        json!({"id": 4, "command": "check", "session": 1, "direction": "s2c", "text": "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"}),
        json!({"id": 5, "command": "end", "session": 1}),
        json!({"id": 6, "command": "end", "session": 1}),
        of_second(
            "c2s",
            json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}}),
        ),
        of_second(
            "s2c",
            json!({"jsonrpc": "2.0", "id": 0, "result": {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}}),
        ),
        of_second(
            "c2s",
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        ),
        of_second(
            "c2s",
            json!({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}),
        ),
        json!({"id": 8, "command": "end", "session": 2, "by": "server"}),
    ];
    let lines: Vec<_> = lines.iter().map(Value::to_string).collect();
    let found = answers(&lines.join("\n"));
    assert_eq!(found[0]["result"], json!({"session": 1}));
    assert_eq!(found[1]["result"], json!({"session": 2}));
    let row = &found[2]["result"];
    assert_eq!(row["verdict"], "block");
    assert_eq!(row["violations"][0]["rule"], "schema/missing-member");
    assert_eq!(row["canonical"], json!(["INVALID_INPUT"]));
    let row = &found[3]["result"];
    assert_eq!(row["method"], "tools/call");
    assert_eq!(row["violations"][0]["rule"], "schema/missing-member");
    assert_eq!(row["canonical"], json!(["INVALID_OUTPUT"]));
    assert_eq!(found[4]["result"]["messages"], 2);
    assert_eq!(found[5]["ok"], false);
    for answer in &found[6..10] {
        assert_eq!(answer["result"]["verdict"], "pass", "{answer}");
    }
    let endings = found[10]["result"]["endings"].as_array().unwrap();
    assert!(!endings.is_empty(), "{}", found[10]);
    assert_eq!(
        endings[0]["violations"][0]["rule"], "ping/answered",
        "{endings:?}"
    );
    assert_eq!(endings[0]["canonical"], json!(["TIMEOUT"]));
}

#[test]
fn the_number_of_open_sessions_is_bounded() {
    let lines = "{\"command\":\"open\"}\n".repeat(257);
    let found = answers(&lines);
    assert_eq!(found[255]["ok"], true);
    assert_eq!(found[256]["ok"], false);
}

#[test]
fn documents_and_canonical_errors_answer() {
    let made = ask(
        &json!({"command": "envelope.success", "data": {"tools": []}, "meta": {"requestId": "7"}}),
    );
    assert_eq!(made["valid"], true, "{made}");
    assert_eq!(made["envelope"]["meta"]["status"], 200);
    let checked = ask(&json!({"command": "envelope.check", "document": made["envelope"]}));
    assert_eq!(checked, json!({"valid": true, "problems": []}));
    let failed = json!({"code": "NOT_FOUND", "message": "no such tool", "details": null});
    let made =
        ask(&json!({"command": "envelope.failure", "error": failed, "meta": {"requestId": "7"}}));
    assert_eq!(made["envelope"]["meta"]["status"], 404, "{made}");
    let read = ask(&json!({"command": "envelope.read", "document": made["envelope"]}));
    assert_eq!(read["envelope"], made["envelope"]);
    let bad = ask(&json!({"command": "envelope.check", "document": {"ok": true}}));
    assert_eq!(bad["valid"], false);
    assert!(ask(&json!({"command": "envelope.schema"})).is_object());
    let trace = ask(&json!({"command": "envelope.trace_id", "session": "s"}));
    assert_eq!(trace.as_str().unwrap().len(), 32);
    let span = ask(&json!({"command": "envelope.span_id", "session": "s", "sequence": 1}));
    assert_eq!(span.as_str().unwrap().len(), 16);
    let request = ask(&json!({"command": "envelope.request_id", "session": "s", "sequence": 1}));
    assert_eq!(request.as_str().unwrap().len(), 32);

    assert_eq!(
        ask(&json!({"command": "tool_io.tool_id", "name": "add"})),
        "mcp.tool:add"
    );
    assert_eq!(
        ask(&json!({"command": "tool_io.tool_id", "name": ""})),
        Value::Null
    );
    assert_eq!(
        ask(&json!({"command": "tool_io.tool_name", "tool": "mcp.tool:add"})),
        "add"
    );
    assert!(ask(&json!({"command": "tool_io.schema"})).is_object());
    let schema = ask(&json!({"command": "tool_io.schema", "tool": "mcp.tool:add"}));
    assert_eq!(schema["$id"], "mcp.tool:add");
    let document = json!({"tool": "mcp.tool:add", "input": {"a": 1}});
    for (tool, valid) in [
        (json!("mcp.tool:add"), true),
        (json!("mcp.tool:sub"), false),
    ] {
        let question = json!({"command": "tool_io.check", "document": document, "tool": tool});
        assert_eq!(ask(&question)["valid"], valid, "{tool}");
    }
    assert_eq!(
        ask(&json!({"command": "tool_io.check", "document": {}}))["valid"],
        false
    );
    let question = |schema: Value| json!({"command": "tool_io.check_input", "tool": "mcp.tool:add", "input_schema": schema, "document": document});
    assert_eq!(ask(&question(json!({"required": ["a"]})))["valid"], true);
    assert_eq!(ask(&question(json!({"required": ["b"]})))["valid"], false);
    let output = json!({"command": "tool_io.check_output", "tool": "mcp.tool:add", "output_schema": {"type": "number"}, "document": {"tool": "mcp.tool:add", "output": "x"}});
    assert_eq!(ask(&output)["valid"], false);

    assert_eq!(
        ask(&json!({"command": "canonical.list"}))
            .as_array()
            .unwrap()
            .len(),
        6
    );
    let row = ask(&json!({"command": "canonical.of_code", "code": -32601}));
    assert_eq!(row["name"], "NOT_FOUND");
    assert_eq!(
        ask(&json!({"command": "canonical.named", "name": "TIMEOUT"}))["httpStatus"],
        504
    );
    assert_eq!(
        ask(&json!({"command": "canonical.named", "name": "x"})),
        Value::Null
    );
    assert_eq!(
        ask(&json!({"command": "canonical.of_http_status", "status": 200})),
        Value::Null
    );
    assert_eq!(
        ask(&json!({"command": "canonical.to_http_status", "name": "TIMEOUT"})),
        504
    );
    assert_eq!(
        ask(&json!({"command": "canonical.is_retryable", "name": "TIMEOUT"})),
        true
    );
    let gateway = ask(&json!({"command": "canonical.to_gateway_status", "name": "TIMEOUT"}));
    assert_eq!(gateway, 504);
    let error = ask(
        &json!({"command": "canonical.to_jsonrpc_error", "name": "NOT_FOUND", "message": "no tool"}),
    );
    assert_eq!(error["data"]["message"], "no tool");
}
