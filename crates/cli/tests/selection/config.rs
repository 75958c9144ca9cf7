//! `mcp-assay.toml`.

use tempfile::TempDir;

use crate::TRAFFIC;
use crate::support::{Outcome, assay, folder, run_in};

/// A folder with a configuration and traffic in `a.ndjson`, `legacy/b.ndjson` and
/// `legacy/deep/c.ndjson`.
fn project(config: &str) -> TempDir {
    folder(&[
        ("mcp-assay.toml", config.as_bytes()),
        ("a.ndjson", TRAFFIC.as_bytes()),
        ("legacy/b.ndjson", TRAFFIC.as_bytes()),
        ("legacy/deep/c.ndjson", TRAFFIC.as_bytes()),
    ])
}

fn check(config: &str, arguments: &[&str]) -> Outcome {
    run_in(
        &project(config),
        &[&["check", "--format", "ndjson"], arguments].concat(),
    )
}

fn rules(config: &str, arguments: &[&str]) -> Vec<String> {
    let outcome = check(config, arguments);
    assert!(outcome.stderr.is_empty(), "{}", outcome.stderr);
    outcome.rules().concat()
}

#[test]
fn the_file_is_found_above_and_flags_win() {
    let folder =
        project("select = [\"schema\"]\nignore = [\"schema/wrong-type\"]\nformat = \"ndjson\"\n");
    let run = |arguments: &[&str]| {
        let output = assay(&[&["check", "c.ndjson"], arguments].concat())
            .current_dir(folder.path().join("legacy/deep"))
            .output()
            .unwrap();
        let outcome = Outcome {
            code: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        };
        assert!(outcome.stderr.is_empty(), "{}", outcome.stderr);
        outcome.rules().concat()
    };
    assert_eq!(run(&[]), ["schema/missing-member"]);
    assert_eq!(run(&["--ignore", "schema"]), [""; 0]);
    assert_eq!(
        run(&["--select", "schema"]),
        ["schema/missing-member", "schema/wrong-type"]
    );
    assert_eq!(run(&["--select", "warning"]), ["json/unique-keys"]);
    assert_eq!(run(&["--no-config", "--format", "ndjson"]).len(), 4);
    assert_eq!(
        run(&["--config", "../../mcp-assay.toml"]),
        ["schema/missing-member"]
    );
}

#[test]
fn levels_are_overridden() {
    let config = "[levels]\nerror = \"note\"\n\"schema/wrong-type\" = \"off\"\n";
    let outcome = check(config, &["a.ndjson"]);
    assert_eq!(outcome.code, 0);
    let levels: Vec<_> = outcome
        .lines()
        .iter()
        .filter_map(|line| line["violations"][0]["level"].as_str().map(str::to_owned))
        .collect();
    assert_eq!(levels, ["note", "note", "warning"]);
    let strict = check(&format!("strict = true\n{config}"), &["a.ndjson"]);
    assert_eq!(strict.code, 1);
    assert_eq!(
        check(
            &format!("strict = true\n{config}"),
            &["a.ndjson", "--no-strict"]
        )
        .code,
        0
    );
    assert_eq!(strict.summary()["block"], 1);
    let raised = check("[levels]\nwarning = \"error\"\n", &["a.ndjson"]);
    assert_eq!(raised.summary()["block"], 4);
}

#[test]
fn layers_limits_and_revision_are_set() {
    assert_eq!(
        rules("layers = [\"json\"]", &["a.ndjson"]),
        ["json/unique-keys"]
    );
    let limited = rules("limits = { bytes = 10 }", &["a.ndjson"]);
    assert_eq!(limited, ["json/size-limit"; 5]);
    let flag = ["a.ndjson", "--max-message-bytes", "1000"];
    assert_eq!(rules("limits = { bytes = 10 }", &flag).len(), 4);
    let revision = |config: &str, arguments: &[&str]| {
        let outcome = check(config, &[&["a.ndjson"], arguments].concat());
        outcome.lines()[0]["revision"].as_str().unwrap().to_owned()
    };
    assert_eq!(revision("revision = \"2025-03-26\"", &[]), "2025-03-26");
    assert_eq!(
        revision("revision = \"2025-03-26\"", &["--revision", "auto"]),
        "2025-11-25"
    );
}

