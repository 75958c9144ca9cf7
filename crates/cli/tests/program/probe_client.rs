//! `probe client` for its users.

#![cfg(unix)]

use std::fs;

use mcp_assay_testkit::shell::shell_client;
use serde_json::Value;

use crate::support::assay;

fn good() -> String {
    shell_client(r#"{"name":"sh","version":"1"}"#)
}

/// A member is missing from its first message.
fn bad() -> String {
    shell_client(r#"{"name":"sh"}"#)
}

fn probe(flags: &[&str], client: &str) -> std::process::Output {
    let mut command = assay(&["probe", "client", "--quick", "--revision", "2025-11-25"]);
    command.args(flags).args(["--", "sh", "-c", client]);
    command.output().unwrap()
}

#[test]
fn a_clean_client_is_exit_0_and_a_broken_one_exit_1() {
    let output = probe(&[], &good());
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("0 failed"), "{text}");
    assert!(text.contains(" speaks 2025-11-25: clean"), "{text}");
    let output = probe(&[], &bad());
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("error[schema/missing-member]"), "{text}");
}

#[test]
fn what_is_about_servers_is_not_applicable() {
    let output = probe(&["--format", "json"], &good());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rules = report["rules"].as_array().unwrap();
    let of = |name: &str| rules.iter().find(|rule| rule["rule"] == name).unwrap();
    assert_eq!(of("version/counter-offer")["status"], "not_applicable");
    assert_eq!(of("lifecycle/stdio-shutdown-order")["status"], "pass");
    assert_eq!(of("ping/empty-result")["status"], "pass");
    assert_eq!(of("http/client-reads-both")["status"], "not_applicable");
}

#[test]
fn a_failure_is_reproduced_by_the_command_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    probe(&["--reproduce", path], &bad());
    let text = fs::read_to_string(folder.path().join("schema-missing-member-1.txt")).unwrap();
    let command = text.lines().last().unwrap();
    let words: Vec<_> = command.split(' ').skip(1).collect();
    let output = assay(&words).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{command}");
}

#[test]
fn who_never_connects_is_exit_4() {
    for flags in [&[][..], &["--http"]] {
        let output = probe(flags, "echo nothing to do >&2");
        assert_eq!(output.status.code(), Some(4), "{flags:?}");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.contains("never connected"), "{text}");
        assert!(text.contains("nothing to do"), "{text}");
    }
    let output = assay(&["probe", "client", "--", "/no/such/client"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(4));
    let output = assay(&["probe", "client"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_client_is_told_where_the_server_is() {
    let folder = tempfile::tempdir().unwrap();
    let note = folder.path().join("note");
    let script = format!(
        "cat \"$MCP_ASSAY_CONFIG\" > {0}; printf '\\n%s\\n' \"$1 $MCP_ASSAY_SERVER_URL\" >> {0}",
        note.display()
    );
    assay(&[
        "probe", "client", "--http", "--quick", "--", "sh", "-c", &script, "sh", "{url}",
    ])
    .output()
    .unwrap();
    let note = fs::read_to_string(note).unwrap();
    let (config, rest) = note.split_once('\n').unwrap();
    let config: Value = serde_json::from_str(config).unwrap();
    let url = config["mcpServers"]["mcp-assay"]["url"].as_str().unwrap();
    assert!(url.starts_with("http://127.0.0.1:"), "{url}");
    assert_eq!(rest.trim(), format!("{url} {url}"));
}
