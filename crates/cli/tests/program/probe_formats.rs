//! Reports of `probe` for build servers and browsers, from the outside.

#![cfg(unix)]

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::probe::{BAD, GOOD, GOOD_INFO, probe, server};
use crate::support::{assay, folder};

/// A server that is a file of its own, as annotations need one.
fn project(server: &str) -> TempDir {
    folder(&[("server.sh", server.as_bytes()), (".git/HEAD", b"")])
}

fn report(folder: &TempDir, format: &str, flags: &[&str]) -> (i32, String) {
    let mut command = assay(&["probe", "--quick", "--format", format, "--output", "report"]);
    command.args(flags).args(["--", "sh", "server.sh"]);
    let output = command.current_dir(folder.path()).output().unwrap();
    assert!(output.stdout.is_empty());
    let text = fs::read_to_string(folder.path().join("report")).unwrap();
    (output.status.code().unwrap(), text)
}

#[test]
fn build_servers_are_told_what_failed() {
    let folder = project(&BAD);
    let (code, junit) = report(&folder, "junit", &[]);
    assert_eq!(code, 1);
    assert_eq!(junit.matches("<failure ").count(), 1, "{junit}");
    assert!(junit.contains("type=\"schema/missing-member\""));
    assert!(
        junit.contains(
            "shown again by: mcp-assay probe --only schema/missing-member -- sh server.sh"
        )
    );
    let rules = junit.matches("<testcase ").count();
    assert!(rules > 400, "{rules}");

    let (code, sarif) = report(&folder, "sarif", &[]);
    assert_eq!(code, 1);
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    let results = &sarif["runs"][0]["results"];
    assert_eq!(results[0]["ruleId"], "schema/missing-member");
    let schema = &results[0]["properties"]["schema"];
    assert_eq!(schema["keyword"], "required");
    assert_eq!(
        results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
        "server.sh"
    );
    assert_eq!(results.as_array().unwrap().len(), 1);

    let (code, github) = report(&folder, "github", &[]);
    assert_eq!(code, 1);
    assert!(
        github.starts_with("::error file=server.sh,line=1,title=schema/missing-member::"),
        "{github}"
    );
}

#[test]
fn the_page_shows_the_violation_at_its_bytes() {
    let (code, html) = report(&project(&BAD), "html", &[]);
    assert_eq!(code, 1);
    let (header, timeline) = html.split_once("<main>").unwrap();
    assert!(header.contains("<tr id=\"rule/schema/missing-member\">"));
    assert!(timeline.contains("connection 1, 2025-11-25"));
    assert!(timeline.contains("<mark class=\"error\">{\"name\":\"sh\"}</mark>"));
    // Our own messages are not checked, and nothing is fetched.
    assert!(!timeline.contains("m c2s error"));
    assert!(!html.contains(" src="));
}

#[test]
fn a_clean_server_has_a_document_too() {
    let folder = project(&GOOD);
    for (format, sign) in [
        ("junit", "failures=\"0\" errors=\"0\""),
        ("sarif", "\"results\":[\n]"),
        ("github", "0 failed, "),
        ("html", "<title>no rule failed"),
    ] {
        let (code, text) = report(&folder, format, &[]);
        assert_eq!(code, 0, "{format}");
        assert!(text.contains(sign), "{format}: {text}");
    }
}

#[test]
fn whoever_waits_for_a_document_gets_one_from_a_server_that_is_not_there() {
    for (format, sign) in [
        ("json", "\"error\": \"the command could not be started"),
        ("junit", "type=\"unreachable\""),
        ("sarif", "\"executionSuccessful\":false"),
        ("github", "::error title=mcp-assay::"),
        ("html", "<title>nothing could be tested"),
    ] {
        let output = assay(&["probe", "--format", format, "--", "/no/such/server"])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(4), "{format}");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains(sign), "{format}: {text}");
    }
}

