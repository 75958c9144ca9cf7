//! Texts of configurations: wrapped, wrapped again, unwrapped, with the original bytes.

use mcp_assay_live::guard::Mode;

use super::document::Notation;
use super::plan::Outcome;
use super::{ConfigText, Plan, Replaced, Wanted, Wrapping, unified};

fn plain() -> Wrapping {
    Wrapping {
        program: "/opt/mcp-assay".to_owned(),
        mode: None,
        record: None,
        log_dir: None,
        is_explicit: false,
    }
}

fn wrap(text: &str, notation: Notation) -> Plan {
    Plan::make(text, notation, &[], Wanted::In(&plain())).unwrap()
}

fn unwrap(text: &str, notation: Notation) -> Plan {
    Plan::make(text, notation, &[], Wanted::Out(&[])).unwrap()
}

/// Checks the new text, that a second run changes nothing, and that unwrapping restores the old
/// one.
fn check(text: &str, wrapped: &str, notation: Notation) {
    for newline in ["\n", "\r\n"] {
        let [text, wrapped] = [text, wrapped].map(|text| text.replace('\n', newline));
        assert_eq!(wrap(&text, notation).text, wrapped);
        assert_eq!(wrap(&wrapped, notation).text, wrapped);
        assert_eq!(unwrap(&wrapped, notation).text, text);
        assert_eq!(unwrap(&text, notation).text, text);
    }
}

fn check_json(text: &str, wrapped: &str) {
    check(text, wrapped, Notation::Json);
}

fn check_toml(text: &str, wrapped: &str) {
    check(text, wrapped, Notation::Toml);
}

#[test]
fn arguments_stay_in_their_layout() {
    check_json(
        r#"{"mcpServers": {"a": {"command": "npx", "args": ["-y", "x"]}}}"#,
        r#"{"mcpServers": {"a": {"command": "/opt/mcp-assay", "args": ["wrap", "--", "npx", "-y", "x"]}}}"#,
    );
    check_json(
        r#"{
  // my servers
  "servers": {
    "a": {
      "type": "stdio",
      "args": [ // first the package
        "-y", /* yes */
        "x", // the last
      ],
      "command": "npx",
    },
  },
  "inputs": []
}
"#,
        r#"{
  // my servers
  "servers": {
    "a": {
      "type": "stdio",
      "args": [ // first the package
        "wrap",
        "--",
        "npx",
        "-y", /* yes */
        "x", // the last
      ],
      "command": "/opt/mcp-assay",
    },
  },
  "inputs": []
}
"#,
    );
}

#[test]
fn no_arguments_and_no_array_are_told_apart() {
    check_json(
        r#"{"mcpServers":{"a":{"command":"x","args":[]},"b":{"command":"x"},"c":{"command":"x","args":[ ]}}}"#,
        r#"{"mcpServers":{"a":{"command":"/opt/mcp-assay","args":["wrap", "--", "x"]},"b":{"command":"/opt/mcp-assay","args":[ "wrap", "--", "x" ]},"c":{"command":"/opt/mcp-assay","args":["wrap", "--", "x" ]}}}"#,
    );
    check_json(
        r#"{"mcpServers": {"a": {
    "command": "x", // alone
    "env": {"KEY": "secret"}
}, "b": {"env": {}, "command" : "y"}}}"#,
        r#"{"mcpServers": {"a": {
    "command": "/opt/mcp-assay",
    "args": [ "wrap", "--", "x" ], // alone
    "env": {"KEY": "secret"}
}, "b": {"env": {}, "command" : "/opt/mcp-assay", "args": [ "wrap", "--", "y" ]}}}"#,
    );
}

#[test]
fn a_command_moves_with_its_escapes() {
    check_json(
        r#"{"mcpServers": {"\u0061": {"command": "C:\\a \"b\"\/\u00e9", "args": []}}}"#,
        r#"{"mcpServers": {"\u0061": {"command": "/opt/mcp-assay", "args": ["wrap", "--", "C:\\a \"b\"\/\u00e9"]}}}"#,
    );
}

#[test]
fn projects_have_servers_too() {
    let text = r#"{"projects": {"/a": {"mcpServers": {"x": {"command": "y"}}}, "/b": {}}, "mcpServers": {"x": {"command": "z"}}}"#;
    let plan = wrap(text, Notation::Json);
    let titles: Vec<_> = plan.outcomes.iter().map(|(title, _)| &**title).collect();
    assert_eq!(titles, ["x", "x (of /a)"]);
    assert_eq!(unwrap(&plan.text, Notation::Json).text, text);
}

