//! Every command, and lines that are none.

#![cfg(unix)]

use serde_json::{Value, json};

use crate::support::Harness;

#[test]
fn every_command_is_documented_and_the_other_way_round() {
    let page = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/harness.md"
    ))
    .expect("the page");
    let source = include_str!("../../src/probe/serve/commands.rs");
    let of_source: Vec<&str> = source
        .lines()
        .filter_map(|line| line.strip_prefix("    (\"")?.split_once('"'))
        .map(|(name, _)| name)
        .collect();
    let table = |head: &str| -> Vec<&str> {
        let lines = page.lines().skip_while(|line| !line.starts_with(head));
        lines
            .skip(2)
            .map_while(|line| line.strip_prefix("| "))
            .filter_map(|row| row.split_once(" |"))
            .map(|(first, _)| first.trim_matches('`'))
            .collect()
    };
    assert!(of_source.len() > 20);
    assert_eq!(table("| command"), of_source);
}

#[test]
fn every_command_does_what_it_says() {
    let mut harness = Harness::shell(&[]);
    let none = || json!({});
    let roots = json!({"roots": [{"uri": "file:///here"}]});
    harness.good(
        "on_request",
        json!({"method": "roots/list", "result": roots}),
    );
    assert_eq!(
        harness.good("initialize", none())["serverInfo"]["name"],
        "sh"
    );
    assert_eq!(harness.good("list_tools", none())[0]["name"], "pid");
    let called = harness.good("call_tool", json!({"name": "pid", "arguments": {}}));
    assert_eq!(called["content"][0]["type"], "text");
    assert_eq!(
        harness.good("list_resources", none())[0]["uri"],
        "test://one"
    );
    assert_eq!(harness.good("list_resource_templates", none()), json!([]));
    let read = harness.good("read_resource", json!({"uri": "test://one"}));
    assert_eq!(read[0]["text"], "1");
    assert_eq!(harness.good("list_prompts", none())[0]["name"], "greet");
    let prompt = harness.good("get_prompt", json!({"name": "greet"}));
    assert_eq!(prompt["messages"][0]["role"], "user");
    harness.good("ping", none());
    assert_eq!(
        harness.good("request", json!({"method": "ping"})),
        json!({})
    );
    harness.good(
        "notify",
        json!({"method": "notifications/roots/list_changed"}),
    );
    harness.good("listen", json!({"seconds": 0.01}));
    let asked = harness.bad("request", json!({"method": "ask"}));
    assert_eq!(asked["kind"], "refused");
    assert_eq!(asked["code"], -1);
    assert_eq!(asked["data"]["result"], roots);
    let refusal = json!({"code": -32000, "message": "not today"});
    harness.good(
        "on_request",
        json!({"method": "roots/list", "error": refusal}),
    );
    let asked = harness.bad("request", json!({"method": "ask"}));
    assert_eq!(asked["data"]["error"], refusal);
    let expected = json!({"name": "pid", "arguments": ["a"], "read_only": true});
    assert_eq!(harness.good("expect_tool", expected)["name"], "pid");
    for (member, value) in [
        ("required", json!(["a"])),
        ("arguments", json!(["b"])),
        ("output_schema", json!(true)),
    ] {
        let mut members = json!({"name": "pid"});
        members[member] = value;
        assert_eq!(harness.bad("expect_tool", members)["kind"], "unmet");
    }
    harness.good("expect_schema_valid", none());
    let error = harness.good("expect_error", json!({"code": -32601, "method": "no/such"}));
    assert_eq!(error["message"], "method not found");
    assert_eq!(
        harness.bad("expect_error", json!({"code": -32601, "method": "ping"}))["kind"],
        "unmet"
    );
    let notices = harness.good("notifications", json!({"method": "notifications/message"}));
    assert_eq!(notices, json!([]));
    let timings = harness.good("timings", none());
    assert_eq!(timings[0]["method"], "initialize");
    assert!(
        timings[0]["took_ms"]
            .as_f64()
            .is_some_and(|took| took > 0.0)
    );
    let traffic = harness.good("traffic", none());
    assert_eq!(traffic[0]["dir"], "c2s");
    assert!(traffic[1]["raw"].is_string());
    assert_eq!(harness.good("stderr", none()), "");
    harness.good("expect_no_violations", none());
    assert_eq!(harness.good("violations", none()), json!([]));
    let closed = harness.good("close", none());
    assert_eq!(closed, json!({"endedByItself": true, "exitCode": 0}));
    assert_eq!(harness.bad("ping", none())["kind"], "gone");
    assert_eq!(harness.end(), Some(0));
}

