//! Every built-in profile has transcripts on which its verdict differs from that of `spec`.
//!
//! `NAME.own.ndjson` passes under the profile and fails under `spec`, `NAME.spec.ndjson` the
//! reverse. Profiles that only demand more have none of the first kind: a capture that passes there
//! passes under `spec`, as their `NAME.both.ndjson`.

use std::path::PathBuf;

use super::support::{Outcome, run};

fn check(transcript: &str, profile: &[&str]) -> Outcome {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/profiles/transcripts");
    let path = folder.join(transcript);
    let path = path.to_str().unwrap();
    let arguments = [
        &["check", path, "--no-config", "--format", "ndjson"],
        profile,
    ]
    .concat();
    let outcome = run(&arguments, "");
    assert!(outcome.stderr.is_empty(), "{}", outcome.stderr);
    outcome
}

fn under(transcript: &str, profile: &str) -> Outcome {
    check(transcript, &["--profile", profile])
}

#[test]
fn dialects_allow_what_the_protocol_forbids() {
    for name in ["erlmcp", "base-stack"] {
        let own = format!("{name}.own.ndjson");
        assert_eq!(under(&own, name).code, 0, "{name}");
        assert_eq!(under(&own, name).rules().concat(), Vec::<String>::new());
        assert_eq!(under(&own, "spec").code, 1, "{name}");
        assert_eq!(check(&own, &[]).code, 1, "{name}");
    }
}

#[test]
fn profiles_forbid_what_the_protocol_allows() {
    for (name, rules) in [
        ("strict", &["profile/revision"][..]),
        ("erlmcp", &["profile/error-code"]),
        (
            "base-stack",
            &["profile/resource-uri", "profile/resource-uri"],
        ),
        (
            "openai",
            &[
                "openai/tool-name-characters",
                "openai/tool-name-length",
                "openai/no-root-composition",
                "openai/root-properties",
                "openai/array-items",
            ],
        ),
        (
            "anthropic",
            &[
                "anthropic/tool-name",
                "anthropic/tool-name-length",
                "anthropic/no-root-composition",
                "anthropic/property-names",
            ],
        ),
        (
            "gemini",
            &[
                "gemini/tool-name",
                "gemini/array-items",
                "gemini/no-union-items",
                "gemini/one-type",
                "gemini/no-boolean-schema",
            ],
        ),
    ] {
        let theirs = format!("{name}.spec.ndjson");
        let outcome = under(&theirs, name);
        assert_eq!(outcome.code, 1, "{name}");
        assert_eq!(outcome.rules().concat(), rules, "{name}");
        assert_eq!(under(&theirs, "spec").code, 0, "{name}");
        assert_eq!(check(&theirs, &[]).code, 0, "{name}");
    }
}

#[test]
fn what_passes_under_profiles_that_only_demand_more_passes_under_spec() {
    for (name, transcript) in [
        ("strict", "strict.both.ndjson"),
        ("openai", "providers.both.ndjson"),
        ("anthropic", "providers.both.ndjson"),
        ("gemini", "providers.both.ndjson"),
    ] {
        assert_eq!(under(transcript, name).code, 0, "{name}");
        assert_eq!(under(transcript, "spec").code, 0, "{name}");
        // Messages that the protocol forbids stay forbidden.
        for own in ["erlmcp.own.ndjson", "base-stack.own.ndjson"] {
            assert_eq!(under(own, name).code, 1, "{name} {own}");
        }
    }
}

#[test]
fn strict_makes_errors_of_warnings_and_no_strict_takes_it_back() {
    let twice = r#"{"jsonrpc":"2.0","id":5,"id":5,"method":"ping"}"#;
    let code = |flags: &[&str]| run(&[&["check", "--no-config"], flags].concat(), twice).code;
    assert_eq!(code(&[]), 0);
    assert_eq!(code(&["--profile", "strict"]), 1);
    assert_eq!(code(&["--profile", "strict", "--no-strict"]), 0);
}

