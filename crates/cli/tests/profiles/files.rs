//! The keys of a file, one test each.

use super::support::{folder, run_in};
use super::{check, check_as, complaint, finds};

#[test]
fn a_name_may_stand_for_a_method() {
    let alias = r#"[methods."logging/set_level"]
        stands_for = "logging/setLevel""#;
    finds(
        alias,
        r#"c2s {"jsonrpc":"2.0","id":1,"method":"logging/set_level","params":{"level":"info"}}
           s2c {"jsonrpc":"2.0","id":1,"result":{}}
           c2s {"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"info"}}
           s2c {"jsonrpc":"2.0","id":2,"result":{}}
           c2s {"jsonrpc":"2.0","id":3,"method":"logging/set_level","params":{"level":"loud"}}
           s2c {"jsonrpc":"2.0","id":3,"result":{}}
           s2c {"jsonrpc":"2.0","id":4,"method":"logging/set_level","params":{"level":"info"}}"#,
        &["schema/unknown-value", "request/method-direction"],
    );
    // State that the session tracks by method works for other names as well.
    finds(
        r#"[methods."tools/execute"]
           stands_for = "tools/call""#,
        r#"c2s {"jsonrpc":"2.0","id":1,"method":"tools/list"}
           s2c {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"add","inputSchema":{"type":"object","required":["a"]}}]}}
           c2s {"jsonrpc":"2.0","id":2,"method":"tools/execute","params":{"name":"add","arguments":{}}}
           s2c {"jsonrpc":"2.0","id":2,"result":{"content":[]}}"#,
        &["tools/arguments-match-schema"],
    );
}

