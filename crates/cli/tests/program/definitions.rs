//! `check --as`, definitions from outside in `check` and `probe`, and the place in a schema that
//! reports name.

use serde_json::{Value, json};

use crate::support::{PING, PONG, assay, folder, run, run_in};

/// The rules that a document violates as a definition.
fn rules_as(name: &str, flags: &[&str], document: &str) -> Vec<String> {
    let flags = [
        &["check", "--no-config", "--format", "ndjson", "--as", name],
        flags,
    ]
    .concat();
    let outcome = run(&flags, document);
    let lines = outcome.lines();
    assert_eq!(
        lines.len(),
        2,
        "{name}: {}{}",
        outcome.stdout,
        outcome.stderr
    );
    let found = lines[0]["violations"].as_array().unwrap();
    let rules: Vec<_> = found
        .iter()
        .map(|violation| violation["rule"].as_str().unwrap().to_owned())
        .collect();
    let is_error = found.iter().any(|violation| violation["level"] == "error");
    assert_eq!(
        outcome.code,
        i32::from(is_error),
        "{name}: {}",
        outcome.stdout
    );
    rules
}

#[test]
fn a_document_is_checked_as_any_definition_in_both_spellings() {
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}}"#;
    let nameless = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#;
    let unversioned = r#"{"id":1,"method":"tools/call","params":{"name":"add"}}"#;
    let initialize = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}"#;
    let missing = ["schema/missing-member"];
    let cases: [(&str, &str, &[&str]); 22] = [
        ("tools/call", call, &[]),
        ("CallToolRequest", call, &[]),
        ("ClientRequest", call, &[]),
        ("JSONRPCRequest", call, &[]),
        ("JSONRPCMessage", call, &[]),
        ("tools/call", nameless, &missing),
        ("CallToolRequest", nameless, &missing),
        ("ClientRequest", nameless, &missing),
        // The envelope alone is sound.
        ("JSONRPCRequest", nameless, &[]),
        ("JSONRPCMessage", nameless, &[]),
        ("JSONRPCRequest", unversioned, &missing),
        ("JSONRPCMessage", unversioned, &["jsonrpc/version-member"]),
        ("initialize", initialize, &[]),
        ("InitializeRequest", initialize, &[]),
        // Another message than the definition's.
        ("InitializeRequest", call, &["schema/unknown-value"]),
        ("ServerRequest", call, &["schema/wrong-type"]),
        ("CallToolRequest", PONG, &["schema/wrong-type"]),
        ("PingResponse", PONG, &[]),
        ("CallToolResultResponse", PONG, &missing),
        (
            "Tool",
            r#"{"name":"add","inputSchema":{"type":"object"}}"#,
            &[],
        ),
        (
            "Tool",
            r#"{"name":1,"inputSchema":{"type":"object"}}"#,
            &["schema/wrong-type"],
        ),
        ("LoggingLevel", "\"loud\"", &["schema/unknown-value"]),
    ];
    for (name, document, expected) in cases {
        assert_eq!(
            rules_as(name, &[], document),
            expected,
            "{name}: {document}"
        );
    }
}

#[test]
fn every_name_that_is_listed_can_be_checked() {
    for revision in [
        "2024-11-05",
        "2025-03-26",
        "2025-06-18",
        "2025-11-25",
        "2026-07-28",
    ] {
        let listed = run(&["schema", "list", "--revision", revision], "");
        assert!(listed.stdout.lines().count() > 100, "{}", listed.stdout);
        let names = listed.stdout.lines().step_by(7);
        for name in names.chain(["JSONRPCMessage", "tools/call"]) {
            // An array is of none of them; an unknown name would have no report at all.
            let rules = rules_as(name, &["--revision", revision], "[]");
            assert!(!rules.is_empty(), "{revision}: {name}");
        }
    }
}

