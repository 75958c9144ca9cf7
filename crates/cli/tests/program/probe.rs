//! `probe` for its users: exit codes, formats, reproductions, baselines.

#![cfg(unix)]

use std::sync::LazyLock;

use mcp_assay_testkit::http::{Response, serve};
use mcp_assay_testkit::shell::ShellServer;
use serde_json::Value;

use crate::support::assay;

/// A server that speaks one revision and nothing but `ping`, and says this of itself.
pub(crate) fn server(info: &str) -> ShellServer {
    ShellServer::new().info(info).answer("ping", "{}")
}

pub(crate) const GOOD_INFO: &str = r#"{"name":"sh","version":"1"}"#;

/// A member is missing.
pub(crate) const BAD_INFO: &str = r#"{"name":"sh"}"#;

pub(crate) static GOOD: LazyLock<String> = LazyLock::new(|| server(GOOD_INFO).script());
pub(crate) static BAD: LazyLock<String> = LazyLock::new(|| server(BAD_INFO).script());

pub(crate) fn probe(flags: &[&str], server: &str) -> std::process::Output {
    let mut command = assay(&["probe", "--quick"]);
    command.args(flags).args(["--", "sh", "-c", server]);
    command.output().unwrap()
}

#[test]
fn a_clean_server_is_exit_0_and_a_broken_one_exit_1() {
    let output = probe(&[], &GOOD);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("0 failed"), "{text}");
    let output = probe(&[], &BAD);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("error[schema/missing-member]"), "{text}");
    assert!(
        text.contains(r#"<-- {"jsonrpc":"2.0","id":1,"result""#),
        "{text}"
    );
}

#[test]
fn what_cannot_be_started_is_exit_4_and_what_is_no_url_exit_2() {
    for (arguments, code) in [
        (&["probe", "--", "/no/such/server"][..], 4),
        (&["probe", "--url", "http://127.0.0.1:9/mcp"], 4),
        (&["probe", "--url", "ftp://example.com"], 2),
        (&["probe", "--header", "a: b", "--", "true"], 2),
        (&["probe", "--only", "no/such-rule", "--", "true"], 2),
        (&["probe"], 2),
    ] {
        let output = assay(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert!(!output.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn who_wants_authorisation_is_exit_3_with_what_can_be_said() {
    let url = serve(|_| {
        let mut response = Response::bare(401);
        let challenge = ("www-authenticate", "Bearer".to_owned());
        response.headers.push(challenge);
        response
    });
    let output = assay(&["probe", "--url", &url]).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("--header"), "{said}");
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(
        report.contains("error[auth/metadata-discoverable]"),
        "{report}"
    );
}

#[test]
fn every_rule_is_in_the_json_report() {
    let output = probe(&["--format", "json"], &BAD);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rules = report["rules"].as_array().unwrap();
    let of = |name: &str| rules.iter().find(|rule| rule["rule"] == name).unwrap();
    let failed = of("schema/missing-member");
    assert_eq!(failed["status"], "fail");
    assert_eq!(failed["failures"][0]["pointer"], "/result/serverInfo");
    let schema = &failed["failures"][0]["schema"];
    assert_eq!(schema["pointer"], "/$defs/Implementation/required");
    assert_eq!(schema["keyword"], "required");
    assert_eq!(
        failed["failures"][0]["evidence"].as_array().unwrap().len(),
        2
    );
    assert_eq!(of("http/origin-403")["status"], "not_applicable");
    assert_eq!(of("jsonrpc/parse-error-reply")["status"], "not_observed");
    assert_eq!(report["summary"]["rules"]["fail"], 1);
}

#[test]
fn known_failures_pass_and_new_ones_fail() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("known.json");
    let path = path.to_str().unwrap();
    assert_eq!(
        probe(&["--write-baseline", path], &BAD).status.code(),
        Some(0)
    );
    assert_eq!(probe(&["--baseline", path], &BAD).status.code(), Some(0));
    assert_eq!(
        probe(&["--write-baseline", path], &GOOD).status.code(),
        Some(0)
    );
    assert_eq!(probe(&["--baseline", path], &BAD).status.code(), Some(1));
}

#[test]
fn only_what_is_asked_for_is_reported() {
    let output = probe(
        &["--only", "probe,ping/empty-result", "--format", "json"],
        &BAD,
    );
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let ids: Vec<_> = report["rules"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rule| rule["rule"].as_str().unwrap())
        .collect();
    assert!(
        ids.iter()
            .all(|id| id.starts_with("probe/") || id.starts_with("ping/")),
        "{ids:?}"
    );
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn what_only_probing_shows_is_explained() {
    let output = assay(&["explain", "http/origin-403"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.starts_with("http/origin-403 (error)\n"), "{text}");
    for part in [
        "answered with 403",
        "How to fix",
        "basic/transports#security-warning",
        "since 2025-11-25",
        "mcp-assay probe --only http/origin-403",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_quick_probe_waits_for_no_timeout() {
    let output = probe(&["--step-timeout", "3600", "--timeout", "7200"], &GOOD);
    assert_eq!(output.status.code(), Some(0));
}
