//! Baselines: new failures fail, known ones pass, fixed ones are stale.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::TRAFFIC;
use crate::support::{BAD_CALL, Outcome, PING, folder, run_in};

fn project() -> TempDir {
    folder(&[
        ("captures/a.ndjson", TRAFFIC.as_bytes()),
        (
            "captures/b.ndjson",
            format!("{BAD_CALL}\n{BAD_CALL}\n{PING}\n").as_bytes(),
        ),
    ])
}

fn write(folder: &TempDir) -> Outcome {
    run_in(
        folder,
        &["check", "captures", "--write-baseline", "known.json"],
    )
}

fn check(folder: &TempDir, arguments: &[&str]) -> Outcome {
    run_in(
        folder,
        &[&["check", "--baseline", "known.json"], arguments].concat(),
    )
}

fn edit(folder: &TempDir, name: &str, change: impl FnOnce(String) -> String) {
    let path = folder.path().join(name);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(path, change(text)).unwrap();
}

#[test]
fn the_file_is_small_sorted_and_without_positions() {
    let folder = project();
    let outcome = write(&folder);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let text = fs::read_to_string(folder.path().join("known.json")).unwrap();
    let expected = r#"{"version":1,"known":[
{"rule":"jsonrpc/version-member","source":"captures/a.ndjson","method":"ping","pointer":"","count":1},
{"rule":"schema/missing-member","source":"captures/a.ndjson","method":"tools/call","pointer":"","count":1},
{"rule":"schema/wrong-type","source":"captures/a.ndjson","method":"tools/call","pointer":"/params/name","count":1},
{"rule":"schema/missing-member","source":"captures/b.ndjson","method":"tools/call","pointer":"","count":2}
]}
"#;
    assert_eq!(text, expected);
    serde_json::from_str::<Value>(&text).unwrap();
}

#[test]
fn known_failures_pass_wherever_the_run_begins() {
    let folder = project();
    write(&folder);
    let outcome = check(&folder, &["captures"]);
    assert_eq!(outcome.code, 0, "{}{}", outcome.stdout, outcome.stderr);
    assert!(
        outcome
            .stderr
            .contains("known.json: 5 known, 0 new, 0 stale"),
        "{}",
        outcome.stderr
    );
    // People see new failures; a warning is not known, but does not fail.
    assert!(!outcome.stdout.contains("error["), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("warning[json/unique-keys]"));
    // A part of the sources shows nothing about the rest, and neither does a part of the rules.
    assert_eq!(check(&folder, &["captures/b.ndjson"]).code, 0);
    assert_eq!(check(&folder, &["captures", "--select", "json"]).code, 0);
    assert_eq!(check(&folder, &["captures", "--jobs", "1"]).code, 0);
    let strict = check(&folder, &["captures", "--strict"]);
    assert_eq!(strict.code, 1);
    assert!(
        strict.stderr.contains("5 known, 1 new"),
        "{}",
        strict.stderr
    );
    // Lines may come and go.
    edit(&folder, "captures/b.ndjson", |text| {
        format!("{PING}\n\n{text}")
    });
    assert_eq!(check(&folder, &["captures"]).code, 0);
    // Programs get every message.
    let lines = check(&folder, &["captures/b.ndjson", "--format", "ndjson"]);
    assert_eq!(lines.summary()["block"], 2);
    assert_eq!(lines.code, 0);
}

#[test]
fn new_failures_fail() {
    let folder = project();
    write(&folder);
    edit(&folder, "captures/b.ndjson", |text| {
        format!("{text}{BAD_CALL}\n")
    });
    let outcome = check(&folder, &["captures"]);
    assert_eq!(outcome.code, 1);
    assert!(
        outcome.stderr.contains("5 known, 1 new, 0 stale"),
        "{}",
        outcome.stderr
    );
    assert_eq!(
        outcome.stdout.matches("error[").count(),
        1,
        "{}",
        outcome.stdout
    );
    assert_eq!(check(&folder, &["captures", "--exit-zero"]).code, 0);
    // A broken record is no violation, and never known.
    edit(&folder, "captures/b.ndjson", |_| {
        format!("{BAD_CALL}\n{BAD_CALL}\n{{\"dir\":\"c2s\",\"raw\":3}}\n")
    });
    assert_eq!(check(&folder, &["captures"]).code, 1);
}

#[test]
fn fixed_failures_are_stale_and_fail() {
    let folder = project();
    write(&folder);
    edit(&folder, "captures/b.ndjson", |_| {
        format!("{BAD_CALL}\n{PING}\n")
    });
    let outcome = check(&folder, &["captures"]);
    assert_eq!(outcome.code, 1);
    assert!(
        outcome.stderr.contains(
            "stale: schema/missing-member in captures/b.ndjson, tools/call: 2 known, 1 found"
        ),
        "{}",
        outcome.stderr
    );
    assert!(
        outcome
            .stderr
            .contains("4 known, 0 new, 1 stale; `--write-baseline known.json`"),
        "{}",
        outcome.stderr
    );
    // A file that is gone has no failures any more.
    fs::remove_file(folder.path().join("captures/b.ndjson")).unwrap();
    let outcome = check(&folder, &["captures"]);
    assert_eq!(outcome.code, 1);
    assert!(
        outcome.stderr.contains("2 known, 0 found"),
        "{}",
        outcome.stderr
    );
    // Written anew, it is true again.
    assert_eq!(write(&folder).code, 0);
    assert_eq!(check(&folder, &["captures"]).code, 0);
}

#[test]
fn a_run_that_is_not_whole_writes_nothing() {
    let folder = project();
    let arguments = [
        "check",
        "captures",
        "no.ndjson",
        "--write-baseline",
        "k.json",
    ];
    let outcome = run_in(&folder, &arguments);
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.contains("k.json is not written"),
        "{}",
        outcome.stderr
    );
    assert!(!folder.path().join("k.json").exists());
}

#[test]
fn a_file_that_is_no_baseline_is_refused() {
    for (text, fault) in [
        ("{", "line 1 column 1"),
        ("{\"version\":2,\"known\":[]}", "version 2, expected 1"),
        ("{\"version\":1,\"know\":[]}", "unknown field `know`"),
    ] {
        let folder = folder(&[("known.json", text.as_bytes())]);
        let outcome = check(&folder, &[]);
        assert_eq!(outcome.code, 2, "{text}");
        assert!(
            outcome.stderr.contains("known.json") && outcome.stderr.contains(fault),
            "{}",
            outcome.stderr
        );
    }
    assert_eq!(check(&folder(&[]), &[]).code, 2);
}
