//! `install` and `uninstall` as a user runs them: a home folder, a project, the files of each
//! client.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use tempfile::TempDir;

const JSON: &str = r#"{
  // kept
  "mcpServers": {
    "weather": { "command": "npx", "args": ["-y", "weather"], "env": { "KEY": "v" } },
    "far": { "url": "https://example.com/mcp" },
  }
}
"#;

const TOML: &str = "# kept\n[mcp_servers.weather]\ncommand = \"npx\"\n";

/// A home folder with a project in it.
struct Home(TempDir);

struct Outcome {
    code: i32,
    stdout: String,
    stderr: String,
}

impl Home {
    fn new(files: &[(&str, &str)]) -> Self {
        let home = Self(tempfile::tempdir().unwrap());
        fs::create_dir(home.0.path().join("project")).unwrap();
        for (name, text) in files {
            home.write(name, text);
        }
        home
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join(name)).unwrap()
    }

    fn has(&self, name: &str) -> bool {
        self.0.path().join(name).exists()
    }

    fn run(&self, arguments: &[&str]) -> Outcome {
        let mut command = assert_cmd::cargo::cargo_bin_cmd!("mcp-assay");
        for name in ["XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"] {
            command.env_remove(name);
        }
        let output = command
            .args(arguments)
            .env("HOME", self.0.path())
            .current_dir(self.0.path().join("project"))
            .output()
            .unwrap();
        Outcome {
            code: output.status.code().expect("no signal"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    fn succeed(&self, arguments: &[&str]) -> String {
        let outcome = self.run(arguments);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        outcome.stdout
    }

    fn fail(&self, arguments: &[&str]) -> String {
        let outcome = self.run(arguments);
        assert_eq!(outcome.code, 2, "{}", outcome.stdout);
        outcome.stderr
    }
}

/// The command line that a client would make of the server `weather` in a file.
fn started(text: &str, is_toml: bool) -> Vec<String> {
    let server: serde_json::Value = if is_toml {
        let root: toml::Table = toml::from_str(text).unwrap();
        serde_json::to_value(&root["mcp_servers"]["weather"]).unwrap()
    } else {
        let bare: String = text
            .lines()
            .filter(|line| !line.trim().starts_with("//"))
            .collect();
        let root: serde_json::Value = serde_json::from_str(&bare.replace("},  }", "}  }")).unwrap();
        let group = root.get("mcpServers").or(root.get("servers")).unwrap();
        group["weather"].clone()
    };
    let arguments = server["args"].as_array().cloned().unwrap_or_default();
    std::iter::once(&server["command"])
        .chain(&arguments)
        .map(|word| word.as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn every_client_is_wrapped_and_given_back() {
    let places: &[(&str, &str)] = if cfg!(target_os = "macos") {
        &[
            (
                "claude",
                "Library/Application Support/Claude/claude_desktop_config.json",
            ),
            ("vscode", "Library/Application Support/Code/User/mcp.json"),
        ]
    } else {
        &[
            ("claude", ".config/Claude/claude_desktop_config.json"),
            ("vscode", ".config/Code/User/mcp.json"),
        ]
    };
    let common = [
        ("claude-code", "project/.mcp.json"),
        ("claude-code", ".claude.json"),
        ("vscode", "project/.vscode/mcp.json"),
        ("cursor", "project/.cursor/mcp.json"),
        ("cursor", ".cursor/mcp.json"),
        ("windsurf", ".codeium/windsurf/mcp_config.json"),
        ("codex", "project/.codex/config.toml"),
        ("codex", ".codex/config.toml"),
    ];
    for (client, file) in places.iter().chain(&common) {
        let is_toml = *client == "codex";
        let text = match *client {
            _ if is_toml => TOML.to_owned(),
            "vscode" => JSON.replace("mcpServers", "servers"),
            _ => JSON.to_owned(),
        };
        let home = Home::new(&[(file, &text)]);
        let backup = format!("{file}.mcp-assay.bak");
        let said = home.succeed(&["install", "--client", client]);
        assert!(said.contains("weather: wrapped\n"), "{said}");
        if !is_toml {
            assert!(said.contains("far: left alone: it is remote (`url`)"));
        }
        let wrapped = home.read(file);
        let line = started(&wrapped, is_toml);
        let own = started(&text, is_toml);
        assert!(Path::new(&line[0]).is_absolute() && Path::new(&line[0]).exists());
        assert_eq!(line[1..3], ["wrap", "--"]);
        assert_eq!(line[3..], own);
        assert_eq!(home.read(&backup), text);

        let said = home.succeed(&["install", "--client", client, "weather"]);
        assert!(said.contains("weather: already wrapped, by /"), "{said}");
        assert_eq!(home.read(file), wrapped);
        assert_eq!(home.read(&backup), text);

        let said = home.succeed(&["uninstall", "--client", client]);
        assert!(said.contains("weather: unwrapped\n"), "{said}");
        assert_eq!(home.read(file), text);
        assert!(!home.has(&backup));
    }
}

#[test]
fn a_dry_run_changes_nothing_and_its_diff_is_one() {
    let home = Home::new(&[(".cursor/mcp.json", JSON)]);
    let outcome = home.run(&["install", "--client", "cursor", "--dry-run"]);
    assert_eq!(outcome.code, 0);
    let changed: Vec<_> = outcome
        .stdout
        .lines()
        .filter(|line| line.starts_with(['+', '-']))
        .collect();
    assert_eq!(changed.len(), 4);
    assert!(changed[0].starts_with("--- ") && changed[1].starts_with("+++ "));
    assert!(changed[2].starts_with(r#"-    "weather": { "command": "npx""#));
    assert!(changed[3].contains(r#""args": ["wrap", "--", "npx", "-y", "weather"], "env""#));
    assert!(outcome.stderr.contains("weather: wrapped"));
    assert_eq!(home.read(".cursor/mcp.json"), JSON);
    assert!(!home.has(".cursor/mcp.json.mcp-assay.bak"));
}

#[test]
fn options_are_passed_on() {
    let home = Home::new(&[(".codex/config.toml", TOML)]);
    home.succeed(&[
        "install",
        "--client",
        "codex",
        "--mode",
        "enforce",
        "--record",
        "traffic",
        "--log-dir",
        "logs",
        "--command",
        "mcp-assay",
    ]);
    let line = started(&home.read(".codex/config.toml"), true);
    let project = fs::canonicalize(home.0.path()).unwrap().join("project");
    let traffic = project.join("traffic/weather").display().to_string();
    let logs = project.join("logs/weather").display().to_string();
    let expected = [
        "mcp-assay",
        "wrap",
        "--mode",
        "enforce",
        "--record",
        &traffic,
        "--log-dir",
        &logs,
        "--",
        "npx",
    ];
    assert_eq!(line, expected);
    assert!(home.has("project/traffic/weather"));
    // Another wish is granted, and the original text is still kept.
    home.succeed(&["install", "--client", "codex", "--mode", "shadow"]);
    let line = started(&home.read(".codex/config.toml"), true);
    assert_eq!(line[1..], ["wrap", "--mode", "shadow", "--", "npx"]);
    assert_eq!(home.read(".codex/config.toml.mcp-assay.bak"), TOML);
    home.succeed(&["uninstall"]);
    assert_eq!(home.read(".codex/config.toml"), TOML);
}

#[test]
fn a_wrapped_server_starts() {
    let text = r#"{"mcpServers": {"weather": {"command": "cat"}}}"#;
    let home = Home::new(&[("project/servers.json", text)]);
    let options = ["--record", "traffic", "--log-dir", "logs"];
    home.succeed(&[&["install", "--client", "servers.json"], &options[..]].concat());
    let line = started(&home.read("project/servers.json"), false);
    let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    let output = assert_cmd::Command::new(&line[0])
        .args(&line[1..])
        .write_stdin(ping)
        .current_dir("/")
        .output()
        .unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), ping);
    let recorded = fs::read_dir(home.0.path().join("project/traffic/weather")).unwrap();
    assert_eq!(recorded.count(), 1);
    assert!(home.has("project/logs/weather/latest.jsonl"));
}

#[test]
fn changes_of_others_survive() {
    let home = Home::new(&[(".cursor/mcp.json", JSON)]);
    home.succeed(&["install", "--client", "cursor"]);
    let changed = home.read(".cursor/mcp.json").replace("// kept", "// mine");
    home.write(".cursor/mcp.json", &changed);
    home.succeed(&["uninstall"]);
    assert_eq!(
        home.read(".cursor/mcp.json"),
        JSON.replace("// kept", "// mine")
    );
    // It differs from the current file, so it stays.
    assert_eq!(home.read(".cursor/mcp.json.mcp-assay.bak"), JSON);
}

#[test]
fn the_places_of_results_are_named() {
    let home = Home::new(&[(".cursor/mcp.json", JSON)]);
    let said = home.succeed(&["install", "--client", "cursor"]);
    for sentence in [
        "Restart the client.",
        "the panel Output",
        "--log-dir DIR",
        "--record DIR",
    ] {
        assert!(said.contains(sentence), "{sentence}: {said}");
    }
    let said = home.succeed(&["install", "--client", "cursor", "--log-dir", "logs"]);
    assert!(said.contains("/logs/SERVER/latest.jsonl"), "{said}");
    // Nothing is new.
    let said = home.succeed(&["install", "--client", "cursor"]);
    assert!(!said.contains("Restart"), "{said}");
}

#[test]
fn links_are_followed_and_permissions_kept() {
    let home = Home::new(&[("dotfiles/mcp.json", JSON)]);
    let real = home.0.path().join("dotfiles/mcp.json");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    fs::create_dir(home.0.path().join(".cursor")).unwrap();
    let link = home.0.path().join(".cursor/mcp.json");
    symlink("../dotfiles/mcp.json", &link).unwrap();
    home.succeed(&["install", "--client", "cursor"]);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    let mode = |name: &str| {
        let file = fs::metadata(home.0.path().join(name)).unwrap();
        file.permissions().mode() & 0o777
    };
    assert_eq!(mode("dotfiles/mcp.json"), 0o640);
    assert_eq!(mode("dotfiles/mcp.json.mcp-assay.bak"), 0o640);
    assert!(home.read("dotfiles/mcp.json").contains("wrap"));
    let left: Vec<_> = fs::read_dir(home.0.path().join("dotfiles"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn several_clients_have_to_be_told_apart() {
    let home = Home::new(&[(".cursor/mcp.json", JSON), (".codex/config.toml", TOML)]);
    let said = home.fail(&["install"]);
    assert!(
        said.contains("cursor, codex; choose with --client cursor, or --client all"),
        "{said}"
    );
    home.write(".codex/config.toml", "");
    let said = home.fail(&["install"]);
    assert!(
        said.contains("servers were found at cursor; choose"),
        "{said}"
    );
    home.write(".codex/config.toml", TOML);
    assert_eq!(home.read(".cursor/mcp.json"), JSON);
    home.succeed(&["install", "--client", "all"]);
    assert!(home.read(".cursor/mcp.json").contains("wrap"));
    assert!(home.read(".codex/config.toml").contains("wrap"));
    home.succeed(&["uninstall", "weather"]);
    assert_eq!(home.read(".cursor/mcp.json"), JSON);
    assert_eq!(home.read(".codex/config.toml"), TOML);
}

#[test]
fn what_is_missing_is_named() {
    let home = Home::new(&[]);
    let said = home.fail(&["install", "--client", "cursor"]);
    assert!(said.contains("project/.cursor/mcp.json"), "{said}");
    assert!(said.contains("/.cursor/mcp.json\n"), "{said}");
    let said = home.fail(&["install", "--client", "servers.json"]);
    assert!(said.contains("there is no file servers.json"), "{said}");
    let said = home.fail(&["install", "--client", "windsrf"]);
    assert!(said.contains("did you mean `windsurf`?"), "{said}");
    home.write(".cursor/mcp.json", JSON);
    let said = home.fail(&["install", "--client", "cursor", "wether"]);
    assert!(said.contains("unknown server `wether`; did you mean `weather`?"));
    assert_eq!(home.read(".cursor/mcp.json"), JSON);
}

#[test]
fn nothing_is_written_if_a_file_is_broken() {
    let home = Home::new(&[
        (".cursor/mcp.json", "{\n  \"mcpServers\": {]\n"),
        ("project/.cursor/mcp.json", JSON),
    ]);
    let said = home.fail(&["install", "--client", "cursor"]);
    assert!(said.contains("/.cursor/mcp.json: 2:18: "), "{said}");
    assert_eq!(home.read("project/.cursor/mcp.json"), JSON);
    fs::write(home.0.path().join(".cursor/mcp.json"), b"{\n\"a\xff\": 1}").unwrap();
    let said = home.fail(&["install", "--client", "cursor"]);
    assert!(said.contains("2:3: it is not UTF-8"), "{said}");
    fs::remove_file(home.0.path().join(".cursor/mcp.json")).unwrap();
    fs::create_dir(home.0.path().join(".cursor/mcp.json")).unwrap();
    let said = home.fail(&["install", "--client", "cursor"]);
    assert!(said.contains("it is not a file"), "{said}");
}

#[test]
fn a_byte_order_mark_stays() {
    let text = format!("\u{feff}{JSON}");
    let home = Home::new(&[("project/servers.json", &text)]);
    home.succeed(&["install", "--client", "servers.json", "weather"]);
    assert!(home.read("project/servers.json").starts_with('\u{feff}'));
    assert_eq!(home.read("project/servers.json.mcp-assay.bak"), text);
    home.succeed(&["uninstall", "--client", "./servers.json"]);
    assert_eq!(home.read("project/servers.json"), text);
}

/// A configuration with servers of these names, of which some are wrapped.
fn with_servers(names: &[&str]) -> String {
    let servers: Vec<_> = names
        .iter()
        .map(|name| format!("    \"{name}\": {{ \"command\": \"npx\", \"args\": [\"{name}\"] }}"))
        .collect();
    format!(
        "{{\n  \"mcpServers\": {{\n{}\n  }}\n}}\n",
        servers.join(",\n")
    )
}

/// Whether a server of a configuration is wrapped.
fn is_wrapped(text: &str, name: &str) -> bool {
    let root: serde_json::Value = serde_json::from_str(text).unwrap();
    root["mcpServers"][name]["command"] != "npx"
}

#[test]
fn runs_at_the_same_time_lose_no_edit() {
    let mut lost = Vec::new();
    for round in 0..100 {
        let home = Home::new(&[("project/mcp.json", &with_servers(&["a", "b", "c"]))]);
        let client = ["--client", "mcp.json"];
        let uninstalls = round % 2 == 1;
        if uninstalls {
            home.succeed(&[&["install"], &client[..], &["b"]].concat());
        }
        let verb = if uninstalls { "uninstall" } else { "install" };
        std::thread::scope(|scope| {
            scope.spawn(|| home.succeed(&[&["install"], &client[..], &["a"]].concat()));
            scope.spawn(|| home.succeed(&[&[verb], &client[..], &["b"]].concat()));
        });
        let text = home.read("project/mcp.json");
        let found = ["a", "b", "c"].map(|name| is_wrapped(&text, name));
        if found != [true, !uninstalls, false] {
            lost.push((round, found));
        }
        let left: Vec<_> = fs::read_dir(home.0.path().join("project"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name != "mcp.json" && name != "mcp.json.mcp-assay.bak")
            .collect();
        assert!(left.is_empty(), "{left:?}");
    }
    assert!(
        lost.is_empty(),
        "{} of 100 pairs lost an edit: {lost:?}",
        lost.len()
    );
}

#[test]
fn a_link_and_the_permissions_stay() {
    let home = Home::new(&[("dotfiles/mcp.json", &with_servers(&["a"]))]);
    let (real, link) = (
        home.0.path().join("dotfiles/mcp.json"),
        home.0.path().join("project/mcp.json"),
    );
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&real, &link).unwrap();
    home.succeed(&["install", "--client", "mcp.json", "a"]);
    assert!(
        fs::symlink_metadata(&link)
            .unwrap()
            .file_type()
            .is_symlink()
    );
    assert_eq!(
        fs::metadata(&real).unwrap().permissions().mode() & 0o777,
        0o640
    );
    assert!(is_wrapped(&home.read("dotfiles/mcp.json"), "a"));
}