#[test]
fn tables_of_toml() {
    check_toml(
        r#"model = "o" # best
[mcp_servers.docs]
command = 'npx' # runs it
args = ["-y", "x"]
env = { KEY = "v" }

[mcp_servers.bare]
  command = "y"  # nothing else
[mcp_servers.bare.env]
A = "b"

[mcp_servers."far away"]
url = "https://example.com/mcp"
"#,
        r#"model = "o" # best
[mcp_servers.docs]
command = "/opt/mcp-assay" # runs it
args = ["wrap", "--", 'npx', "-y", "x"]
env = { KEY = "v" }

[mcp_servers.bare]
  command = "/opt/mcp-assay"  # nothing else
  args = [ "wrap", "--", "y" ]
[mcp_servers.bare.env]
A = "b"

[mcp_servers."far away"]
url = "https://example.com/mcp"
"#,
    );
}

#[test]
fn other_ways_to_write_toml() {
    check_toml(
        "[mcp_servers]\na = { command = \"x\" }\nb.command = \"y\"\nc = { command = \"z\", args = [\n  # why\n  \"1\",\n] }",
        "[mcp_servers]\na = { command = \"/opt/mcp-assay\", args = [ \"wrap\", \"--\", \"x\" ] }\nb.command = \"/opt/mcp-assay\"\nb.args = [ \"wrap\", \"--\", \"y\" ]\nc = { command = \"/opt/mcp-assay\", args = [\n  # why\n  \"wrap\",\n  \"--\",\n  \"z\",\n  \"1\",\n] }",
    );
    check_toml(
        "\nmcp_servers.a.command = \"\"\"x\"\"\"",
        "\nmcp_servers.a.command = \"/opt/mcp-assay\"\nmcp_servers.a.args = [ \"wrap\", \"--\", \"\"\"x\"\"\" ]",
    );
}

#[test]
fn what_cannot_be_wrapped_is_left_alone() {
    let text = r#"{"mcpServers": {
        "a": {"url": "https://a"}, "b": {"serverUrl": "https://b"}, "c": {"type": "http"}, "d": {}, "e": 1,
        "f": {"command": ["x"]}, "g": {"command": "x", "args": "y"}, "h": {"command": "x", "args": [1]},
        "i": {"command": "x", "command": "y"}, "j": {"command": "mcp-assay", "args": ["wrap", "x"]}
    }}"#;
    let plan = wrap(text, Notation::Json);
    assert_eq!(plan.text, text);
    assert_eq!(plan.outcomes.len(), 10);
    for (server, outcome) in &plan.outcomes {
        assert!(!outcome.concerns_us(), "{server}: {outcome}");
    }
    assert_eq!(plan.outcomes[1].1, Outcome::Remote("serverUrl"));
    assert_eq!(unwrap(text, Notation::Json).text, text);
}

#[test]
fn flags_wrap_anew_and_nothing_else_does() {
    let by_hand = r#"{"mcpServers": {"a b": {"command": "/usr/bin/mcp-assay", "args": ["wrap", "--mode", "shadow", "--", "x", "--", "y"]}}}"#;
    let plan = wrap(by_hand, Notation::Json);
    assert_eq!(plan.text, by_hand);
    assert!(plan.was_wrapped);
    let wrapping = Wrapping {
        mode: Some(Mode::Enforce),
        record: Some("/r".to_owned()),
        log_dir: Some("/l".to_owned()),
        is_explicit: true,
        ..plain()
    };
    let wanted = Wanted::In(&wrapping);
    let plan = Plan::make(by_hand, Notation::Json, &[], wanted).unwrap();
    let anew = r#"{"mcpServers": {"a b": {"command": "/opt/mcp-assay", "args": ["wrap", "--mode", "enforce", "--record", "/r/a%20b", "--log-dir", "/l/a%20b", "--", "x", "--", "y"]}}}"#;
    assert_eq!(plan.text, anew);
    assert_eq!(plan.outcomes[0].1, Outcome::WrappedAnew);
    assert_eq!(plan.folders, ["/r/a%20b", "/l/a%20b"]);
    let again = Plan::make(anew, Notation::Json, &[], wanted).unwrap();
    assert!(matches!(again.outcomes[0].1, Outcome::AlreadyWrapped(_)));
    assert_eq!(
        unwrap(anew, Notation::Json).text,
        r#"{"mcpServers": {"a b": {"command": "x", "args": ["--", "y"]}}}"#
    );
}

