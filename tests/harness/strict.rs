//! Strict mode: what fails, when, with which words, and what can be let pass.

use std::sync::Arc;

#[cfg(unix)]
use mcp_assay::Direction;
use mcp_assay::profile::Profile;
use mcp_assay::{Layer, Level, LevelOverride, Policy, Revision};
#[cfg(unix)]
use mcp_assay_harness::Record;
use mcp_assay_harness::{Error, ExpectError as _, Harness};
use serde_json::{Value, json};

#[cfg(unix)]
use crate::server::shell;
use crate::server::{SERVER, faulty, harness, live};

/// The act of a test.
type Act = fn(&mut Harness) -> Result<(), Error>;

/// The rules of a failure, with their layers.
fn rules(error: &Error) -> Vec<(&'static str, Layer)> {
    error
        .violations()
        .iter()
        .map(|violation| (violation.rule.name, violation.rule.layer))
        .collect()
}

#[test]
fn a_failure_says_what_is_wrong_where_and_what_to_do() {
    let mut server = faulty("no-server-version").start().unwrap();
    let error = server.initialize().unwrap_err();
    let text = error.to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        "strict mode: initialize result: `serverInfo.version` is missing"
    );
    assert_eq!(
        lines[1],
        "  rule: schema/missing-member (error, layer schema, 2025-11-25)"
    );
    assert!(
        lines[2].starts_with("  at:   /result/serverInfo, bytes "),
        "{text}"
    );
    assert!(lines[3].starts_with("  help: "), "{text}");
    assert!(lines[4].starts_with("  sent: "), "{text}");
    assert_eq!(lines.len(), 5);
    // What `unwrap` prints is the same.
    assert_eq!(format!("{error:?}"), text);
}

#[test]
fn a_violation_at_each_layer_fails_the_call_that_meets_it() {
    let list = |server: &mut Harness| server.list_prompts().map(drop);
    let call = |server: &mut Harness| server.call_tool("echo", json!({"text": "a"})).map(drop);
    let start = |server: &mut Harness| server.initialize().map(drop);
    let cases: [(&str, Act, &str, Layer); 9] = [
        (
            "talks-on-stdout",
            start,
            "framing/stdout-messages-only",
            Layer::Framing,
        ),
        ("not-utf8", list, "framing/utf8", Layer::Framing),
        ("repeated-key", list, "json/unique-keys", Layer::Json),
        (
            "old-jsonrpc",
            list,
            "jsonrpc/version-member",
            Layer::Jsonrpc,
        ),
        (
            "id-is-text",
            list,
            "response/id-type-preserved",
            Layer::Session,
        ),
        ("text-is-a-number", call, "schema/wrong-type", Layer::Schema),
        (
            "structured-misfit",
            call,
            "tools/structured-matches-schema",
            Layer::Tools,
        ),
        (
            "progress-for-nobody",
            list,
            "progress/token-known",
            Layer::Session,
        ),
        (
            "logs-at-no-level",
            list,
            "schema/unknown-value",
            Layer::Schema,
        ),
    ];
    for (fault, act, rule, layer) in cases {
        // Repeated keys are a warning.
        let builder = faulty(fault).fail_at(Level::Warning);
        let mut server = builder.start().unwrap();
        if rule != "framing/stdout-messages-only" {
            server.initialize().unwrap();
            server.list_tools().unwrap();
        }
        let error = act(&mut server).unwrap_err();
        assert_eq!(rules(&error), [(rule, layer)], "{fault}: {error}");
        // It stays known, and is not told twice.
        assert_eq!(rules(&server.expect_no_violations().unwrap_err()).len(), 1);
    }
}

#[test]
fn an_answer_that_went_astray_fails_at_once() {
    // The answer has another id: whoever waits for the right one waits for nothing.
    let mut server = faulty("id-is-text")
        .timeout(std::time::Duration::from_secs(3600))
        .start()
        .unwrap();
    server.initialize().unwrap();
    let error = server.list_prompts().unwrap_err();
    assert_eq!(error.violations().len(), 1, "{error}");
}

#[test]
fn over_http_the_head_is_judged_too() {
    let http = live(&["--fault", "content-type-is-text"]);
    let mut server = harness(&http).start().unwrap();
    server.initialize().unwrap();
    let error = server.list_prompts().unwrap_err();
    assert_eq!(rules(&error), [("http/response-content-type", Layer::Http)]);
    let text = error.to_string();
    assert!(text.starts_with("strict mode: HTTP answer"), "{text}");
}

