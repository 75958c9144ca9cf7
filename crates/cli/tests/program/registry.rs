//! `registry`, and the contracts that `schema export` prints.

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{folder, run, run_in};

const SEARCH: &[u8] = br#"{"type":"object","required":["query"]}"#;
const SAME: &[u8] = b"{ \"required\": [\"query\"],\n  \"type\": \"object\" }";

fn schemas() -> TempDir {
    folder(&[
        ("a/tools/search.input.json", SEARCH),
        (
            "a/old.json",
            br#"{"$schema":"http://json-schema.org/draft-07/schema#"}"#,
        ),
        ("a/readme.txt", b"no schema"),
        ("b/copy.json", SAME),
        ("b/old.json", b"{}"),
    ])
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect(text)
}

#[test]
fn schemas_in_folders_are_listed() {
    let folder = schemas();
    let human = run_in(&folder, &["registry", "list", "a", "b"]);
    assert_eq!(human.code, 0);
    let lines: Vec<_> = human.stdout.lines().collect();
    assert_eq!(lines.len(), 4, "{}", human.stdout);
    assert!(lines[0].contains("copy") && lines[0].contains("b/copy.json"));
    assert!(lines[1].contains("draft-07") && !lines[1].contains("(shadowed)"));
    assert!(lines[2].ends_with("b/old.json  (shadowed)"));
    let list = run_in(&folder, &["registry", "list", "a", "b", "--format", "json"]);
    let list = parsed(&list.stdout);
    let names: Vec<_> = list
        .as_array()
        .unwrap()
        .iter()
        .map(|row| &row["name"])
        .collect();
    assert_eq!(names, ["copy", "old", "old", "tools/search.input"]);
    assert_eq!(list[0]["fingerprint"], list[3]["fingerprint"]);
    assert_ne!(list[1]["fingerprint"], list[2]["fingerprint"]);
    assert_eq!(
        (&list[1]["shadowed"], &list[2]["shadowed"]),
        (&json!(false), &json!(true))
    );
}

#[test]
fn folders_are_found_without_being_named() {
    let folder = folder(&[
        ("schemas/order.json", b"{}"),
        ("config/mcp-assay/schemas/user.json", b"{}"),
    ]);
    let output = crate::support::assay(&["registry", "list"])
        .current_dir(folder.path())
        .env("XDG_CONFIG_HOME", folder.path().join("config"))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("schemas/order.json"), "{text}");
    assert!(cfg!(windows) || text.contains("user.json"), "{text}");
    let missing = run_in(&folder, &["registry", "list", "nowhere"]);
    assert_eq!(missing.code, 2);
    assert!(missing.stderr.contains("nowhere"), "{}", missing.stderr);
    let file = run_in(&folder, &["registry", "list", "schemas/order.json"]);
    assert_eq!(file.code, 2);
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    let empty = run_in(&folder, &["registry", "list", "empty"]);
    assert_eq!((empty.code, empty.stdout.as_str()), (0, ""));
    assert!(
        empty.stderr.contains("no schemas in empty"),
        "{}",
        empty.stderr
    );
}

#[test]
fn a_spoilt_schema_fails_the_verification_and_no_other_schema() {
    let folder = schemas();
    let sound = run_in(&folder, &["registry", "verify", "a", "b"]);
    assert_eq!(sound.code, 0);
    assert_eq!(sound.stdout, "4 schemas, 3 different ones, 0 broken\n");
    std::fs::write(folder.path().join("a/cut.json"), br#"{"type":"#).unwrap();
    std::fs::write(
        folder.path().join("a/wrong.json"),
        b"{\"$ref\":\"#/\\u001b[31m\"}",
    )
    .unwrap();
    std::fs::create_dir(folder.path().join("a/folder.json")).unwrap();
    let spoilt = run_in(&folder, &["registry", "verify", "a", "b"]);
    assert_eq!(spoilt.code, 1);
    assert!(!spoilt.stdout.contains('\u{1b}'), "{:?}", spoilt.stdout);
    assert!(
        spoilt.stdout.contains("a/cut.json: not JSON at byte 8"),
        "{}",
        spoilt.stdout
    );
    assert!(spoilt.stdout.contains("a/wrong.json"), "{}", spoilt.stdout);
    assert!(
        spoilt
            .stdout
            .ends_with("6 schemas, 3 different ones, 2 broken\n"),
        "{}",
        spoilt.stdout
    );
    let json = run_in(
        &folder,
        &["registry", "verify", "a", "b", "--format", "json"],
    );
    assert_eq!(json.code, 1);
    let json = parsed(&json.stdout);
    assert_eq!(
        json["summary"],
        json!({"schemas": 6, "different": 3, "broken": 2})
    );
    let broken: Vec<_> = json["schemas"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["ok"] == false)
        .map(|row| (&row["name"], &row["error"]["code"]))
        .collect();
    assert_eq!(broken.len(), 2);
    assert!(broken.iter().all(|(_, code)| **code == "INTERNAL_ERROR"));
}

#[test]
fn one_schema_is_shown() {
    let folder = schemas();
    let shown = run_in(
        &folder,
        &["registry", "show", "tools/search.input", "a", "b"],
    );
    assert_eq!(shown.code, 0);
    assert!(shown.stdout.contains("b/copy.json"), "{}", shown.stdout);
    assert!(
        shown.stdout.contains(r#""required":["query"]"#),
        "{}",
        shown.stdout
    );
    let json = run_in(
        &folder,
        &["registry", "show", "old", "a", "b", "--format", "json"],
    );
    let json = parsed(&json.stdout);
    assert_eq!(json["dialect"], "draft-07");
    assert_eq!(
        json["schema"]["$schema"],
        "http://json-schema.org/draft-07/schema#"
    );
    let missing = run_in(&folder, &["registry", "show", "tools/serch.input", "a"]);
    assert_eq!(missing.code, 2);
    assert!(
        missing.stderr.contains("tools/serch.input.json in a")
            && missing
                .stderr
                .contains("did you mean `tools/search.input`?"),
        "{}",
        missing.stderr
    );
    assert_eq!(
        run_in(&folder, &["registry", "show", "../b/copy", "a"]).code,
        2
    );
}

#[test]
fn own_contracts_are_exported() {
    let envelope = parsed(&run(&["schema", "export", "envelope"], "").stdout);
    assert_eq!(envelope["required"], json!(["ok", "data", "error", "meta"]));
    assert_eq!(envelope["additionalProperties"], false);
    let tool_io = parsed(&run(&["schema", "export", "tool-io"], "").stdout);
    assert_eq!(tool_io["required"], json!(["tool", "input"]));
    // The registry accepts the exported documents.
    let folder = folder(&[]);
    for (name, schema) in [("envelope", &envelope), ("tool-io", &tool_io)] {
        let file = folder.path().join(format!("{name}.json"));
        std::fs::write(file, schema.to_string()).unwrap();
    }
    let verified = run_in(&folder, &["registry", "verify", "."]);
    assert_eq!(verified.stdout, "2 schemas, 2 different ones, 0 broken\n");
    let revised = run(
        &["schema", "export", "envelope", "--revision", "2025-06-18"],
        "",
    );
    assert_eq!(revised.code, 2);
    assert!(
        revised.stderr.contains("the same for all revisions"),
        "{}",
        revised.stderr
    );
}