#[test]
fn another_name_of_the_program_is_known_if_it_is_given() {
    let text = r#"{"mcpServers": {"a": {"command": "assay", "args": ["wrap", "--", "x",]}}}"#;
    assert_eq!(unwrap(text, Notation::Json).text, text);
    let names = ["assay".to_owned()];
    let plan = Plan::make(text, Notation::Json, &[], Wanted::Out(&names)).unwrap();
    assert_eq!(
        plan.text,
        r#"{"mcpServers": {"a": {"command": "x", "args": []}}}"#
    );
}

#[test]
fn only_the_named_ones() {
    let text = r#"{"mcpServers": {"a": {"command": "x", "args": ["1"]}, "b": {"command": "x", "args": ["2"]}}}"#;
    let plan = Plan::make(
        text,
        Notation::Json,
        &["b".to_owned()],
        Wanted::In(&plain()),
    )
    .unwrap();
    assert!(plan.text.starts_with(&text[..60]));
    assert_eq!(plan.outcomes, [("b".to_owned(), Outcome::Wrapped)]);
}

#[test]
fn faults_have_a_place() {
    let fault = |text, notation| {
        let plan = Plan::make(text, notation, &[], Wanted::Out(&[]));
        format!("{:#}", plan.unwrap_err())
    };
    assert!(fault("{\n  \"mcpServers\": {\n    oops\n", Notation::Json).starts_with("3:5: "));
    assert!(fault("[]", Notation::Json).starts_with("1:1: expected an object"));
    assert!(fault("{\"a\": 1} {}", Notation::Json).starts_with("1:10: "));
    assert!(fault("a = 1\nb = \n", Notation::Toml).starts_with("2:"));
    let deep = "[".repeat(100_000);
    assert!(fault(&deep, Notation::Json).contains("depth"));
    assert!(fault(&format!("a = {deep}"), Notation::Toml).starts_with("1:"));
    assert_eq!(wrap("", Notation::Json).text, "");
    assert_eq!(wrap("// nothing yet\n", Notation::Json).outcomes, []);
}

#[test]
fn texts_that_are_cut_off_never_panic() {
    let json = r#"{"servers": {"é": {"command": "x", "args": ["\u00e9", // a
        "y" ]}}, "mcp": {"servers": {}}, "projects": {"p": {"mcpServers": {"q": {"command": "z"}}}}}"#;
    let toml = "[mcp_servers.\"é\"]\ncommand = 'x' # é\nargs = [\"\"\"y\"\"\", 'é']\n[mcp_servers.b]\nurl = 'u'";
    for (text, notation) in [(json, Notation::Json), (toml, Notation::Toml)] {
        for end in (0..=text.len()).filter(|&end| text.is_char_boundary(end)) {
            if let Ok(plan) = Plan::make(&text[..end], notation, &[], Wanted::In(&plain())) {
                assert_eq!(unwrap(&plan.text, notation).text, text[..end]);
            }
        }
    }
}

#[test]
fn differences_are_shown_without_control_characters() {
    let diff = unified("a\x1b", "one\n\x1b[31m\n", "two\n\x1b[31m\n");
    assert_eq!(
        diff,
        "--- a␛\n+++ a␛\n@@ -1,2 +1,2 @@\n-one\n+two\n \\u{1b}[31m\n"
    );
}

#[test]
fn a_file_that_another_program_changed_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mcp.json");
    let replace = |theirs: &dyn Fn()| {
        std::fs::write(&path, "{}").unwrap();
        let file = ConfigText::read(&path).unwrap().unwrap();
        theirs();
        let replaced = file.replace("{\"ours\": 1}").unwrap();
        (replaced, std::fs::read_to_string(&path).ok())
    };
    let (ours, theirs) = ("{\"ours\": 1}".to_owned(), "{\"theirs\": 1}".to_owned());
    assert_eq!(replace(&|| ()), (Replaced::Done, Some(ours)));
    let written = || std::fs::write(&path, &theirs).unwrap();
    let renamed = || {
        std::fs::write(folder.path().join("other"), &theirs).unwrap();
        std::fs::rename(folder.path().join("other"), &path).unwrap();
    };
    let removed = || std::fs::remove_file(&path).unwrap();
    for (change, left) in [
        (&written as &dyn Fn(), Some(theirs.clone())),
        (&renamed, Some(theirs.clone())),
        (&removed, None),
    ] {
        let found = replace(change);
        assert_eq!(found, (Replaced::Changed, left));
    }
    let names: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert!(names.is_empty(), "{names:?}");
}
