//! The commands other than `check`.

use crate::support::{folder, run, run_in};
use serde_json::Value;

#[test]
fn every_help_has_examples() {
    let commands: [&[&str]; 17] = [
        &[],
        &["check"],
        &["rules"],
        &["explain"],
        &["schema"],
        &["schema", "list"],
        &["schema", "export"],
        &["schema", "fingerprint"],
        &["schema", "diff"],
        &["schema", "verify"],
        &["registry"],
        &["registry", "list"],
        &["registry", "show"],
        &["registry", "verify"],
        &["demo"],
        &["completions"],
        &["man"],
    ];
    for command in commands {
        let outcome = run(&[command, &["--help"]].concat(), "");
        assert_eq!(outcome.code, 0, "{command:?}");
        assert!(
            outcome.stdout.contains("Examples:\n  mcp-assay "),
            "{command:?}: {}",
            outcome.stdout
        );
    }
}

#[test]
fn rules_are_listed_and_explained() {
    let list = run(&["rules", "--format", "json"], "");
    let rules: Vec<Value> = serde_json::from_str(&list.stdout).expect(&list.stdout);
    assert!(rules.len() > 20);
    let human = run(&["rules"], "");
    for rule in &rules {
        let name = rule["name"].as_str().unwrap();
        assert!(human.stdout.contains(name), "{name}");
        let page = run(&["explain", name], "");
        assert_eq!(page.code, 0, "{name}");
        assert!(
            page.stdout.contains(name) && page.stdout.len() > 100,
            "{}",
            page.stdout
        );
    }
    let page = run(&["explain", "response/id-known"], "").stdout;
    for silence in [
        "the same message violates jsonrpc/batch-one-kind",
        "jsonrpc/batch-not-empty of the same party was reported earlier in the session",
        "it was already reported for the same value",
    ] {
        assert!(page.contains(silence), "{page}");
    }
    let unknown = run(&["explain", "schema/mising-member"], "");
    assert_eq!(unknown.code, 2);
    assert!(
        unknown
            .stderr
            .contains("did you mean `schema/missing-member`?"),
        "{}",
        unknown.stderr
    );
    assert_eq!(run(&["explain", "banana"], "").code, 2);
}

#[test]
fn schemas_are_listed_and_exported() {
    let names = run(&["schema", "list", "--revision", "2025-06-18"], "").stdout;
    assert!(names.lines().any(|name| name == "Tool"), "{names}");
    let overview = run(&["schema", "list"], "").stdout;
    assert!(
        overview
            .lines()
            .any(|line| line.starts_with("AudioContent ") && line.ends_with("since 2025-03-26"))
    );
    let whole: Value =
        serde_json::from_str(&run(&["schema", "export", "--revision", "2025-06-18"], "").stdout)
            .unwrap();
    for name in names.lines() {
        assert!(
            whole["$defs"][name].is_object() || whole["$defs"][name].is_boolean(),
            "{name}"
        );
    }
    // A revision in place of a name is the whole revision.
    let by_name = run(&["schema", "export", "2025-06-18"], "");
    assert_eq!(
        serde_json::from_str::<Value>(&by_name.stdout).unwrap(),
        whole
    );
    let both = run(
        &["schema", "export", "2025-06-18", "--revision", "2025-11-25"],
        "",
    );
    assert_eq!(both.code, 2, "{}", both.stdout);
    for name in [
        "JSONRPCMessage",
        "ClientRequest",
        "ServerResult",
        "EmptyResult",
        "RequestId",
    ] {
        for revision in [
            "2024-11-05",
            "2025-03-26",
            "2025-06-18",
            "2025-11-25",
            "2026-07-28",
        ] {
            let outcome = run(&["schema", "export", name, "--revision", revision], "");
            assert_eq!(outcome.code, 0, "{revision}: {}", outcome.stderr);
            let schema: Value = serde_json::from_str(&outcome.stdout).unwrap();
            assert_eq!(schema["$ref"], format!("#/$defs/{name}"), "{revision}");
        }
    }
    let tool = run(
        &["schema", "export", "Tool", "--revision", "2025-06-18"],
        "",
    );
    let tool: Value = serde_json::from_str(&tool.stdout).unwrap();
    assert!(tool.to_string().contains("inputSchema"));
    let unknown = run(&["schema", "export", "Tol", "--revision", "2025-06-18"], "");
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.stderr.contains("did you mean `Tool`?"),
        "{}",
        unknown.stderr
    );
}