#[test]
fn they_are_listed_shown_and_explained() {
    let list = run(&["profiles"], "");
    let names = [
        "spec",
        "strict",
        "erlmcp",
        "base-stack",
        "openai",
        "anthropic",
        "gemini",
    ];
    assert_eq!(list.stdout.lines().count(), names.len());
    for (line, name) in list.stdout.lines().zip(names) {
        assert!(line.starts_with(name), "{line}");
        let shown = run(&["profiles", "show", name], "");
        assert!(shown.stdout.starts_with("# ") && shown.code == 0, "{name}");
    }
    let unknown = run(&["profiles", "show", "opnai"], "");
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.stderr.contains("did you mean `openai`?"),
        "{}",
        unknown.stderr
    );
    for (rule, says) in [
        (
            "openai/array-items",
            "https://github.com/spacelift-io/spacectl",
        ),
        ("anthropic/tool-name-length", "warning"),
        ("profile/error-code", "does not allow this error code"),
        ("profile/method-empty", "a method has a name"),
    ] {
        let page = run(&["explain", rule], "");
        assert!(
            page.code == 0 && page.stdout.contains(says),
            "{}",
            page.stdout
        );
    }
}

#[test]
fn examples_in_profiles_are_run() {
    let outcome = run(&["profiles", "check"], "");
    assert_eq!(outcome.code, 0, "{}", outcome.stdout);
    assert_eq!(outcome.stdout.lines().count(), 7, "{}", outcome.stdout);
    let wrong = br#"
        null_ids = true
        [[allowed]]
        messages = '--> {"jsonrpc":"2.0","id":null,"method":"ping"}'
        [[refused]]
        by = "jsonrpc/request-id-not-null"
        messages = '--> {"jsonrpc":"2.0","id":null,"method":"ping"}'
    "#;
    let folder = super::support::folder(&[("mine.toml", wrong)]);
    let outcome = super::support::run_in(&folder, &["profiles", "check", "mine.toml"]);
    assert_eq!(outcome.code, 1);
    for says in ["example 2 (refused)", "1 of 2 examples"] {
        assert!(outcome.stdout.contains(says), "{}", outcome.stdout);
    }
}

/// Servers that only have older revisions are not at fault, whatever the client offers.
#[test]
fn strict_expects_what_the_server_can_speak() {
    let revisions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
    for offered in revisions.iter().chain(&["2026-07-28"]) {
        for agreed in revisions.iter().filter(|agreed| **agreed <= *offered) {
            let session = format!(
                r#"{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{{"protocolVersion":"{offered}","capabilities":{{}},"clientInfo":{{"name":"c","version":"1"}}}}}}
{{"jsonrpc":"2.0","id":1,"result":{{"protocolVersion":"{agreed}","capabilities":{{}},"serverInfo":{{"name":"s","version":"1"}}}}}}
"#
            );
            let flags = [
                "check",
                "--no-config",
                "--profile",
                "strict",
                "--format",
                "ndjson",
            ];
            let outcome = run(&flags, &session);
            let of_profile = outcome.stdout.contains("profile/revision");
            assert!(!of_profile, "{offered} {agreed} {}", outcome.stdout);
        }
    }
}

#[test]
fn batches_of_a_plain_stack_are_checked_message_by_message() {
    let batch = r#"[{"jsonrpc":"2.0","id":1.5,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"bad"},7,{"jsonrpc":"2.0","id":3,"method":""}]"#;
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let flags = [
            "check",
            "--no-config",
            "--profile",
            "base-stack",
            "--format",
            "ndjson",
            "--revision",
            revision,
        ];
        let outcome = run(&flags, batch);
        let line = &outcome.lines()[0];
        let found: Vec<_> = line["violations"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| (it["pointer"].as_str().unwrap(), it["code"].as_i64()))
            .collect();
        let expected = [
            ("/1/method", Some(-32601)),
            ("/2", Some(-32600)),
            ("/3/method", Some(-32600)),
        ];
        assert_eq!(found, expected, "{revision}");
    }
}
