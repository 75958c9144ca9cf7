//! `--select`, `--ignore`, `--layers` and `--strict`.

use crate::support::run;
use crate::{TRAFFIC, found};

const ALL: [&str; 4] = [
    "schema/missing-member",
    "schema/wrong-type",
    "jsonrpc/version-member",
    "json/unique-keys",
];

#[test]
fn rules_families_layers_and_levels_are_selected_and_ignored() {
    let [missing, wrong_type, version, keys] = ALL;
    for (flags, expected) in [
        (&[][..], &ALL[..]),
        (&["--select", "schema"], &[missing, wrong_type]),
        (&["--select", "warning"], &[keys]),
        (
            &["--select", "warning,schema/wrong-type"],
            &[wrong_type, keys],
        ),
        (
            &["--select", "warning", "--select", "jsonrpc"],
            &[version, keys],
        ),
        (&["--ignore", "schema"], &[version, keys]),
        (&["--ignore", "error"], &[keys]),
        (&["--select", "schema", "--ignore", wrong_type], &[missing]),
        (
            &["--ignore", "schema", "--select", wrong_type],
            &[wrong_type],
        ),
        (&["--select", missing, "--ignore", "schema"], &[missing]),
        (&["--select", "schema", "--ignore", "schema"], &[]),
        (&["--layers", "json,jsonrpc"], &[version, keys]),
        (&["--layers", "json", "--select", "error"], &[]),
    ] {
        assert_eq!(found(flags), expected, "{flags:?}");
    }
}

#[test]
fn what_is_ignored_does_not_fail_and_strict_makes_warnings_fail() {
    let code = |flags: &[&str]| run(&[&["check", "--no-config"], flags].concat(), TRAFFIC).code;
    assert_eq!(code(&[]), 1);
    assert_eq!(code(&["--ignore", "error"]), 0);
    assert_eq!(code(&["--ignore", "error", "--strict"]), 1);
    assert_eq!(code(&["--ignore", "error", "--strict", "--no-strict"]), 0);
    assert_eq!(code(&["--select", "note"]), 0);
}

#[test]
fn unknown_names_are_refused_with_the_one_that_was_meant() {
    for (flag, name, meant) in [
        ("--select", "shema", "did you mean `schema`?"),
        (
            "--ignore",
            "json,schema/wrong-typ",
            "did you mean `schema/wrong-type`?",
        ),
        (
            "--ignore",
            "wrong-type",
            "did you mean `schema/wrong-type`?",
        ),
        ("--select", "warn", "did you mean `warning`?"),
        (
            "--select",
            "banana",
            "no rule, family, layer or level is called `banana`",
        ),
        ("--layers", "jsonrcp", "'jsonrpc'"),
        (
            "--ignore",
            "schema/request-params",
            "it is checked by `schema/missing-member`",
        ),
    ] {
        for command in ["check", "rules"] {
            let outcome = run(&[command, "--no-config", flag, name], "");
            assert_eq!(outcome.code, 2, "{command} {flag} {name}");
            let shown = outcome.stderr.contains(meant) && outcome.stderr.contains(flag);
            assert!(shown, "{command} {name}: {}", outcome.stderr);
        }
    }
}

/// A request, a notification and an answer, each with a fault, and a line that is no JSON.
const MIXED: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}
{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1}}
{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":7}}
{"jsonrpc":"2.0","id":2,"result":{"tools":7}}
[{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{}},{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{}}]
nonsense
"#;

/// The violated rules, with the line that each was found in.
fn lines_of(flags: &[&str]) -> Vec<(u64, String)> {
    let fixed = [
        "check",
        "--no-config",
        "--format",
        "ndjson",
        "--revision",
        "2025-03-26",
    ];
    let outcome = run(&[&fixed, flags].concat(), MIXED);
    let mut found = Vec::new();
    for line in outcome.lines() {
        let at = line["line"].as_u64().unwrap_or_default();
        for violation in line["violations"].as_array().into_iter().flatten() {
            let rule = violation["rule"].as_str().unwrap();
            if rule.starts_with("schema/") || rule.starts_with("json/") {
                found.push((at, rule.to_owned()));
            }
        }
    }
    found
}

#[test]
fn messages_are_selected_by_method_and_kind() {
    let numbers = |flags: &[&str]| -> Vec<u64> {
        lines_of(flags).into_iter().map(|(line, _)| line).collect()
    };
    assert_eq!(numbers(&[]), [1, 2, 3, 4, 5, 5, 6]);
    for (flags, expected) in [
        (&["--select", "method:tools/call"][..], &[1, 5][..]),
        (&["--select", "method:tools/list"], &[3, 4]),
        (&["--select", "method:tools/list,kind:response"], &[4]),
        (&["--select", "kind:notification"], &[2]),
        (&["--select", "kind:batch"], &[5, 5]),
        (&["--select", "kind:unreadable"], &[6]),
        (&["--ignore", "kind:notification"], &[1, 3, 4, 5, 5, 6]),
        (&["--ignore", "method:tools/call"], &[2, 3, 4, 5, 6]),
        (
            &["--select", "schema/missing-member,method:tools/call"],
            &[1, 5],
        ),
        (&["--select", "schema/wrong-type,method:tools/call"], &[]),
    ] {
        assert_eq!(numbers(flags), expected, "{flags:?}");
    }
    for (name, says) in [
        ("method:tools/cal", "did you mean `method:tools/call`?"),
        ("kind:notice", "no kind of message is called `notice`"),
    ] {
        let outcome = run(&["check", "--select", name], "");
        assert_eq!(outcome.code, 2);
        assert!(outcome.stderr.contains(says), "{}", outcome.stderr);
    }
}

#[test]
fn levels_are_given_to_messages_in_the_configuration() {
    let folder = crate::support::folder(&[
        (
            "mcp-assay.toml",
            b"revision = \"2025-03-26\"\n[levels]\n\"method:tools/call\" = \"note\"\n\"kind:notification\" = \"off\"\n\"method:resources/read\" = \"warning\"\n",
        ),
        ("a.ndjson", MIXED.as_bytes()),
    ]);
    let outcome = crate::support::run_in(&folder, &["check", "a.ndjson", "--format", "ndjson"]);
    let lines = outcome.lines();
    let levels = |line: usize| -> Vec<String> {
        let violations = lines[line - 1]["violations"].as_array().unwrap();
        let levels = violations
            .iter()
            .map(|it| it["level"].as_str().unwrap().to_owned());
        levels.collect()
    };
    assert_eq!(levels(1), ["note"]);
    assert_eq!(lines[0]["verdict"], "flag");
    assert_eq!(levels(2), [""; 0]);
    assert!(levels(3).contains(&"error".to_owned()));
    assert_eq!(levels(5), ["note", "warning"]);
}
