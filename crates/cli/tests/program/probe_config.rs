//! The meaning of `mcp-assay.toml` for `probe`.

#![cfg(unix)]

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::probe::{BAD, GOOD};
use crate::support::{BAD_CALL, Outcome, folder, run_in};

fn probe_in(folder: &TempDir, flags: &[&str], server: &str) -> Outcome {
    let all = [&["probe", "--quick"], flags, &["--", "sh", "-c", server]].concat();
    run_in(folder, &all)
}

/// The report in the format `json`.
fn report(outcome: &Outcome) -> Value {
    serde_json::from_str(&outcome.stdout).expect("a document")
}

fn status(report: &Value, rule: &str) -> (String, String) {
    let rules = report["rules"].as_array().expect("rules");
    let entry = rules.iter().find(|entry| entry["rule"] == rule);
    let entry = entry.unwrap_or_else(|| panic!("{rule} is not in the report"));
    let text = |name: &str| entry[name].as_str().unwrap_or_default().to_owned();
    (text("status"), text("level"))
}

#[test]
fn its_format_counts_unless_a_flag_says_otherwise() {
    for written in ["json", "ndjson"] {
        let config = format!("format = \"{written}\"");
        let folder = folder(&[("mcp-assay.toml", config.as_bytes())]);
        let outcome = probe_in(&folder, &[], &GOOD);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        if written == "json" {
            assert_eq!(status(&report(&outcome), "schema/missing-member").0, "pass");
        } else {
            assert_eq!(outcome.summary()["rules"]["fail"], 0);
        }
        let outcome = probe_in(&folder, &["--format", "human"], &GOOD);
        assert!(outcome.stdout.contains("0 failed"), "{}", outcome.stdout);
        let outcome = probe_in(&folder, &["--no-config"], &GOOD);
        assert!(outcome.stdout.contains("0 failed"), "{}", outcome.stdout);
    }
}

#[test]
fn its_baseline_counts_and_serves_check_too() {
    let config = b"baseline = \"known.json\"";
    let folder = folder(&[
        ("mcp-assay.toml", config),
        ("a.ndjson", BAD_CALL.as_bytes()),
    ]);
    let write = ["--write-baseline", "known.json"];
    let outcome = run_in(&folder, &[&["check", "a.ndjson"], &write[..]].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_eq!(probe_in(&folder, &[], &BAD).code, 1);
    assert_eq!(probe_in(&folder, &write, &BAD).code, 0);
    // Neither has removed the entries of the other.
    let outcome = probe_in(&folder, &[], &BAD);
    assert_eq!(outcome.code, 0, "{}{}", outcome.stdout, outcome.stderr);
    let outcome = run_in(&folder, &["check", "a.ndjson"]);
    assert_eq!(outcome.code, 0, "{}{}", outcome.stdout, outcome.stderr);
    let outcome = run_in(&folder, &[&["check", "a.ndjson"], &write[..]].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let text = fs::read_to_string(folder.path().join("known.json")).unwrap();
    assert!(
        text.contains("<server>") && text.contains("a.ndjson"),
        "{text}"
    );
}

#[test]
fn its_levels_and_choice_of_rules_count() {
    let levels: &[u8] = b"format = \"json\"\n[levels]\nschema = \"note\"\nping = \"note\"";
    let folder_with_levels = folder(&[("mcp-assay.toml", levels)]);
    let outcome = probe_in(&folder_with_levels, &[], &BAD);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let report_with_levels = report(&outcome);
    let found = status(&report_with_levels, "schema/missing-member");
    assert_eq!(found, ("fail".to_owned(), "note".to_owned()));
    // Requirements that only probing shows follow their family.
    assert_eq!(status(&report_with_levels, "ping/any-phase").1, "note");
    assert_eq!(
        status(&report_with_levels, "version/counter-offer").1,
        "error"
    );
    let ignore: &[u8] = b"format = \"json\"\nignore = [\"schema\", \"version\"]";
    let outcome = probe_in(&folder(&[("mcp-assay.toml", ignore)]), &[], &BAD);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let report = report(&outcome);
    let rules = report["rules"].as_array().unwrap();
    let has = |family: &str| {
        let mut names = rules.iter().filter_map(|entry| entry["rule"].as_str());
        names.any(|name| name.starts_with(family))
    };
    assert!(!has("schema/") && !has("version/") && has("ping/"));
}

#[test]
fn a_rule_of_a_profile_passes_where_its_matter_was_seen() {
    let profile: &[u8] = br#"
expected_revision = "2025-06-18"

[[rule]]
name = "house/named"
method = "initialize"
kind = "response"
at = "/result/serverInfo/name"
schema = { minLength = 1 }
message = "a server has a name"

[[rule]]
name = "house/titled"
method = "initialize"
kind = "response"
at = "/result/serverInfo/title"
schema = { minLength = 1 }
message = "a title has letters"

[[rule]]
name = "house/long-name"
method = "initialize"
kind = "response"
at = "/result/serverInfo/name"
schema = { minLength = 9 }
message = "a name is long"
"#;
    let folder = folder(&[("house.toml", profile)]);
    let flags = ["--profile", "house.toml", "--format", "json"];
    let outcome = probe_in(&folder, &flags, &GOOD);
    assert_eq!(outcome.code, 1, "{}", outcome.stderr);
    let report = report(&outcome);
    assert_eq!(status(&report, "house/named").0, "pass");
    assert_eq!(status(&report, "house/titled").0, "not_observed");
    assert_eq!(status(&report, "house/long-name").0, "fail");
    assert_eq!(status(&report, "profile/revision").0, "fail");
}
