//! Every command in the README and in `docs/` runs, in a copy of the sample captures. Those that
//! need the network, another program or time without end are listed with the reason.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Parts of commands that cannot run in a test, with the reason.
const LEFT_OUT: &[(&str, &str)] = &[
    ("https://", "needs the network"),
    ("--url ", "needs a server over HTTP"),
    ("npx ", "needs Node and the network"),
    ("uvx ", "needs uv and the network"),
    ("python server.py", "the server is the reader's"),
    ("./server", "the server is the reader's"),
    ("./example-server", "the server is the reader's"),
    ("probe client", "the client is the reader's"),
    ("gateway ", "runs until it is stopped"),
    ("cargo ", "builds the workspace, or installs"),
    ("packages/", "builds a package"),
    ("~/Library", "the file is on the reader's machine"),
    (
        "--client cursor",
        "edits the configuration on the reader's machine",
    ),
    (
        "uninstall",
        "edits the configuration on the reader's machine",
    ),
    ("mcp-assay doctor", "examines the reader's machine"),
];

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The pages with their commands, in their order.
fn pages() -> Vec<(PathBuf, Vec<String>)> {
    let mut pages: Vec<_> = fs::read_dir(root().join("docs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .chain([root().join("README.md")])
        .collect();
    pages.sort();
    let commands = |page: &PathBuf| commands(&fs::read_to_string(page).unwrap());
    pages
        .into_iter()
        .map(|page| (page.clone(), commands(&page)))
        .collect()
}

/// The lines after `$ ` in blocks for the console.
fn commands(text: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut in_block = false;
    for line in text.lines() {
        if let Some(fence) = line.trim_start().strip_prefix("```") {
            in_block = fence == "console";
        } else if in_block && let Some(command) = line.trim_start().strip_prefix("$ ") {
            commands.push(command.to_owned());
        }
    }
    commands
}

fn left_out(command: &str) -> Option<&'static str> {
    LEFT_OUT
        .iter()
        .map(|(part, _)| *part)
        .find(|part| command.contains(part))
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn every_command_of_the_documentation_runs() {
    let program = assert_cmd::cargo::cargo_bin!("mcp-assay");
    let folder = program.parent().unwrap().display().to_string();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap_or_default());
    let mut count = 0;
    for (page, commands) in pages() {
        let place = tempfile::tempdir().unwrap();
        // Below a folder with a configuration the commands would mean something else.
        copy(&root().join("examples/captures"), place.path());
        for command in commands
            .iter()
            .filter(|command| left_out(command).is_none())
        {
            count += 1;
            let output = Command::new("bash")
                .args(["-o", "pipefail", "-c", command])
                .current_dir(place.path())
                .env("PATH", &path)
                .env("HOME", place.path())
                .stdin(Stdio::null())
                .output()
                .unwrap();
            // 1 means that something was found.
            assert!(
                matches!(output.status.code(), Some(0 | 1)),
                "{}: `{command}` ended with {}\n{}",
                page.display(),
                output.status,
                String::from_utf8_lossy(&output.stderr)
            );
        }
    }
    assert!(count > 20, "only {count} commands were found");
}

#[test]
fn the_list_of_commands_that_are_left_out_is_not_stale() {
    let commands: Vec<_> = pages()
        .into_iter()
        .flat_map(|(_, commands)| commands)
        .collect();
    for (part, why) in LEFT_OUT {
        let is_used = commands.iter().any(|command| command.contains(part));
        assert!(is_used, "no command has `{part}` ({why})");
    }
}

#[test]
fn commands_are_found_in_blocks_for_the_console() {
    let text = "$ no\n```console\n$ a b\noutput\n  $ c\n```\n```text\n$ no\n```\n";
    assert_eq!(commands(text), ["a b", "c"]);
}