#[test]
fn a_lenient_harness_goes_on_and_remembers() {
    let mut server = faulty("no-server-version").lenient().start().unwrap();
    let handshake = server.initialize().unwrap();
    assert_eq!(handshake.server_info.version, "");
    server.list_tools().unwrap();
    assert_eq!(server.violations().len(), 1);
    let error = server.expect_no_violations().unwrap_err();
    assert!(
        error
            .to_string()
            .contains("`serverInfo.version` is missing")
    );
}

#[cfg(unix)]
#[test]
fn noise_can_be_let_pass_and_nothing_else_with_it() {
    let mut server = faulty("talks-on-stdout")
        .allow_stdout_noise()
        .start()
        .unwrap();
    server.initialize().unwrap();
    server.expect_no_violations().unwrap();
    assert!(server.capture().contains("server is listening"));
    // What only begins like a message is no noise.
    let mut server = shell(r#"*'"ping"'*) printf 'log: ping\n{"jsonrpc": oops\n' ;;"#)
        .allow_stdout_noise()
        .start()
        .unwrap();
    server.initialize().unwrap();
    let error = server.ping().unwrap_err();
    assert_eq!(error.violations()[0].rule.layer, Layer::Json, "{error}");
}

#[test]
fn rules_can_be_chosen_in_every_way() {
    const FAULT: &str = "no-server-version";
    const RULE: &str = "schema/missing-member";
    let mut policy = Policy::default();
    policy.selection.ignore(RULE).unwrap();
    for (passes, builder) in [
        (true, faulty(FAULT).ignore(RULE)),
        (true, faulty(FAULT).ignore("schema")),
        (true, faulty(FAULT).select("progress")),
        (true, faulty(FAULT).layers([Layer::Json, Layer::Session])),
        (true, faulty(FAULT).level(RULE, LevelOverride::Note)),
        (true, faulty(FAULT).policy(policy)),
        (false, faulty(FAULT).select(RULE)),
        (true, faulty(FAULT).level(RULE, LevelOverride::Warning)),
        (
            false,
            faulty(FAULT)
                .level(RULE, LevelOverride::Warning)
                .fail_at(Level::Warning),
        ),
        (false, faulty(FAULT).layers([Layer::Schema])),
    ] {
        let mut server = builder.start().unwrap();
        assert_eq!(server.initialize().is_ok(), passes);
    }
    let error = faulty(FAULT).ignore("shema").start().err().unwrap();
    assert!(error.to_string().contains("schema"), "{error}");
}

#[test]
fn the_first_call_is_checked_against_the_schema_of_its_tool() {
    let mut server = faulty("structured-misfit").start().unwrap();
    server.initialize().unwrap();
    let error = server.call_tool("echo", json!({"text": "a"})).unwrap_err();
    let expected = ("tools/structured-matches-schema", Layer::Tools);
    assert_eq!(rules(&error), [expected]);
    // The list is asked for once, page by page.
    let lists = |server: &Harness| {
        let timings = server.timings().iter();
        let lists = timings.filter(|timing| timing.method == "tools/list");
        lists.count()
    };
    let before = lists(&server);
    server.call_tool("echo", json!({"text": "a"})).ok();
    assert_eq!((before > 0, lists(&server)), (true, before));
}

#[cfg(unix)]
#[test]
fn the_harness_never_sends_null_where_an_object_has_to_be() {
    const ASKS: &str = r#"*'"tools/call"'*) printf '{"jsonrpc":"2.0","id":"q","method":"roots/list"}\n'; read -r answer; printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}\n' "$id" ;;"#;
    let mut asking = shell(ASKS)
        .capabilities(Value::Null)
        .on_request("roots/list", |_| Ok(Value::Null))
        .start()
        .unwrap();
    asking.initialize().unwrap();
    asking.call_tool("ask", Value::Null).unwrap();
    let mut server = faulty("").start().unwrap();
    server.initialize().unwrap();
    server
        .notify("notifications/roots/list_changed", Value::Null)
        .unwrap();
    server.request("tools/list", Value::Null).unwrap();
    server.call_tool("echo", Value::Null).ok();
    server.get_prompt("greet", Value::Null).ok();
    let sent = asking.records().iter().chain(server.records());
    let sent = sent.filter(|record| record.direction() == Direction::ClientToServer);
    let mut answers = 0;
    for message in sent.filter_map(Record::message) {
        for place in [
            "/params",
            "/result",
            "/params/arguments",
            "/params/capabilities",
        ] {
            assert_ne!(message.pointer(place), Some(&Value::Null), "{message}");
        }
        answers += usize::from(message.get("result").is_some());
    }
    assert_eq!(answers, 1);
}

#[test]
fn a_dialect_is_judged_by_its_profile() {
    let mut profile = Profile::new("ours");
    profile.restrict_uris_to_prefixes(&["ours://"]).unwrap();
    let mut server = faulty("").profile(Arc::new(profile)).start().unwrap();
    server.initialize().unwrap();
    server.list_tools().unwrap();
    let error = server.list_resources().unwrap_err();
    assert!(
        error.to_string().contains("resources/list result"),
        "{error}"
    );
    assert_eq!(error.violations().len(), 1);
}

#[test]
fn what_the_test_sends_is_not_judged() {
    let mut server = Harness::spawn([SERVER]).unwrap();
    server.initialize().unwrap();
    let error = server
        .request("no/such-method", json!({"_meta": 7}))
        .unwrap_err();
    assert_eq!(error.kind(), "refused");
    assert!(error.to_string().contains("-32601"), "{error}");
    server.notify("no/such-notification", Value::Null).unwrap();
    server.call_tool("echo", json!([])).ok();
    server.expect_no_violations().unwrap();
}

#[test]
fn schemas_of_tools_are_looked_at() {
    let mut server = faulty("schema-is-text").ignore("schema").start().unwrap();
    server.initialize().unwrap();
    let error = server.expect_schema_valid().unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("the `inputSchema` of `echo` is not of the type `object`"),
        "{text}"
    );
}

