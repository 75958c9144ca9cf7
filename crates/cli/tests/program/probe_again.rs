//! The files of `--reproduce`: the fewest records, and a command that shows the failure again.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::probe::{self, BAD_INFO};
use crate::probe_http::{faulty, serve};
use crate::support::assay;

/// Talks on standard output, lacks a member, and answers every method that it does not know with
/// an empty result.
fn server() -> String {
    let answer = r#"[ -z "$id" ] || printf '{"jsonrpc":"2.0","id":%s,"result":{}}\n' "$id""#;
    let server = probe::server(BAD_INFO).begin("echo ready");
    server.case(r#"*'"id"'*"#, answer).script()
}

#[test]
fn failures_of_a_stdio_server_are_shown_again() {
    let ids = reproduce(&["--", "sh", "-c", &server()]);
    for id in [
        "framing/stdout-messages-only",
        "jsonrpc/parse-error-reply",
        "jsonrpc/unknown-method-reply",
        "schema/missing-member",
    ] {
        assert!(ids.contains(id), "{id}: {ids:?}");
    }
}

#[test]
fn failures_of_an_http_server_are_shown_again() {
    let url = serve(faulty);
    let ids = reproduce(&["--url", &url]);
    for id in [
        "http/response-content-type",
        "jsonrpc/unknown-method-reply",
        "schema/missing-member",
    ] {
        assert!(ids.contains(id), "{id}: {ids:?}");
    }
}

/// Probes, and runs every resulting command; returns the rules.
fn reproduce(target: &[&str]) -> BTreeSet<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let output = assay(&["probe", "--step-timeout", "2", "--reproduce", path])
        .args(target)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let mut ids = BTreeSet::new();
    for file in fs::read_dir(&folder).unwrap() {
        let file = file.unwrap().path();
        if file.extension().is_some_and(|ending| ending == "txt") {
            ids.insert(show_again(&folder, &file));
        }
    }
    ids
}

/// Runs the command beside a capture; returns its rule.
fn show_again(folder: &TempDir, file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap();
    let (_, rest) = text.split_once('[').unwrap();
    let (id, _) = rest.split_once("]: ").unwrap();
    let (_, command) = text.split_once("\nmcp-assay ").unwrap();
    let capture = file.with_extension("ndjson");
    let lines = fs::read_to_string(&capture).unwrap();
    assert!(!lines.is_empty(), "{id}");
    // As a user would: the line goes to a shell.
    let program = assert_cmd::cargo::cargo_bin!("mcp-assay");
    let run = |command: &str| {
        let line = format!("{} {command}", program.display());
        let output = assert_cmd::Command::new("sh")
            .args(["-c", &line])
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    if command.starts_with("probe ") {
        let command = command.replacen("probe ", "probe --step-timeout 2 --format json ", 1);
        let shown = run(&command);
        let report: Value =
            serde_json::from_str(&shown).unwrap_or_else(|_| panic!("{id}: {shown}"));
        assert_eq!(report["rules"][0]["rule"], id);
        assert_eq!(report["rules"][0]["status"], "fail", "{command}");
        return id.to_owned();
    }
    let shows = |command: &str| {
        let shown = run(&format!("{} --format ndjson", command.trim_end()));
        shown.contains(&format!("\"rule\":\"{id}\""))
    };
    assert!(shows(command), "{command}");
    // No record can be left out.
    let fewer = folder.path().join("fewer.ndjson");
    let lines: Vec<_> = lines.lines().collect();
    for left_out in 0..lines.len() {
        let mut lines = lines.clone();
        lines.remove(left_out);
        fs::write(&fewer, lines.join("\n") + "\n").unwrap();
        let name = capture.to_str().unwrap();
        let command = command.replace(name, fewer.to_str().unwrap());
        assert!(!shows(&command), "{id}: without record {left_out}");
    }
    id.to_owned()
}