#[test]
fn fingerprints_are_stable_and_distinct() {
    let all = run(&["schema", "fingerprint"], "").stdout;
    assert_eq!(all.lines().count(), 5);
    for line in all.lines() {
        let (print, revision) = line.split_once("  ").expect(line);
        assert!(
            print.len() == 64 && print.bytes().all(|byte| byte.is_ascii_hexdigit()),
            "{line}"
        );
        assert_eq!(
            run(&["schema", "fingerprint", "--revision", revision], "").stdout,
            format!("{line}\n")
        );
    }
}

#[test]
fn revisions_are_compared() {
    let human = run(&["schema", "diff", "2025-03-26", "2025-06-18"], "").stdout;
    assert!(human.contains("Tool.outputSchema: added"), "{human}");
    let json = run(
        &[
            "schema",
            "diff",
            "2025-03-26",
            "2025-06-18",
            "--format",
            "json",
        ],
        "",
    )
    .stdout;
    let changes: Vec<Value> = serde_json::from_str(&json).expect(&json);
    assert_eq!(changes.len() + 1, human.lines().count());
    let output = changes
        .iter()
        .find(|change| change["name"] == "Tool.outputSchema")
        .unwrap();
    assert_eq!(
        (output["subject"].as_str(), output["change"].as_str()),
        (Some("member"), Some("added"))
    );
    assert!(output["from"].is_null() && output["to"].is_string());
    let same = run(
        &[
            "schema",
            "diff",
            "2025-06-18",
            "2025-06-18",
            "--format",
            "json",
        ],
        "",
    );
    assert_eq!((same.code, same.stdout.as_str()), (0, "[]\n"));
    assert_eq!(
        run(&["schema", "diff", "2025-06-18", "2025-06-17"], "").code,
        2
    );
}

#[test]
fn the_schema_of_the_configuration_is_exported() {
    let schema = run(&["schema", "export", "config"], "");
    assert_eq!(schema.code, 0, "{}", schema.stderr);
    let schema: Value = serde_json::from_str(&schema.stdout).unwrap();
    let strict = schema["properties"]["strict"]["enum"].as_array().unwrap();
    assert_eq!(
        strict[..],
        [true.into(), false.into(), "must".into(), "should".into()] as [Value; 4]
    );
    let refused = run(
        &["schema", "export", "config", "--revision", "2025-06-18"],
        "",
    );
    assert_eq!(refused.code, 2);
}

#[test]
fn the_demo_shows_what_check_would() {
    let demo = run(&["demo", "--format", "ndjson"], "");
    assert_eq!(demo.code, 0);
    let rules = demo.rules();
    let faults: Vec<_> = rules.iter().flatten().collect();
    assert_eq!(
        faults,
        [
            "framing/stdout-messages-only",
            "schema/no-null-optional",
            "schema/missing-member",
            "schema/wrong-type",
            "schema/unknown-method",
            "jsonrpc/error-code-reserved",
        ]
    );
    let capture = include_str!("../../src/demo/session.ndjson");
    let checked = run(&["check", "--format", "ndjson"], capture);
    assert_eq!(checked.stdout.replace("<stdin>", "<demo>"), demo.stdout);
    assert_eq!(checked.code, 1);
    let human = run(&["demo"], "");
    if cfg!(unix) {
        assert!(
            human.stdout.contains("`mcp-assay wrap` stood between them"),
            "{}",
            human.stdout
        );
    }
    let shown = run(&["check"], capture).stdout.replace("<stdin>", "<demo>");
    assert!(human.stdout.contains(&shown), "{}", human.stdout);
    assert!(
        human.stdout.contains("mcp-assay explain"),
        "{}",
        human.stdout
    );
}