#[test]
fn what_is_expected_and_not_so_is_told_in_words() {
    let mut server = Harness::spawn([SERVER]).unwrap();
    let early = server.list_tools().unwrap_err();
    assert!(
        early.to_string().contains("call initialize() first"),
        "{early}"
    );
    server.initialize().unwrap();
    let unknown = server.expect_tool("ecko").unwrap_err();
    let text = unknown.to_string();
    assert!(
        text.starts_with("there is no tool `ecko`: the server lists `echo`, "),
        "{text}"
    );
    assert!(text.ends_with("`erase`"), "{text}");
    let tool = server.expect_tool("erase").unwrap();
    let error = tool.expect_read_only().unwrap_err();
    assert_eq!(
        error.to_string(),
        "the tool `erase` is not annotated as read-only"
    );
    assert!(tool.expect_argument("text").is_err());
    let error = server.ping().expect_error(-32601).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the server answered with a result, expected error -32601"
    );
    let error = server
        .call_tool("no-such-tool", Value::Null)
        .expect_error(-32601)
        .unwrap_err();
    assert!(
        error.to_string().contains("expected error -32601"),
        "{error}"
    );
}

#[test]
fn pages_that_never_end_are_not_followed_for_ever() {
    let mut server = faulty("endless-pages").lenient().start().unwrap();
    server.initialize().unwrap();
    let error = server.list_tools().unwrap_err();
    assert!(error.to_string().contains("circle"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_server_cannot_write_to_the_terminal() {
    let mut server = shell(
        r#"*'"ping"'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-1,"message":"\\u001b[31mred\\u0007"}}\n' "$id" ;;"#,
    )
    .start()
    .unwrap();
    server.initialize().unwrap();
    let text = server.ping().unwrap_err().to_string();
    assert!(text.contains("red") && !text.contains('\u{1b}'), "{text:?}");
}

#[test]
fn every_revision_can_be_asked_for() {
    for revision in Revision::ALL {
        let mut server = Harness::command([SERVER])
            .revision(revision)
            .start()
            .unwrap();
        let handshake = server.initialize().unwrap();
        assert_eq!(handshake.protocol_version, revision.name());
        assert_eq!(handshake.server_info.name, "probe-server");
        server.expect_tool("echo").unwrap();
        server.call_tool("echo", json!({"text": "a"})).unwrap();
        server.ping().unwrap();
        server.expect_no_violations().unwrap();
        assert_eq!(server.revision(), Some(revision));
    }
    let mut other = faulty("wrong-echo")
        .revision(Revision::V2025_06_18)
        .start()
        .unwrap();
    let error = other.initialize().unwrap_err();
    assert_eq!(
        error.to_string(),
        "version 2025-06-18 was offered, the server chose 2025-03-26"
    );
}
