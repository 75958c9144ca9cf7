//! `check --tools-lock` and `registry diff`: changes of the tools of a server.

#[expect(dead_code, reason = "shared with the other tests of the program")]
#[path = "program/support.rs"]
mod support;

use serde_json::{Value, json};
use support::{Outcome, folder, run_in};
use tempfile::TempDir;

fn tool(name: &str, input: &Value) -> Value {
    json!({"name": name, "description": "d", "inputSchema": input})
}

fn city(more: &Value, required: &Value) -> Value {
    json!({"type": "object", "properties": {"city": {"type": "string"}, "more": more}, "required": required})
}

/// A session that lists tools in pages.
fn session(pages: &[Value]) -> String {
    let mut text = concat!(
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#,
        "\n",
        r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}"#,
        "\n",
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        "\n"
    )
    .to_owned();
    for (index, page) in pages.iter().enumerate() {
        let id = index + 2;
        let params = match index {
            0 => json!({}),
            _ => json!({"cursor": format!("p{index}")}),
        };
        let mut result = json!({"tools": page});
        if index + 1 < pages.len() {
            result["nextCursor"] = json!(format!("p{}", index + 1));
        }
        for message in [
            json!({"jsonrpc": "2.0", "id": id, "method": "tools/list", "params": params}),
            json!({"jsonrpc": "2.0", "id": id, "result": result}),
        ] {
            text += &(message.to_string() + "\n");
        }
    }
    text
}

/// A folder with a lock of the old tools and a capture of the new ones.
fn locked(old: &Value, new: &[Value]) -> TempDir {
    let old = session(std::slice::from_ref(old));
    let new = session(new);
    let folder = folder(&[
        ("old.ndjson", old.as_bytes()),
        ("new.ndjson", new.as_bytes()),
    ]);
    let outcome = run_in(
        &folder,
        &["check", "old.ndjson", "--write-tools-lock", "tools.lock"],
    );
    assert_eq!(outcome.code, 0, "{}{}", outcome.stdout, outcome.stderr);
    folder
}

fn check(folder: &TempDir, more: &[&str]) -> Outcome {
    let arguments = [&["check", "new.ndjson", "--tools-lock", "tools.lock"], more].concat();
    run_in(folder, &arguments)
}

fn old() -> Value {
    json!([
        tool(
            "weather",
            &city(&json!({"type": "integer"}), &json!(["city"]))
        ),
        tool("gone", &json!({"type": "object"}))
    ])
}

#[test]
fn equal_tools_are_no_drift() {
    // The order of members does not matter, and pages make one list.
    let weather = json!({"inputSchema": {"required": ["city"], "properties": {"more": {"type": "integer"}, "city": {"type": "string"}}, "type": "object"}, "description": "d", "name": "weather"});
    let folder = locked(&old(), &[json!([weather]), json!([old()[1]])]);
    let outcome = check(&folder, &[]);
    assert_eq!(outcome.code, 0, "{}", outcome.stdout);
    assert!(outcome.stdout.contains("tools: no changes\n"));
}