#[test]
fn an_unknown_definition_suggests_the_nearest() {
    let outcome = run(&["check", "--as", "CallToolRequst"], "{}");
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.contains("did you mean `CallToolRequest`?"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn a_file_is_one_document_or_one_on_each_line() {
    let pretty = "{\n  \"name\": \"add\",\n  \"inputSchema\": {\"type\": \"object\"}\n}\n";
    let lines = "{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"}}\n\n{\"name\":\"b\"}\n";
    let folder = folder(&[
        ("one.json", pretty.as_bytes()),
        ("two.ndjson", lines.as_bytes()),
    ]);
    let arguments = ["check", "--no-config", "--format", "ndjson", "--as", "Tool"];
    let outcome = run_in(
        &folder,
        &[&arguments[..], &["one.json", "two.ndjson"]].concat(),
    );
    let found: Vec<Value> = outcome
        .lines()
        .iter()
        .filter(|line| line.get("summary").is_none())
        .map(|line| json!([line["line"], line["kind"], line["verdict"]]))
        .collect();
    let expected = [
        json!([1, "value", "pass"]),
        json!([1, "value", "pass"]),
        json!([3, "value", "block"]),
    ];
    assert_eq!(found, expected, "{}", outcome.stdout);
    assert_eq!(outcome.code, 1);
}

/// Demands `params` of a ping.
const DEMANDING: &str = r#"{"$defs":{"PingRequest":{"type":"object","properties":{"method":{"const":"ping"}},"required":["params"]}}}"#;

#[test]
fn check_takes_a_file_by_its_url() {
    let folder = folder(&[
        ("own.json", DEMANDING.as_bytes()),
        ("a.ndjson", PING.as_bytes()),
    ]);
    let url = format!("file://{}/own.json", folder.path().display());
    let outcome = run_in(
        &folder,
        &["check", "--format", "ndjson", "a.ndjson", "--schema", &url],
    );
    assert_eq!(outcome.rules(), [["schema/override"]], "{}", outcome.stderr);
    let schema = &outcome.lines()[0]["violations"][0]["schema"];
    let expected = json!({"document": "override", "pointer": "/$defs/PingRequest/required", "keyword": "required"});
    assert_eq!(schema, &expected);
    // A single document is checked against its definitions, too.
    for name in ["PingRequest", "ping"] {
        let as_ping = rules_as(name, &["--schema", &url], PING);
        assert_eq!(as_ping, ["schema/override"], "{name}");
    }
    let elsewhere = run_in(
        &folder,
        &[
            "check",
            "a.ndjson",
            "--schema",
            "file://other/own.json",
            "--schema-required",
        ],
    );
    assert_eq!(elsewhere.code, 2);
    assert!(
        elsewhere.stderr.contains("absolute path on this machine"),
        "{}",
        elsewhere.stderr
    );
}

#[test]
fn the_configuration_can_require_a_document() {
    let config = "schema_override = \"own.json\"\nschema_required = true\n";
    let folder = folder(&[
        ("mcp-assay.toml", config.as_bytes()),
        ("a.ndjson", PING.as_bytes()),
    ]);
    for command in [
        &["check", "a.ndjson"][..],
        &["probe", "--", "/no/such/server"],
    ] {
        let outcome = run_in(&folder, command);
        assert_eq!(outcome.code, 2, "{command:?}: {}", outcome.stderr);
        assert_eq!(outcome.stderr.lines().count(), 1, "{}", outcome.stderr);
        assert!(
            outcome
                .stderr
                .contains("own.json: failed to read the schema"),
            "{}",
            outcome.stderr
        );
    }
    let required = run_in(
        &folder,
        &["check", "--no-config", "--schema-required", "a.ndjson"],
    );
    assert_eq!(required.code, 2);
    assert!(
        required.stderr.contains("give --schema"),
        "{}",
        required.stderr
    );
}

#[test]
fn probe_checks_with_the_document() {
    let document = r#"{"$defs":{"ListToolsRequest":{"properties":{"method":{"const":"tools/list"}}},
        "ListToolsResult":{"type":"object","required":["banner"]}}}"#;
    let folder = folder(&[("own.json", document.as_bytes())]);
    let program = assay(&[]).get_program().to_string_lossy().into_owned();
    let probe = |flags: &[&str]| {
        let command = ["probe", "--quick", "--no-config", "--format", "json"];
        let server = ["--", &program, "demo-server"];
        run_in(&folder, &[&command[..], flags, &server[..]].concat()).stdout
    };
    let failed = |report: &str| {
        let report: Value = serde_json::from_str(report).unwrap();
        let mut open = vec![&report];
        while let Some(value) = open.pop() {
            let has = |text: &str| {
                value
                    .as_object()
                    .is_some_and(|object| object.values().any(|value| value == text))
            };
            if has("schema/override") && has("fail") {
                return true;
            }
            open.extend(value.as_array().into_iter().flatten());
            open.extend(
                value
                    .as_object()
                    .into_iter()
                    .flatten()
                    .map(|(_, value)| value),
            );
        }
        false
    };
    assert!(!failed(&probe(&[])));
    let with = probe(&["--schema", "own.json", "--schema-required"]);
    assert!(failed(&with), "{with}");
}

