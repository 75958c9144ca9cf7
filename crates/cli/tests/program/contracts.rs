//! `check --as envelope`, `--as tool-io` and `--as mcp.tool:<name>`.

use serde_json::{Value, json};

use crate::support::{folder, run, run_in};

/// An envelope as another program may write it.
fn envelope() -> Value {
    json!({
        "ok": false,
        "data": null,
        "error": {"code": "TIMEOUT", "message": "late", "details": null},
        "meta": {
            "requestId": "7", "traceId": null, "spanId": null, "schemaVersion": "1.0",
            "deterministic": false, "transport": "stdio", "route": null, "method": "tools/call",
            "durationMs": 3.5, "status": 504, "attempt": 2, "inputBytes": 80, "outputBytes": 0
        }
    })
}

/// The pointers at fault in a document, each with the keyword that refuses it.
fn faults(name: &str, document: &Value) -> Vec<String> {
    let flags = ["check", "--no-config", "--format", "ndjson", "--as", name];
    let outcome = run(&flags, &document.to_string());
    let lines = outcome.lines();
    let found = lines[0]["violations"].as_array().expect(&outcome.stdout);
    assert_eq!(outcome.code, i32::from(!found.is_empty()), "{document}");
    let mut found: Vec<_> = found
        .iter()
        .map(|violation| {
            let keyword = violation["schema"]["keyword"].as_str();
            let keyword = keyword.unwrap_or_else(|| panic!("{violation}"));
            format!("{} {keyword}", violation["pointer"].as_str().unwrap())
        })
        .collect();
    found.sort();
    found
}

#[test]
fn an_envelope_keeps_its_contract_or_the_place_is_named() {
    assert_eq!(faults("envelope", &envelope()), [""; 0]);
    let success = json!({"ok": true, "data": [1], "error": null, "meta": envelope()["meta"]});
    assert_eq!(faults("envelope", &success), ["/meta/status maximum"]);
    let changes: [(&str, Value, &str); 8] = [
        ("/ok", json!("no"), "/ok type"),
        ("/data", json!(1), "/data type"),
        ("/error/code", json!("LATE"), "/error/code enum"),
        ("/meta/attempt", json!(0), "/meta/attempt minimum"),
        ("/meta/transport", json!("pipe"), "/meta/transport enum"),
        ("/meta/traceId", json!("xyz"), "/meta/traceId pattern"),
        ("/meta/status", json!(200), "/meta/status minimum"),
        ("/meta/requestId", json!(""), "/meta/requestId minLength"),
    ];
    for (pointer, value, expected) in changes {
        let mut document = envelope();
        *document.pointer_mut(pointer).unwrap() = value;
        assert_eq!(faults("envelope", &document), [expected], "{document}");
    }
    let mut extra = envelope();
    extra["meta"]["retries"] = json!(1);
    assert_eq!(
        faults("envelope", &extra),
        ["/meta/retries additionalProperties"]
    );
    let mut lacking = envelope();
    lacking["meta"].as_object_mut().unwrap().remove("attempt");
    let flags = ["check", "--no-config", "--as", "envelope"];
    let outcome = run(&flags, &lacking.to_string());
    assert_eq!(outcome.code, 1);
    assert!(
        outcome.stdout.contains("`attempt` is missing from"),
        "{}",
        outcome.stdout
    );
}

#[test]
fn documents_of_tools_are_input_or_output() {
    let add = |more: Value| {
        let mut document = json!({"tool": "mcp.tool:add"});
        let members = document.as_object_mut().unwrap();
        members.extend(more.as_object().unwrap().clone());
        document
    };
    for name in ["tool-io", "mcp.tool:add"] {
        for (document, expected) in [
            (add(json!({"input": {"a": 1}})), &[][..]),
            (
                add(json!({"input": [], "version": "1", "metadata": {}})),
                &[],
            ),
            (add(json!({"output": {"sum": 1}})), &[]),
            (add(json!({"input": {}, "output": null})), &[]),
            (add(json!({})), &[" required"]),
            (json!({"output": 1}), &[" required"]),
            (
                add(json!({"input": 1, "result": 2})),
                &["/result additionalProperties"],
            ),
            (
                add(json!({"output": 1, "metadata": []})),
                &["/metadata type"],
            ),
            (json!([]), &[" type"]),
        ] {
            assert_eq!(faults(name, &document), expected, "{name}: {document}");
        }
    }
    let other = json!({"tool": "mcp.tool:sub", "input": {}});
    assert_eq!(faults("tool-io", &other), [""; 0]);
    assert_eq!(faults("mcp.tool:add", &other), ["/tool const"]);
    let bare = json!({"tool": "add", "input": {}});
    let expected = ["/tool minLength", "/tool pattern"];
    assert_eq!(faults("tool-io", &bare), expected);
}

#[test]
fn files_hold_one_document_or_one_on_each_line() {
    let pretty = serde_json::to_string_pretty(&envelope()).unwrap();
    let mut broken = envelope();
    broken["meta"]["attempt"] = json!("second");
    let lines = format!("{}\n{broken}\n{{\"ok\" 1}}\n", envelope());
    let folder = folder(&[
        ("one.json", pretty.as_bytes()),
        ("many.jsonl", lines.as_bytes()),
    ]);
    let check = |file: &str| {
        let flags = ["check", "--format", "ndjson", "--as", "envelope", file];
        let outcome = run_in(&folder, &flags);
        (outcome.code, outcome.rules())
    };
    assert_eq!(check("one.json"), (0, vec![vec![]]));
    let rules = [vec![], vec!["schema/override"], vec!["json/well-formed"]];
    let rules = rules.map(|rules| rules.into_iter().map(str::to_owned).collect());
    assert_eq!(check("many.jsonl"), (1, Vec::from(rules)));
}

/// Everything that the log calls an envelope is one.
#[test]
fn the_envelopes_of_a_log_keep_the_contract() {
    let folder = folder(&[]);
    run_in(&folder, &["demo", "--log-dir", "logs"]);
    let log = std::fs::read_to_string(folder.path().join("logs/latest.jsonl")).unwrap();
    let envelopes: Vec<String> = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|event| event["event"] == "exchange")
        .map(|event| event["envelope"].to_string())
        .collect();
    assert!(envelopes.len() > 1);
    let outcome = run(&["check", "--as", "envelope"], &envelopes.join("\n"));
    assert_eq!(outcome.code, 0, "{}", outcome.stdout);
}

#[test]
fn the_schemas_have_ids() {
    for (name, id) in [
        ("envelope", "urn:mcp-assay:envelope:1.0"),
        ("tool-io", "urn:mcp-assay:tool-io:1.0"),
        ("mcp.tool:search", "mcp.tool:search"),
    ] {
        let schema = run(&["schema", "export", name], "").stdout;
        let schema: Value = serde_json::from_str(&schema).unwrap();
        assert_eq!(schema["$id"], id);
    }
}