#[test]
fn the_demo_names_a_file_that_exists() {
    let folder = folder(&[]);
    let demo = run_in(&folder, &["demo", "--keep", "my session.ndjson"]);
    assert_eq!(demo.code, 0, "{}", demo.stderr);
    assert!(
        demo.stdout
            .contains("mcp-assay check 'my session.ndjson'\n"),
        "{}",
        demo.stdout
    );
    let checked = run_in(&folder, &["check", "my session.ndjson"]);
    assert_eq!(checked.code, 1, "{}", checked.stderr);
    assert!(demo.stdout.contains(&checked.stdout), "{}", demo.stdout);
    let none = run_in(&folder, &["demo", "--keep", "no/such/folder"]);
    assert_eq!(none.code, 2, "{}", none.stdout);
    assert!(none.stderr.contains("failed to write no/such/folder"));
}

#[test]
fn a_command_without_dashes_gets_a_tip() {
    for (words, tip) in [
        (
            &["probe", "python", "server.py"][..],
            "mcp-assay probe -- python server.py",
        ),
        (
            &["wrap", "--quiet", "npx", "-y", "server"],
            "mcp-assay wrap --quiet -- npx -y server",
        ),
        (
            &["probe", "client", "node", "client.mjs"],
            "mcp-assay probe client -- node client.mjs",
        ),
    ] {
        let refused = run(words, "");
        assert_eq!(refused.code, 2);
        assert!(refused.stderr.contains(tip), "{}", refused.stderr);
    }
}

#[test]
fn shells_and_manuals() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let outcome = run(&["completions", shell], "");
        assert!(
            outcome.code == 0 && outcome.stdout.contains("max-message-bytes"),
            "{shell}"
        );
    }
    let page = run(&["man"], "").stdout;
    assert!(
        page.contains(".TH mcp-assay 1") && page.contains("check"),
        "{page}"
    );
    let folder = folder(&[]);
    assert_eq!(run_in(&folder, &["man", "pages/man1"]).code, 0);
    for name in [
        "mcp-assay.1",
        "mcp-assay-check.1",
        "mcp-assay-schema-diff.1",
    ] {
        assert!(
            folder.path().join("pages/man1").join(name).is_file(),
            "{name}"
        );
    }
}

#[test]
fn the_own_export_verifies() {
    let folder = folder(&[]);
    let export = run(&["schema", "export", "--revision", "2025-06-18"], "").stdout;
    std::fs::write(folder.path().join("own.json"), &export).unwrap();
    let same = run_in(&folder, &["schema", "verify", "own.json"]);
    assert_eq!(same.code, 0, "{}{}", same.stdout, same.stderr);
    assert!(same.stdout.contains("2025-06-18"), "{}", same.stdout);
    for (planted, place) in [
        (
            export.replacen("\"emergency\"", "\"emergency\", \"planted\"", 1),
            "LoggingLevel: only in the document: value \"planted\"",
        ),
        (
            export.replacen(
                "\"$defs\": {",
                r#""$defs": {"PlantedRequest": {"type": "object", "properties": {"jsonrpc": {"const": "2.0"}, "method": {"const": "planted/list"}}},"#,
                1,
            ),
            "PlantedRequest: only in the document: is defined",
        ),
    ] {
        assert_ne!(planted, export);
        std::fs::write(folder.path().join("planted.json"), planted).unwrap();
        let arguments = ["schema", "verify", "planted.json", "--revision", "2025-06-18"];
        let outcome = run_in(&folder, &arguments);
        assert_eq!(outcome.code, 1, "{}{}", outcome.stdout, outcome.stderr);
        assert!(outcome.stdout.lines().any(|line| line == place), "{}", outcome.stdout);
    }
    let missing = run_in(&folder, &["schema", "verify", "missing.json"]);
    assert_eq!(missing.code, 2);
    assert!(
        missing.stderr.contains("missing.json"),
        "{}",
        missing.stderr
    );
}