#[test]
fn a_method_may_be_renamed() {
    let renamed = r#"[methods."tools/execute"]
        renames = "tools/call""#;
    let messages = r#"c2s {"jsonrpc":"2.0","id":1,"method":"tools/execute","params":{"name":"add"}}
        s2c {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
        c2s {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add"}}
        s2c {"jsonrpc":"2.0","id":2,"result":{"content":[]}}"#;
    finds(renamed, messages, &["profile/method"]);
    let lines = check(renamed, messages).lines();
    assert_eq!(lines[4]["method"], "tools/execute");
    let violation = &lines[5]["violations"][0];
    assert_eq!(
        violation["message"],
        "the profile calls this method `tools/execute`"
    );
    assert_eq!(violation["pointer"], "/method");
}

#[test]
fn methods_and_notifications_may_be_added() {
    let added = r#"
        [methods."x/greet"]
        sender = "client"
        params_required = true
        params = { type = "object", required = ["name"], properties = { name = { type = "string" } } }
        result = '{"type":"object","required":["text"]}'

        [methods."x/again"]
        params = "like tools/call"
        result = "like tools/call"

        [notifications."notifications/idle"]
        sender = "server"
        "#;
    for (messages, rules) in [
        (
            r#"c2s {"jsonrpc":"2.0","id":1,"method":"x/greet","params":{"name":"a"}}
               s2c {"jsonrpc":"2.0","id":1,"result":{"text":"hi"}}
               s2c {"jsonrpc":"2.0","id":1,"method":"x/again","params":{"name":"a"}}
               c2s {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
               s2c {"jsonrpc":"2.0","method":"notifications/idle"}"#,
            &[][..],
        ),
        (
            r#"c2s {"jsonrpc":"2.0","id":1,"method":"x/greet","params":{"name":7}}
               s2c {"jsonrpc":"2.0","id":1,"result":{}}"#,
            &["profile/method", "profile/method"],
        ),
        (
            r#"c2s {"jsonrpc":"2.0","id":1,"method":"x/greet"}
               s2c {"jsonrpc":"2.0","id":1,"result":{"text":"hi"}}"#,
            &["schema/missing-member"],
        ),
        (
            r#"s2c {"jsonrpc":"2.0","id":1,"method":"x/greet","params":{"name":"a"}}
               c2s {"jsonrpc":"2.0","id":1,"result":{"text":"hi"}}"#,
            &["profile/method"],
        ),
        (
            r#"c2s {"jsonrpc":"2.0","method":"x/greet","params":{"name":"a"}}"#,
            &["jsonrpc/request-has-id"],
        ),
        (
            r#"c2s {"jsonrpc":"2.0","id":1,"method":"x/again","params":{}}
               s2c {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text"}]}}"#,
            &["schema/missing-member", "schema/missing-member"],
        ),
        (
            r#"s2c {"jsonrpc":"2.0","id":1,"method":"notifications/idle"}
               c2s {"jsonrpc":"2.0","id":1,"result":{}}"#,
            &["jsonrpc/notification-no-id"],
        ),
        (
            r#"c2s {"jsonrpc":"2.0","method":"notifications/idle"}"#,
            &["profile/method"],
        ),
        (
            r#"c2s {"jsonrpc":"2.0","id":1,"method":"x/gret"}
               s2c {"jsonrpc":"2.0","id":1,"result":{}}"#,
            &["schema/unknown-method"],
        ),
    ] {
        finds(added, messages, rules);
    }
}

#[test]
fn error_codes_may_be_allowed_and_forbidden() {
    let answer = |code: i32| {
        format!(
            r#"c2s {{"jsonrpc":"2.0","id":1,"method":"ping"}}
               s2c {{"jsonrpc":"2.0","id":1,"error":{{"code":{code},"message":"no"}}}}"#
        )
    };
    let ranges = r#"
        [[error_codes]]
        from = 7
        level = "note"
        [[error_codes]]
        from = 1
        to = 10
        level = "warning"
        [[error_codes]]
        from = -32200
        to = -32100"#;
    finds(ranges, &answer(-32150), &[]);
    finds(ranges, &answer(-32250), &["jsonrpc/error-code-reserved"]);
    finds(ranges, &answer(2000), &[]);
    for (code, level, exit) in [(7, "note", 0), (8, "warning", 0)] {
        let outcome = check(ranges, &answer(code));
        let violation = &outcome.lines()[4]["violations"][0];
        assert_eq!(violation["rule"], "profile/error-code");
        assert_eq!(
            (violation["level"].as_str(), outcome.code),
            (Some(level), exit)
        );
    }
    let others = format!("other_error_codes = \"error\"\n{ranges}");
    finds(&others, &answer(2000), &["profile/error-code"]);
    finds(&others, &answer(-32250), &["profile/error-code"]);
    finds(&others, &answer(-32150), &[]);
}

#[test]
fn null_ids_and_positional_params_may_be_allowed() {
    let null = r#"c2s {"jsonrpc":"2.0","id":null,"method":"ping"}
        s2c {"jsonrpc":"2.0","id":null,"result":{}}
        c2s {"jsonrpc":"2.0","id":null,"method":"ping"}
        s2c {"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"no"}}"#;
    finds("null_ids = true", null, &[]);
    assert_eq!(check("null_ids = false", null).code, 1);
    finds(
        "null_ids = true",
        r#"c2s {"jsonrpc":"2.0","id":true,"method":"ping"}"#,
        &["jsonrpc/id-type"],
    );
    let positional = r#"c2s {"jsonrpc":"2.0","id":1,"method":"tools/call","params":["add"]}
        s2c {"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#;
    finds("positional_params = true", positional, &[]);
    finds(
        "positional_params = false",
        positional,
        &["jsonrpc/params-object"],
    );
    finds(
        "positional_params = true",
        r#"c2s {"jsonrpc":"2.0","id":1,"method":"ping","params":"add"}
           s2c {"jsonrpc":"2.0","id":1,"result":{}}"#,
        &["jsonrpc/params-object"],
    );
}

#[test]
fn resource_uris_may_be_restricted() {
    let read = |uri: &str| {
        format!(
            r#"c2s {{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{{"uri":"{uri}"}}}}
               s2c {{"jsonrpc":"2.0","id":1,"result":{{}}}}
               c2s {{"jsonrpc":"2.0","id":2,"method":"ping","params":{{"uri":"{uri}"}}}}
               s2c {{"jsonrpc":"2.0","id":2,"result":{{}}}}"#
        )
    };
    let prefix = "[resource_uris]\nprefix = [\"resource://\", \"file:///srv/\"]";
    let pattern = "[resource_uris]\npattern = '^[a-z]+://[^/]+/.'";
    for (profile, uri, rules) in [
        (prefix, "file:///srv/a", &[][..]),
        (prefix, "file:///etc/a", &["profile/resource-uri"]),
        (pattern, "resource://p/a", &[]),
        (pattern, "file:///a", &["profile/resource-uri"]),
    ] {
        finds(profile, &read(uri), rules);
    }
    finds(
        prefix,
        r#"c2s {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}
           s2c {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"resource_link","name":"a","uri":"http://a/b"}]}}"#,
        &["profile/resource-uri"],
    );
}

#[test]
fn levels_may_be_changed_and_flags_are_stronger() {
    let twice = r#"c2s {"jsonrpc":"2.0","id":1,"id":1,"method":"ping"}
        s2c {"jsonrpc":"2.0","id":1,"result":{}}"#;
    let level = |level: &str| format!("[levels]\n\"json/unique-keys\" = \"{level}\"");
    assert_eq!(check(&level("error"), twice).code, 1);
    assert_eq!(check(&level("warning"), twice).code, 0);
    finds(&level("off"), twice, &[]);
    let flags = ["--format", "ndjson", "--select", "json/unique-keys"];
    let outcome = check_as(&level("off"), twice, &flags);
    assert_eq!(outcome.rules().concat(), ["json/unique-keys"]);
    let flags = ["--format", "ndjson", "--ignore", "profile"];
    let outcome = check_as("expected_revision = \"latest\"", twice, &flags);
    assert_eq!(outcome.rules().concat(), ["json/unique-keys"]);
}

#[test]
fn another_revision_is_flagged() {
    let ping = r#"c2s {"jsonrpc":"2.0","id":1,"method":"ping"}
        s2c {"jsonrpc":"2.0","id":1,"result":{}}"#;
    finds("expected_revision = \"2025-06-18\"", ping, &[]);
    for revision in ["latest", "2025-03-26"] {
        let profile = format!("expected_revision = \"{revision}\"");
        finds(&profile, ping, &["profile/revision"]);
    }
    let version = |named: &str| {
        format!(
            r#"c2s {{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{"_meta":{{"io.modelcontextprotocol/protocolVersion":"{named}","io.modelcontextprotocol/clientCapabilities":{{}},"io.modelcontextprotocol/clientInfo":{{"name":"a","version":"1"}}}}}}}}"#
        )
    };
    let lines = check("expected_revision = \"2025-06-18\"", &version("2026-07-28")).lines();
    let violation = &lines[3]["violations"][0];
    assert_eq!(violation["rule"], "profile/revision");
    assert!(
        violation["pointer"]
            .as_str()
            .unwrap()
            .ends_with("protocolVersion")
    );
}

const NO_DEBUG: &str = r#"
    [[rule]]
    name = "house/no-debug"
    method = ["tools/call"]
    kind = "request"
    direction = "c2s"
    at = "/params/arguments/debug"
    schema = false
    message = "Debug <is> not for \"production\""
    help = "leave `debug` out"
    source = "https://example.org/rules (2026-11-01)"
    "#;

const DEBUG_CALL: &str = r#"c2s {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"debug":true}}}
    s2c {"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#;

#[test]
fn custom_rules_look_where_they_are_told_to() {
    finds(NO_DEBUG, DEBUG_CALL, &["house/no-debug"]);
    for changed in [
        NO_DEBUG.replace("tools/call", "prompts/get"),
        NO_DEBUG.replace("\"request\"", "[\"response\", \"error\"]"),
        NO_DEBUG.replace("c2s", "s2c"),
        NO_DEBUG.replace("/params/arguments/debug", "/params/debug"),
        NO_DEBUG.replace("schema = false", "schema = { type = \"boolean\" }"),
    ] {
        finds(&changed, DEBUG_CALL, &[]);
    }
    let whole = r#"
        [[rule]]
        name = "house/short"
        schema = { properties = { params = { maxProperties = 1 } } }
        message = "too many params"
        level = "warning"
        layer = "session""#;
    let outcome = check(whole, DEBUG_CALL);
    assert_eq!(outcome.code, 0);
    let lines = outcome.lines();
    assert_eq!(lines[3]["verdict"], "flag");
    let violation = &lines[3]["violations"][0];
    assert_eq!(violation["pointer"], "/params");
    assert_eq!(violation["layer"], "session");
    assert_eq!(check_as(whole, DEBUG_CALL, &["--strict"]).code, 1);
    let flags = ["--layers", "json,jsonrpc,schema", "--format", "ndjson"];
    let outcome = check_as(whole, DEBUG_CALL, &flags);
    assert_eq!(outcome.rules().concat(), Vec::<String>::new());
}

#[test]
fn custom_rules_know_the_methods_of_the_profile() {
    let profile = r#"
        [[rule]]
        name = "house/named"
        method = "x/greet"
        at = "/result"
        schema = { required = ["name"] }
        message = "the answer has no name"
        [methods."x/greet"]
        "#;
    finds(
        profile,
        r#"c2s {"jsonrpc":"2.0","id":1,"method":"x/greet"}
           s2c {"jsonrpc":"2.0","id":1,"result":{}}
           c2s {"jsonrpc":"2.0","id":2,"method":"ping"}
           s2c {"jsonrpc":"2.0","id":2,"result":{}}"#,
        &["house/named"],
    );
}

#[test]
fn every_format_shows_name_and_message_of_a_custom_rule() {
    let help = super::support::run(&["check", "--help"], "").stdout;
    let formats = help.split("--format <FORMAT>").nth(1).unwrap();
    let formats = formats.split("[possible values:").nth(1).unwrap();
    let formats = formats.split(']').next().unwrap();
    for format in formats.split(',').map(str::trim) {
        let outcome = check_as(NO_DEBUG, DEBUG_CALL, &["--format", format]);
        assert_eq!(outcome.code, 1, "{format}: {}", outcome.stderr);
        let text = outcome.stdout;
        assert!(text.contains("house/no-debug"), "{format}: {text}");
        let parts = ["Debug", "not for", "production"];
        assert!(
            parts.iter().all(|part| text.contains(part)),
            "{format}: {text}"
        );
    }
    let violation = check(NO_DEBUG, DEBUG_CALL).lines()[3]["violations"][0].clone();
    assert_eq!(violation["message"], "Debug <is> not for \"production\"");
    assert_eq!(violation["help"], "leave `debug` out");
    assert_eq!(violation["spec"], "https://example.org/rules (2026-11-01)");
    assert_eq!(
        (violation["level"].as_str(), violation["layer"].as_str()),
        (Some("error"), Some("schema"))
    );
}

#[test]
fn a_profile_may_extend_others() {
    let session = super::records(DEBUG_CALL);
    let extending = r#"
        extends = ["house.toml", "strict"]
        expected_revision = "2025-06-18"
        strict = false
        [levels]
        "house/no-debug" = "note"
        "#;
    let folder = folder(&[
        ("profiles/house.toml", NO_DEBUG.as_bytes()),
        ("profiles/mine.toml", extending.as_bytes()),
        ("mcp-assay.toml", b"profile = \"profiles/mine.toml\""),
        ("session.ndjson", session.as_bytes()),
    ]);
    let outcome = run_in(&folder, &["check", "session.ndjson", "--format", "ndjson"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let violation = &outcome.lines()[3]["violations"][0];
    assert_eq!(violation["rule"], "house/no-debug");
    assert_eq!(violation["level"], "note");
    // The flag wins over the configuration.
    let flags = [
        "check",
        "session.ndjson",
        "--format",
        "ndjson",
        "--profile",
        "spec",
    ];
    assert_eq!(
        run_in(&folder, &flags).rules().concat(),
        Vec::<String>::new()
    );
}

#[test]
fn the_configuration_may_have_a_profile_for_some_files() {
    let (usual, old) = (super::records(DEBUG_CALL), super::records(DEBUG_CALL));
    let folder = folder(&[
        ("house.toml", NO_DEBUG.as_bytes()),
        (
            "mcp-assay.toml",
            b"[[path]]\nfiles = \"old/*\"\nprofile = \"house.toml\"",
        ),
        ("a.ndjson", usual.as_bytes()),
        ("old/a.ndjson", old.as_bytes()),
    ]);
    let outcome = run_in(&folder, &["check", "a.ndjson", "--format", "ndjson"]);
    assert_eq!(outcome.rules().concat(), Vec::<String>::new());
    let outcome = run_in(&folder, &["check", "old/a.ndjson", "--format", "ndjson"]);
    assert_eq!(outcome.rules().concat(), ["house/no-debug"]);
}

#[test]
fn a_baseline_knows_custom_rules() {
    let session = super::records(DEBUG_CALL);
    let folder = folder(&[
        ("house.toml", NO_DEBUG.as_bytes()),
        ("session.ndjson", session.as_bytes()),
    ]);
    let check = ["check", "session.ndjson", "--profile", "house.toml"];
    let written = run_in(
        &folder,
        &[&check[..], &["--write-baseline", "known.json"]].concat(),
    );
    assert_eq!(written.code, 0, "{}", written.stderr);
    let known = run_in(
        &folder,
        &[&check[..], &["--baseline", "known.json"]].concat(),
    );
    assert_eq!(known.code, 0, "{}", known.stderr);
}

#[test]
fn levels_name_methods_of_the_profile_and_kinds_of_messages() {
    let greet = r#"c2s {"jsonrpc":"2.0","id":5,"method":"x/greet","params":7}"#;
    let bad = r#"c2s {"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#;
    let both = format!("{greet}\n{bad}");
    let method = "[methods.\"x/greet\"]\n";
    finds(method, greet, &["jsonrpc/params-object"]);
    let off = format!("{method}[levels]\n\"method:x/greet\" = \"off\"");
    finds(&off, greet, &[]);
    let quiet = format!("{off}\n\"kind:notification\" = \"off\"");
    finds(&quiet, &both, &[]);
    let fault = complaint("[levels]\n\"method:x/greet\" = \"off\"");
    assert!(fault.contains("no method is called `x/greet`"), "{fault}");
}