#[test]
fn what_breaks_fails() {
    let new = [
        tool(
            "weather",
            &city(&json!({"type": "string"}), &json!(["city", "more"])),
        ),
        tool("new", &json!({"type": "object"})),
    ];
    let folder = locked(&old(), &[json!(new)]);
    let outcome = check(&folder, &["--format", "ndjson"]);
    assert_eq!(outcome.code, 1);
    let lines = outcome.lines();
    let tools: Vec<_> = lines
        .iter()
        .filter(|line| line.get("tool").is_some())
        .collect();
    let changes: Vec<_> = tools
        .iter()
        .map(|line| {
            (
                line["tool"].as_str().unwrap(),
                line["change"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        changes,
        [
            ("gone", "removed"),
            ("new", "added"),
            ("weather", "breaking")
        ]
    );
    assert_eq!(
        tools[2]["details"],
        json!([
            {"part": "inputSchema", "change": "breaking", "pointer": "", "message": "now: `more` is required", "example": {"city": "a"}},
            {"part": "inputSchema", "change": "breaking", "pointer": "/properties/more", "message": "now: type integer is not accepted"},
        ])
    );
    assert!(lines.last().unwrap().get("summary").is_some());

    let outcome = check(&folder, &[]);
    assert_eq!(outcome.code, 1);
    assert!(
        outcome
            .stdout
            .contains("breaking: tool `weather`\n  inputSchema now: `more` is required\n    for example: {\"city\":\"a\"}\n")
    );
    assert!(
        outcome
            .stdout
            .contains("tools: 1 removed, 1 breaking, 1 added\n")
    );
    assert_eq!(check(&folder, &["--exit-zero"]).code, 0);
    let outcome = check(&folder, &["--format", "json"]);
    assert_eq!(outcome.code, 1);
    assert!(serde_json::from_str::<Value>(&outcome.stdout).is_ok());
    assert!(outcome.stderr.contains("1 removed, 1 breaking"));
}

#[test]
fn what_is_compatible_or_unknown_is_only_noted() {
    let mut weather = tool(
        "weather",
        &city(&json!({"type": ["integer", "null"]}), &json!([])),
    );
    weather["description"] = json!("other words");
    weather["annotations"] = json!({"readOnlyHint": true});
    let gone = tool(
        "gone",
        &json!({"type": "object", "additionalProperties": {"$ref": "https://example.com/part"}}),
    );
    let folder = locked(&old(), &[json!([weather, gone])]);
    let outcome = check(&folder, &[]);
    assert_eq!(outcome.code, 0, "{}", outcome.stdout);
    let expected = "unknown: tool `gone`\n  inputSchema cannot be decided: the schemas cannot be compared\ncompatible: tool `weather`\n  inputSchema accepts all that it did before\n  description changed\n  annotations added\ntools: 1 unknown, 1 compatible\n";
    assert!(outcome.stdout.contains(expected), "{}", outcome.stdout);
    let outcome = check(&folder, &["--quiet"]);
    assert!(outcome.stdout.contains("tools: 1 unknown, 1 compatible\n"));
    assert!(!outcome.stdout.contains("tool `gone`"));
    // The exit code is the user's choice.
    let warning = "1 tool changed in ways that may break callers";
    for (choice, code, warns) in [("fail", 1, false), ("warn", 0, true), ("pass", 0, false)] {
        let snapshots = ["registry", "diff", "tools.lock", "new.ndjson"];
        for outcome in [
            check(&folder, &["--unknown", choice]),
            run_in(&folder, &[&snapshots[..], &["--unknown", choice]].concat()),
        ] {
            assert_eq!(outcome.code, code, "{choice}: {}", outcome.stderr);
            assert_eq!(outcome.stderr.contains(warning), warns, "{choice}");
        }
    }
}

#[test]
fn a_breaking_change_shows_a_value() {
    let with = |output: Value| {
        let mut tool = tool("t", &json!({"type": "object"}));
        tool["outputSchema"] = output;
        json!([tool])
    };
    let old = json!({"type": "object", "properties": {"a": {}, "b": {"type": "integer"}}});
    let new = json!({"type": "object", "properties": {"a": {}}});
    let folder = locked(&with(old.clone()), &[with(new.clone())]);
    let outcome = check(&folder, &["--format", "ndjson"]);
    assert_eq!(outcome.code, 1);
    let lines = outcome.lines();
    let change = lines.iter().find(|line| line["tool"] == "t").unwrap();
    assert_eq!(change["change"], "breaking");
    let example = &change["details"][0]["example"];
    assert!(
        example["b"].is_null() != example.get("b").is_none(),
        "{example}"
    );
    assert!(
        !example["b"].is_i64(),
        "the new schema allows what the old one did not: {example}"
    );
    // The other way round nothing is lost.
    let folder = locked(&with(new), &[with(old)]);
    assert_eq!(check(&folder, &["--unknown", "fail"]).code, 0);
}

#[test]
fn the_latest_whole_list_counts() {
    let [weather, gone] = [&old()[0], &old()[1]].map(Value::clone);
    // The first list has both tools, a later one in the same session has one of them.
    let mut text = session(&[old()]);
    for message in [
        json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}),
        json!({"jsonrpc": "2.0", "id": 20, "method": "tools/list"}),
        json!({"jsonrpc": "2.0", "id": 20, "result": {"tools": [weather]}}),
        // A list that is never finished changes nothing.
        json!({"jsonrpc": "2.0", "id": 21, "method": "tools/list"}),
        json!({"jsonrpc": "2.0", "id": 21, "result": {"tools": [tool("late", &json!({"type": "object"}))], "nextCursor": "p"}}),
    ] {
        text += &(message.to_string() + "\n");
    }
    let folder = folder(&[
        ("both.ndjson", session(&[json!([weather, gone])]).as_bytes()),
        ("later.ndjson", text.as_bytes()),
        ("weather.ndjson", session(&[json!([weather])]).as_bytes()),
    ]);
    for (sources, expected) in [
        (&["later.ndjson"][..], &["weather"][..]),
        (&["both.ndjson"], &["gone", "weather"]),
        (&["both.ndjson", "weather.ndjson"], &["weather"]),
        (&["weather.ndjson", "both.ndjson"], &["gone", "weather"]),
    ] {
        let arguments = [
            &["check"],
            sources,
            &["--write-tools-lock", "tools.lock", "--exit-zero"],
        ];
        let outcome = run_in(&folder, &arguments.concat());
        assert_eq!(outcome.code, 0, "{}{}", outcome.stdout, outcome.stderr);
        let lock = std::fs::read_to_string(folder.path().join("tools.lock")).unwrap();
        let lock: Value = serde_json::from_str(&lock).unwrap();
        let names: Vec<_> = lock["tools"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| &it["name"])
            .collect();
        assert_eq!(names, expected, "{sources:?}");
    }
}

#[test]
fn output_schemas_are_looked_at_the_other_way_round() {
    let with = |output: &Value| {
        let mut tool = tool("t", &json!({"type": "object"}));
        tool["outputSchema"] = output.clone();
        tool
    };
    let object =
        |properties: Value| json!({"type": "object", "properties": properties, "required": ["n"]});
    let narrow = with(&object(json!({"n": {"type": "integer"}})));
    let wide = with(&object(json!({"n": {"type": ["integer", "null"]}})));
    let bare = tool("t", &json!({"type": "object"}));
    for (old, new, code) in [
        (&narrow, &wide, 1),
        (&wide, &narrow, 0),
        (&narrow, &bare, 1),
        (&bare, &narrow, 0),
    ] {
        let folder = locked(&json!([old]), &[json!([new])]);
        assert_eq!(check(&folder, &[]).code, code, "from {old} to {new}");
    }
}

#[test]
fn an_unfinished_list_proves_nothing_removed() {
    let folder = locked(&old(), &[json!([old()[0]]), json!([old()[1]])]);
    let text = std::fs::read_to_string(folder.path().join("new.ndjson")).unwrap();
    let first_page: Vec<_> = text.lines().take(5).collect();
    std::fs::write(
        folder.path().join("new.ndjson"),
        first_page.join("\n") + "\n",
    )
    .unwrap();
    let outcome = check(&folder, &[]);
    assert_eq!(outcome.code, 0, "{}", outcome.stdout);
    assert!(outcome.stdout.contains("removed tools cannot be detected"));
    let outcome = run_in(
        &folder,
        &["check", "new.ndjson", "--write-tools-lock", "other.lock"],
    );
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("other.lock is not written"));
}