#[test]
fn known_failures_are_left_out_and_fixed_ones_are_stale() {
    let folder = project(&BAD);
    let (code, _) = report(&folder, "human", &["--write-baseline", "known.json"]);
    assert_eq!(code, 0);
    let known = ["--baseline", "known.json"];
    for (format, sign) in [
        ("human", "1 failed (1 of level error)"),
        ("junit", "known: the baseline has it"),
        ("sarif", "\"results\":[\n]"),
        ("github", "0 failed, 1 known, "),
        ("json", "\"known\": true"),
        ("html", "<b>1</b> known"),
    ] {
        let (code, text) = report(&folder, format, &known);
        assert_eq!(code, 0, "{format}");
        assert!(text.contains(sign), "{format}: {text}");
        assert!(
            !text.contains("error[") && !text.contains("<failure"),
            "{text}"
        );
    }
    // A quick probe does not see enough to call anything fixed; a whole one does.
    fs::write(folder.path().join("server.sh"), &*GOOD).unwrap();
    assert_eq!(report(&folder, "human", &known).0, 0);
    let whole = |flags: &[&str]| {
        let mut command = assay(&["probe", "--step-timeout", "0.2"]);
        command
            .args(known)
            .args(flags)
            .args(["--", "sh", "server.sh"]);
        command.current_dir(folder.path()).output().unwrap()
    };
    let output = whole(&["--only", "schema"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("stale: schema/missing-member in <server>, initialize"),
        "{said}"
    );
    // A rule that is off need not be fixed.
    assert_eq!(whole(&["--only", "json"]).status.code(), Some(0));
    assert_eq!(
        whole(&["--only", "schema", "--exit-zero"]).status.code(),
        Some(0)
    );
}

#[test]
fn what_is_left_out_is_not_reported() {
    let output = probe(
        &["--except", "schema,ping/any-phase", "--format", "json"],
        &BAD,
    );
    assert_eq!(output.status.code(), Some(0));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rules = report["rules"].as_array().unwrap();
    let has = |start: &str| {
        let name = |rule: &Value| rule["rule"].as_str().unwrap().starts_with(start);
        rules.iter().any(name)
    };
    assert!(!has("schema/") && !has("ping/any-phase") && has("ping/"));
}

#[test]
fn a_profile_has_its_say() {
    let tools = r#"{"tools":[{"name":"a b","inputSchema":{"type":"object","properties":{}}}]}"#;
    let server = server(GOOD_INFO).capabilities(r#"{"tools":{}}"#);
    let server = server.answer("tools/list", tools).script();
    let output = probe(&["--profile", "openai"], &server);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("error[openai/tool-name-characters]"),
        "{text}"
    );
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn an_agent_gets_one_line_a_failure_with_the_remedy_and_the_command() {
    let folder = project(&BAD);
    let (code, concise) = report(&folder, "concise", &[]);
    assert_eq!(code, 1);
    let lines: Vec<_> = concise.lines().collect();
    assert_eq!(lines.len(), 2, "{concise}");
    assert!(
        lines[0].starts_with("server.sh:1:1: error[schema/missing-member] `version` is missing"),
        "{concise}"
    );
    assert!(
        lines[0].ends_with(
            "; fix: add the member; again: mcp-assay probe --only schema/missing-member -- sh server.sh"
        ),
        "{concise}"
    );
    assert!(lines[1].starts_with("1 failed, "), "{concise}");
    assert!(concise.len() < 700, "{}", concise.len());
}

#[test]
fn programs_get_one_line_a_rule() {
    let folder = project(&BAD);
    let (code, text) = report(&folder, "ndjson", &[]);
    assert_eq!(code, 1);
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let (summary, rules) = lines.split_last().unwrap();
    assert!(rules.len() > 400, "{}", rules.len());
    let failed: Vec<_> = rules
        .iter()
        .filter(|rule| rule["status"] == "fail")
        .collect();
    assert_eq!(failed.len(), 1);
    assert_eq!(failed[0]["rule"], "schema/missing-member");
    assert_eq!(summary["summary"]["rules"]["fail"], 1);

    let (_, findings) = report(&folder, "ndjson", &["--only-findings"]);
    assert_eq!(findings.lines().count(), 2, "{findings}");
    let (_, findings) = report(&folder, "json", &["--only-findings"]);
    let findings: Value = serde_json::from_str(&findings).unwrap();
    assert_eq!(findings["rules"].as_array().unwrap().len(), 1);
    assert_eq!(findings["summary"]["rules"]["fail"], 1);
}