/// The schema places of the violations of a message.
fn places(flags: &[&str], messages: &str) -> Vec<(String, Value)> {
    let flags = [&["check", "--no-config", "--format", "ndjson"], flags].concat();
    let outcome = run(&flags, messages);
    let mut places = Vec::new();
    for line in outcome.lines() {
        for violation in line["violations"].as_array().into_iter().flatten() {
            let rule = violation["rule"].as_str().unwrap().to_owned();
            places.push((rule, violation["schema"].clone()));
        }
    }
    places
}

#[test]
fn reports_name_the_place_in_the_definitions() {
    let revision = &["--revision", "2025-11-25"];
    for (message, rule, pointer) in [
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#,
            "schema/missing-member",
            "/$defs/CallToolRequestParams/required",
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":1}}"#,
            "schema/wrong-type",
            "/$defs/CallToolRequestParams/properties/name/type",
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"loud"}}"#,
            "schema/unknown-value",
            "/$defs/LoggingLevel/enum",
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"x/y"}"#,
            "schema/unknown-method",
            "/$defs/Call/anyOf",
        ),
        (
            r#"{"id":1,"method":"ping"}"#,
            "jsonrpc/version-member",
            "/$defs/JSONRPCRequest/required",
        ),
    ] {
        let found = places(revision, message);
        let keyword = pointer.rsplit('/').next();
        let place =
            json!({"document": "urn:mcp-assay:2025-11-25", "pointer": pointer, "keyword": keyword});
        assert_eq!(found, [(rule.to_owned(), place)], "{message}");
        // It is a place in the exported document.
        let exported = run(&["schema", "export", "--revision", "2025-11-25"], "");
        let exported: Value = serde_json::from_str(&exported.stdout).unwrap();
        assert!(exported.pointer(pointer).is_some(), "{pointer}");
    }
}

#[test]
fn reports_name_the_place_in_the_schema_of_a_tool() {
    let tool = json!({"name": "add", "inputSchema": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}});
    let session = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
        json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": [tool]}}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "add", "arguments": {"a": "x"}}}),
    ]
    .map(|message| format!("{message}\n"))
    .concat();
    let found = places(&["--select", "tools/arguments-match-schema"], &session);
    let place =
        json!({"document": "inputSchema", "pointer": "/properties/a/type", "keyword": "type"});
    assert_eq!(found, [("tools/arguments-match-schema".to_owned(), place)]);
}

#[test]
fn people_and_logs_see_the_place_too() {
    let bad = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#;
    let folder = folder(&[("a.ndjson", bad.as_bytes())]);
    let arguments = [
        "check",
        "--no-config",
        "--revision",
        "2025-11-25",
        "--log-dir",
        "logs",
        "a.ndjson",
    ];
    let outcome = run_in(&folder, &arguments);
    let line = "= schema: urn:mcp-assay:2025-11-25#/$defs/CallToolRequestParams/required";
    assert!(outcome.stdout.contains(line), "{}", outcome.stdout);
    let log = std::fs::read_dir(folder.path().join("logs")).unwrap();
    let text: String = log
        .filter_map(|entry| std::fs::read_to_string(entry.unwrap().path()).ok())
        .collect();
    let member = r#""schema":{"document":"urn:mcp-assay:2025-11-25","pointer":"/$defs/CallToolRequestParams/required","keyword":"required"}"#;
    assert!(text.contains(member), "{text}");
}