#[test]
fn without_a_list_nothing_can_be_said() {
    let folder = locked(&old(), &[]);
    let outcome = check(&folder, &[]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("no list of tools was seen"));
    std::fs::write(
        folder.path().join("tools.lock"),
        "{\"version\":1,\"tools\":[}",
    )
    .unwrap();
    let outcome = check(&folder, &[]);
    assert_eq!(outcome.code, 2);
    assert!(
        outcome
            .stderr
            .contains("failed to read the tools lock tools.lock: "),
        "{}",
        outcome.stderr
    );
}

#[test]
fn snapshots_of_all_kinds_are_compared() {
    let new = json!([tool(
        "weather",
        &city(&json!({"type": "integer"}), &json!(["city"]))
    )]);
    let folder = locked(&old(), std::slice::from_ref(&new));
    let result = json!({ "tools": new }).to_string();
    let response = json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": new}});
    let response = serde_json::to_string_pretty(&response).unwrap();
    std::fs::write(folder.path().join("result.json"), result).unwrap();
    std::fs::write(folder.path().join("response.json"), response).unwrap();
    for before in ["tools.lock", "old.ndjson"] {
        for after in ["new.ndjson", "result.json", "response.json"] {
            let outcome = run_in(&folder, &["registry", "diff", before, after]);
            assert_eq!(outcome.code, 1, "{}", outcome.stderr);
            assert_eq!(outcome.stdout, "removed: tool `gone`\ntools: 1 removed\n");
        }
    }
    let outcome = run_in(
        &folder,
        &[
            "registry",
            "diff",
            "new.ndjson",
            "tools.lock",
            "--format",
            "json",
        ],
    );
    assert_eq!(outcome.code, 0);
    let document: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(
        document,
        json!({"complete": true, "tools": [{"tool": "gone", "change": "added", "details": []}]})
    );
    std::fs::write(folder.path().join("ping.ndjson"), support::PING).unwrap();
    for missing in ["ping.ndjson", "nowhere.json"] {
        let outcome = run_in(&folder, &["registry", "diff", "tools.lock", missing]);
        assert_eq!(outcome.code, 2);
        assert!(
            outcome
                .stderr
                .contains(&format!("failed to read {missing}: "))
        );
    }
}
