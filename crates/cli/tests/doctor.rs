//! `doctor` as a user runs it: a home folder with the files of clients.
#![cfg(unix)]

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

/// A home folder.
struct Home(TempDir);

struct Outcome {
    code: i32,
    stdout: String,
    stderr: String,
}

impl Home {
    fn new(files: &[(&str, &str)]) -> Self {
        let home = Self(tempfile::tempdir().unwrap());
        for (name, text) in files {
            let path = home.0.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        home
    }

    fn doctor(&self, arguments: &[&str]) -> Outcome {
        let mut command = assert_cmd::cargo::cargo_bin_cmd!("mcp-assay");
        for name in ["XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"] {
            command.env_remove(name);
        }
        let output = command
            .arg("doctor")
            .args(arguments)
            .env("HOME", self.0.path())
            .current_dir(self.0.path())
            .output()
            .unwrap();
        Outcome {
            code: output.status.code().expect("no signal"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// The path of the program, whose hidden command `demo-server` is a server.
fn program() -> String {
    assert_cmd::cargo::cargo_bin!("mcp-assay")
        .display()
        .to_string()
}

/// The checks of a server as name, status, message and fix.
fn checks(report: &Value, server: usize) -> Vec<(String, String, String, String)> {
    let checks = report["files"][0]["servers"][server]["checks"]
        .as_array()
        .unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let parts = |check: &Value| {
        let [name, status, message, fix] =
            ["check", "status", "message", "fix"].map(|key| text(&check[key]));
        (name, status, message, fix)
    };
    checks.iter().map(parts).collect()
}

#[test]
fn servers_that_start_are_told_from_those_that_do_not() {
    let config = json!({"mcpServers": {
        "good": {"command": program(), "args": ["demo-server"]},
        "missing": {"command": "no-such-program-anywhere", "env": {"TOKEN": "a-secret"}},
        "mute": {"command": "true"},
        "nothing": {},
    }});
    let home = Home::new(&[(".cursor/mcp.json", &config.to_string())]);
    let outcome = home.doctor(&["--format", "json"]);
    assert_eq!(outcome.code, 1, "{}", outcome.stderr);
    let report: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(report["files"][0]["client"], "cursor");

    let good = checks(&report, 0);
    assert_eq!((&*good[0].0, &*good[0].1), ("command", "ok"));
    assert_eq!(good[1].0, "handshake");
    // It has faults, and can be used.
    assert_eq!(good[1].1, "warning", "{good:?}");
    assert!(
        good[1].2.contains("it speaks 2025-06-18, with "),
        "{good:?}"
    );
    assert_eq!(good[2].0, "wrap");
    assert_eq!(
        good[2].3,
        "`mcp-assay install --client cursor good` wraps it"
    );

    let missing = checks(&report, 1);
    assert_eq!((&*missing[0].0, &*missing[0].1), ("command", "error"));
    assert_eq!(missing[0].3, "install it, or write its full path");
    assert_eq!((&*missing[1].0, &*missing[1].1), ("handshake", "skipped"));

    let mute = checks(&report, 2);
    assert_eq!((&*mute[0].0, &*mute[0].1), ("command", "ok"));
    assert_eq!(
        (&*mute[1].0, &*mute[1].1),
        ("handshake", "error"),
        "{mute:?}"
    );

    let nothing = checks(&report, 3);
    assert_eq!((&*nothing[0].0, &*nothing[0].1), ("server", "error"));

    let human = home.doctor(&["good", "missing"]);
    assert_eq!(human.code, 1);
    for part in [
        "cursor  ",
        "\n  good  ",
        "    error   command   `no-such-program-anywhere` is in no folder of PATH\n",
        "fix: install it, or write its full path\n",
        "\n2 servers: 1 error, 1 warning\n",
    ] {
        assert!(human.stdout.contains(part), "{part}: {}", human.stdout);
    }
    assert!(!human.stdout.contains("a-secret") && !outcome.stdout.contains("a-secret"));
    assert!(!human.stdout.contains("mute"), "{}", human.stdout);
    // Nothing was started, so nothing is known of its handshake.
    let idle = home.doctor(&["good", "--no-start"]);
    assert_eq!(idle.code, 0, "{}", idle.stdout);
    assert!(
        idle.stdout.contains("\n1 server: nothing to mend\n"),
        "{}",
        idle.stdout
    );
}

#[test]
fn a_server_that_is_wrapped_starts_as_its_own_command() {
    let config = json!({"mcpServers": {
        "a": {"command": program(), "args": ["wrap", "--", program(), "demo-server"]},
    }});
    let home = Home::new(&[("servers.json", &config.to_string())]);
    let outcome = home.doctor(&["--client", "servers.json", "--format", "json"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stdout);
    let report: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let checks = checks(&report, 0);
    assert!(checks[1].2.contains("2025-06-18"), "{checks:?}");
    assert_eq!(checks[2].2, "wrapped: its traffic is checked");
}

#[test]
fn the_environment_and_the_folder_are_those_of_the_configuration() {
    let script = format!(
        "test \"$KEY\" = v && test -e here || exit 1\nexec {} demo-server\n",
        program()
    );
    let home = Home::new(&[("work/server.sh", &script), ("work/here", "")]);
    let folder = home.0.path().join("work").display().to_string();
    let server = |env: Value, folder: &str| json!({"command": "sh", "args": ["server.sh"], "env": env, "cwd": folder});
    let config = json!({"mcpServers": {
        "right": server(json!({"KEY": "v"}), &folder),
        "wrong": server(json!({}), &folder),
    }});
    fs::write(home.0.path().join("servers.json"), config.to_string()).unwrap();
    let outcome = home.doctor(&["--client", "servers.json", "--format", "json"]);
    let report: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(checks(&report, 0)[1].1, "warning", "{}", outcome.stdout);
    assert_eq!(checks(&report, 1)[1].1, "error", "{}", outcome.stdout);
}

#[test]
fn faults_of_files_have_their_place() {
    let home = Home::new(&[(".cursor/mcp.json", "{\n  \"mcpServers\": {]\n")]);
    let outcome = home.doctor(&[]);
    assert_eq!(outcome.code, 1, "{}", outcome.stderr);
    assert!(
        outcome.stdout.contains("file      2:18: "),
        "{}",
        outcome.stdout
    );
    assert!(
        outcome.stdout.contains("fix: correct the file"),
        "{}",
        outcome.stdout
    );

    let none = Home::new(&[]);
    let outcome = none.doctor(&[]);
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.contains("no configuration was found"),
        "{}",
        outcome.stderr
    );
    let named = none.doctor(&["--client", "no.json"]);
    assert_eq!(named.code, 1);
    assert!(
        named.stdout.contains("there is no such file"),
        "{}",
        named.stdout
    );
    assert!(!Path::new("no.json").exists());

    let text = r#"{"mcpServers": {"weather": {"url": "http://127.0.0.1:9/mcp?key=a-secret"}}}"#;
    let home = Home::new(&[(".cursor/mcp.json", text)]);
    let unknown = home.doctor(&["wether"]);
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.stderr.contains("did you mean `weather`?"),
        "{}",
        unknown.stderr
    );
    // Nothing listens on the port.
    let outcome = home.doctor(&["--timeout", "5"]);
    assert_eq!(outcome.code, 1, "{}", outcome.stdout);
    assert!(
        outcome
            .stdout
            .contains("fix: start the server, or correct its address"),
        "{}",
        outcome.stdout
    );
    assert!(!outcome.stdout.contains("a-secret"), "{}", outcome.stdout);
}
