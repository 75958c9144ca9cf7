//! Formats for build servers and browsers, as a run writes them.

use std::fs;

use crate::support::{BAD_CALL, LIST, PING, PONG, TOOLS, assay, run, run_in};
use serde_json::Value;
use tempfile::TempDir;

const DOCUMENTS: [&str; 4] = ["junit", "sarif", "github", "html"];

/// A repository with captures in a folder: two with a fault, one without.
fn repository() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::create_dir_all(folder.path().join(".git")).unwrap();
    fs::create_dir_all(folder.path().join("logs")).unwrap();
    let record = |time: f64, direction: &str, raw: &str| {
        serde_json::json!({"t": time, "dir": direction, "raw": raw}).to_string()
    };
    let lists = [record(0.5, "c2s", LIST), record(0.75, "s2c", TOOLS)].join("\n");
    for (name, text) in [
        ("a.ndjson", format!("{PING}\n{PONG}\n{BAD_CALL}\n")),
        ("b.ndjson", lists),
        ("c d.ndjson", format!("{BAD_CALL}\n{{\"dir\":\"c2s\"\n")),
    ] {
        fs::write(folder.path().join("logs").join(name), text).unwrap();
    }
    folder
}

#[test]
fn exit_codes_are_the_same_in_every_format() {
    for format in DOCUMENTS {
        assert_eq!(
            run(&["check", "--format", format], PING).code,
            0,
            "{format}"
        );
        assert_eq!(
            run(&["check", "--format", format], BAD_CALL).code,
            1,
            "{format}"
        );
        let zero = ["check", "--format", format, "--exit-zero"];
        assert_eq!(run(&zero, BAD_CALL).code, 0, "{format}");
        let lost = run(&["check", "--format", format, "no/such.ndjson"], "");
        assert_eq!(lost.code, 2, "{format}");
    }
}

#[test]
fn several_files_at_once_make_the_same_document() {
    let folder = repository();
    for format in DOCUMENTS {
        let one = run_in(
            &folder,
            &["check", "logs", "--format", format, "--jobs", "1"],
        );
        let many = run_in(
            &folder,
            &["check", "logs", "--format", format, "--jobs", "8"],
        );
        assert_eq!(one.stdout, many.stdout, "{format}");
        let file = folder.path().join("report");
        let to_file = ["check", "logs", "--format", format, "--output", "report"];
        assert_eq!(run_in(&folder, &to_file).stdout, "");
        assert_eq!(fs::read_to_string(file).unwrap(), one.stdout, "{format}");
    }
}

#[test]
fn paths_begin_at_the_repository() {
    let folder = repository();
    let below = |format| {
        let mut command = assay(&["check", ".", "--format", format]);
        let output = command
            .current_dir(folder.path().join("logs"))
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let sarif: Value = serde_json::from_str(&below("sarif")).unwrap();
    let uris: Vec<_> = sarif["runs"][0]["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| {
            result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
                .as_str()
                .unwrap()
        })
        .collect();
    assert!(
        uris.contains(&"logs/a.ndjson") && uris.contains(&"logs/c%20d.ndjson"),
        "{uris:?}"
    );
    let github = below("github");
    assert!(
        github.contains("::error file=logs/a.ndjson,line=3,col=1,"),
        "{github}"
    );
    assert!(
        github.contains("file=logs/c d.ndjson,line=2,title=capture/readable-record::"),
        "{github}"
    );
    let junit = below("junit");
    assert_eq!(junit.matches("<testsuite ").count(), 3, "{junit}");
    assert!(junit.contains("file=\"logs/b.ndjson\""), "{junit}");
}

#[test]
fn the_page_names_a_command_that_shows_the_same() {
    let folder = repository();
    let flags = [
        "check",
        "logs/a.ndjson",
        "--format",
        "html",
        "--revision",
        "2025-03-26",
    ];
    let page = run_in(&folder, &flags).stdout;
    let (_, command) = page.split_once("<code class=\"cmd\">mcp-assay ").unwrap();
    let (command, _) = command.split_once("</code>").unwrap();
    let mut arguments: Vec<&str> = command.split(' ').collect();
    assert_eq!(
        arguments[..4],
        ["check", "logs/a.ndjson", "--revision", "2025-03-26"]
    );
    arguments.extend(["--format", "ndjson"]);
    let again = run_in(&folder, &arguments);
    assert_eq!(again.code, 1, "{command}");
    assert_eq!(again.lines()[2]["violations"].as_array().unwrap().len(), 1);
}

#[test]
fn times_of_a_capture_become_durations() {
    let page = run_in(
        &repository(),
        &["check", "logs/b.ndjson", "--format", "html"],
    )
    .stdout;
    assert!(
        page.contains("<span class=\"took\">250 ms</span>"),
        "{page}"
    );
}

#[test]
fn known_failures_do_not_fail_a_build_server() {
    let folder = repository();
    let write = ["check", "logs/a.ndjson", "--write-baseline", "known.json"];
    assert_eq!(run_in(&folder, &write).code, 0);
    for (format, fault) in [
        ("junit", "<failure"),
        ("sarif", "\"level\":\"error\",\"loc"),
        ("github", "::error"),
    ] {
        let known = [
            "check",
            "logs/a.ndjson",
            "--baseline",
            "known.json",
            "--format",
            format,
        ];
        let outcome = run_in(&folder, &known);
        assert_eq!(outcome.code, 0, "{format}");
        assert!(!outcome.stdout.contains(fault), "{}", outcome.stdout);
        let new = ["check", "logs/a.ndjson", "--format", format];
        assert!(run_in(&folder, &new).stdout.contains(fault), "{format}");
    }
}

#[test]
fn quiet_leaves_a_summary_where_there_is_one() {
    for format in ["junit", "sarif"] {
        let refused = run(&["check", "--quiet", "--format", format], BAD_CALL);
        assert_eq!(refused.code, 2);
        assert!(
            refused.stderr.contains("--quiet leaves nothing to write"),
            "{}",
            refused.stderr
        );
    }
    let page = run(&["check", "--quiet", "--format", "html"], BAD_CALL).stdout;
    assert!(
        page.contains("schema/missing-member") && !page.contains("<details"),
        "{page}"
    );
    let lines = run(&["check", "--quiet", "--format", "github"], BAD_CALL).stdout;
    assert!(
        lines.contains("1 with errors") && !lines.contains("::error"),
        "{lines}"
    );
}