#[test]
fn tables_speak_of_some_files() {
    let config = "\
        select = [\"schema\"]\n\
        [[path]]\n\
        files = \"legacy/**\"\n\
        ignore = [\"schema/wrong-type\"]\n\
        [[path]]\n\
        files = [\"legacy/deep/*\", \"nothing.log\"]\n\
        select = [\"warning\"]\n\
        strict = true\n";
    for jobs in ["1", "2"] {
        let outcome = check(config, &[".", "--jobs", jobs]);
        let found: Vec<(String, String, String)> = outcome
            .lines()
            .iter()
            .filter(|line| line["violations"][0].is_object())
            .map(|line| {
                let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
                let violation = &line["violations"][0];
                (
                    text(&line["source"]).replace('\\', "/"),
                    text(&violation["rule"]),
                    text(&violation["level"]),
                )
            })
            .collect();
        let found: Vec<_> = found
            .iter()
            .map(|(source, rule, level)| (source.as_str(), rule.as_str(), level.as_str()))
            .collect();
        let expected = [
            ("./a.ndjson", "schema/missing-member", "error"),
            ("./a.ndjson", "schema/wrong-type", "error"),
            ("./legacy/b.ndjson", "schema/missing-member", "error"),
            ("./legacy/deep/c.ndjson", "json/unique-keys", "error"),
        ];
        assert_eq!(found, expected, "{jobs} jobs");
    }
    // Flags are stronger than tables.
    let flags = rules(config, &["legacy/deep/c.ndjson", "--select", "jsonrpc"]);
    assert_eq!(flags, ["jsonrpc/version-member"]);
}

#[test]
fn faults_name_line_and_column() {
    for (config, fault) in [
        (
            "strict = true\nselct = []\n",
            "mcp-assay.toml:2:1: unknown key `selct`; did you mean `select`?",
        ),
        (
            "ignore = [\"jsn\"]",
            "mcp-assay.toml:1:11: no rule, family, layer or level is called `jsn`; did you mean `json`?",
        ),
        ("strict = ", "mcp-assay.toml:1:"),
    ] {
        for command in [&["check", "a.ndjson"][..], &["rules", "--on"]] {
            let outcome = run_in(&project(config), command);
            assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{config}");
            assert!(outcome.stderr.contains(fault), "{}", outcome.stderr);
        }
    }
    let missing = check("", &["a.ndjson", "--config", "no.toml"]);
    assert_eq!(missing.code, 2);
    assert!(missing.stderr.contains("no.toml"), "{}", missing.stderr);
    // Only commands that choose read it.
    assert_eq!(run_in(&project("nonsense"), &["rules"]).code, 0);
    assert_eq!(run_in(&project("nonsense"), &["demo"]).code, 0);
    let left_out = run_in(&project("nonsense"), &["check", "--no-config", "a.ndjson"]);
    assert_eq!(left_out.code, 1);
}

#[test]
fn paths_begin_at_the_file() {
    let folder = folder(&[
        (
            "conf/mcp-assay.toml",
            b"baseline = \"known.json\"\nschema_override = \"missing-schema.json\"\n",
        ),
        ("conf/known.json", b"{\"version\":1,\"known\":[]}"),
        (
            "a.ndjson",
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n",
        ),
    ]);
    let arguments = ["check", "--config", "conf/mcp-assay.toml", "a.ndjson"];
    let outcome = run_in(&folder, &arguments);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("conf"), "{}", outcome.stderr);
    let refused = run_in(&folder, &[&arguments[..], &["--schema-required"]].concat());
    assert_eq!(refused.code, 2, "{}", refused.stderr);
}

#[test]
fn the_example_of_the_documentation_is_read() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/configuration.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, rest) = page.split_once("```toml\n").expect("an example");
    let (example, _) = rest.split_once("```").expect("its end");
    let outcome = run_in(&project(example), &["rules", "--on"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(
        outcome.stdout.contains("rules are on"),
        "{}",
        outcome.stdout
    );
}
