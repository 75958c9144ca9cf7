//! The shared parts of the tests of the program.
use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

pub(crate) const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
pub(crate) const PONG: &str = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
pub(crate) const LIST: &str = r#"{"jsonrpc":"2.0","id":3,"method":"tools/list"}"#;
pub(crate) const TOOLS: &str = r#"{"jsonrpc":"2.0","id":3,"result":{"tools":[]}}"#;
/// Lacks its `params`.
pub(crate) const BAD_CALL: &str = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call"}"#;

/// The program, in a neutral environment.
pub(crate) fn assay(arguments: &[&str]) -> Command {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("mcp-assay");
    command
        .args(arguments)
        .env_remove("CLICOLOR_FORCE")
        .env_remove("NO_COLOR");
    command
}

/// The result of a run.
pub(crate) struct Outcome {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs the program with a standard input.
pub(crate) fn run(arguments: &[&str], input: &str) -> Outcome {
    outcome(assay(arguments).write_stdin(input))
}

/// Runs the program in a folder.
pub(crate) fn run_in(folder: &TempDir, arguments: &[&str]) -> Outcome {
    outcome(assay(arguments).current_dir(folder.path()))
}

fn outcome(command: &mut Command) -> Outcome {
    let output = command.output().unwrap();
    Outcome {
        code: output.status.code().expect("no signal"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

impl Outcome {
    /// Standard output as lines of JSON.
    pub(crate) fn lines(&self) -> Vec<Value> {
        self.stdout
            .lines()
            .map(|line| serde_json::from_str(line).expect(line))
            .collect()
    }

    /// The summary line of the format `ndjson`.
    pub(crate) fn summary(&self) -> Value {
        self.lines().last().expect("a summary")["summary"].clone()
    }

    /// The names of violated rules, message by message; `record` for a broken record.
    pub(crate) fn rules(&self) -> Vec<Vec<String>> {
        let lines = self.lines();
        let (_, messages) = lines.split_last().expect("a summary");
        messages
            .iter()
            .map(|message| match message["violations"].as_array() {
                Some(violations) => violations
                    .iter()
                    .map(|violation| violation["rule"].as_str().unwrap().to_owned())
                    .collect(),
                None => vec!["record".to_owned()],
            })
            .collect()
    }
}

/// A folder with files.
pub(crate) fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
}