#[test]
fn what_is_no_command_is_told_and_the_next_one_works() {
    let mut harness = Harness::shell(&[]);
    for (line, said) in [
        ("oops", "not JSON"),
        ("[]", "a command is an object"),
        (r#"{"id":7}"#, "`command` is missing"),
        (r#"{"command":7}"#, "`command` is a string"),
        (r#"{"command":"initialise"}"#, "did you mean `initialize`?"),
        (r#"{"command":"call_tool"}"#, "call_tool: `name` is missing"),
        (r#"{"command":"call_tool","name":7}"#, "`name` is a string"),
        (r#"{"command":"ping","now":1}"#, "the command has no `now`"),
        (r#"{"command":"listen","seconds":-1}"#, "at most an hour"),
        (
            r#"{"command":"expect_tool","name":"a","read_only":"yes"}"#,
            "true or false",
        ),
        (
            r#"{"command":"expect_tool","name":"a","required":"a"}"#,
            "a list of strings",
        ),
        (
            r#"{"command":"expect_error","method":"a","code":1.5}"#,
            "an integer",
        ),
        (
            r#"{"command":"on_request","method":"a"}"#,
            "either `result` or `error`",
        ),
        (
            r#"{"command":"on_request","method":"a","error":1}"#,
            "a `code` and a `message`",
        ),
        ("{\"command\":\"\\u001b[2J\"}", "unknown command"),
    ] {
        let answer = harness.line(line);
        let message = answer["error"]["message"].as_str().unwrap_or_default();
        assert_eq!(answer["error"]["kind"], "bad_command", "{answer}");
        assert!(message.contains(said), "{line}: {message}");
        assert!(!message.contains('\u{1b}'), "{message:?}");
    }
    let deep = "[".repeat(100_000);
    assert_eq!(harness.line(&deep)["ok"], false);
    let answer = harness.line(r#"{"id":{"any":"thing"},"command":"initialize"}"#);
    assert_eq!(answer["id"], json!({"any": "thing"}));
    assert_eq!(answer["ok"], true);
    assert_eq!(harness.end(), Some(0));
}

#[test]
fn a_violation_fails_its_command_and_the_run() {
    let mut harness = Harness::shell(&[]);
    harness.good("initialize", json!({}));
    let error = harness.bad("request", json!({"method": "bad"}));
    assert_eq!(error["kind"], "violation");
    let message = error["message"].as_str().unwrap();
    assert!(message.starts_with("strict mode: "), "{message}");
    let violation = &error["violations"][0];
    for member in [
        "rule", "layer", "level", "message", "help", "spec", "revision",
    ] {
        assert!(violation[member].is_string(), "{violation}");
    }
    assert_eq!(
        harness
            .good("violations", json!({}))
            .as_array()
            .map(Vec::len),
        Some(1)
    );
    harness.good("ping", json!({}));
    assert_eq!(
        harness.bad("expect_no_violations", json!({}))["kind"],
        "violation"
    );
    assert_eq!(harness.end(), Some(1));
}

#[test]
fn flags_choose_what_counts() {
    let server = [
        "sh",
        "-c",
        "echo hello; exec sh -c \"$0\"",
        crate::support::SERVER.as_str(),
    ];
    for (flags, works, code) in [
        (&[][..], false, 1),
        (&["--allow-stdout-noise"], true, 0),
        (&["--ignore", "framing,json"], true, 0),
        (&["--layers", "schema"], true, 0),
        // It goes on, and the run fails in the end.
        (&["--no-strict"], true, 1),
        (
            &["--revision", "2025-06-18", "--allow-stdout-noise"],
            false,
            0,
        ),
    ] {
        let mut harness = Harness::start(flags, &server);
        let answer = harness.run("initialize", json!({}));
        assert_eq!(answer["ok"], Value::Bool(works), "{flags:?}: {answer}");
        assert_eq!(harness.end(), Some(code), "{flags:?}");
    }
}
