//! The checks of single files: width, openings, rule names and includes.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::lexer::Source;
use super::{includes, openings, rule_names, width};

/// A check of single files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Check {
    Width,
    Openings,
    RuleNames,
    Includes,
}

/// Folders with Rust files.
const FOLDERS: &[&str] = &["crates", "fuzz", "packages/wasm", "tests", "xtask"];

/// Folders and files that are not done yet, with the checks that they may fail. The list only
/// shrinks: an entry without a fault is a fault itself.
const PENDING: &[(&str, &[Check])] = &[
    // Invented faults name the rules that report them; the model is below the rules.
    ("crates/model/src/invent/", &[Check::RuleNames]),
];

/// A fault at a line.
struct Fault {
    check: Check,
    path: String,
    text: String,
}

/// Runs the checks on all files below `root`.
pub(super) fn run(root: &Path, faults: &mut Vec<String>) -> Result<()> {
    let mut files = Vec::new();
    for folder in FOLDERS {
        gather(root, folder, &mut files)?;
    }
    settle(check(&files), PENDING, faults);
    Ok(())
}

/// Adds the Rust files of a folder that are not generated: path from the root, and text.
fn gather(root: &Path, folder: &str, files: &mut Vec<(String, String)>) -> Result<()> {
    let full = root.join(folder);
    for entry in fs::read_dir(&full).with_context(|| full.display().to_string())? {
        let file = entry?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let path = format!("{folder}/{name}");
        if file.is_dir() {
            if name != "target" {
                gather(root, &path, files)?;
            }
        } else if file.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&file).with_context(|| path.clone())?;
            if !is_generated(&text) {
                files.push((path, text));
            }
        }
    }
    Ok(())
}

/// Whether the first line names the command that writes the file.
fn is_generated(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    first.starts_with("//") && first.contains("`cargo xtask codegen`")
}

fn check(files: &[(String, String)]) -> Vec<Fault> {
    let names = rule_names::names(files);
    let mut faults = Vec::new();
    for (path, text) in files {
        let source = Source::read(text);
        let mut add = |check, line: usize, text: String| {
            let text = format!("{path}:{}: {text}", line + 1);
            let path = path.clone();
            faults.push(Fault { check, path, text });
        };
        for line in width::find(&source) {
            add(Check::Width, line, "more than 100 columns".to_owned());
        }
        for line in openings::find(&source) {
            let text = "the doc comment begins with a headless clause".to_owned();
            add(Check::Openings, line, text);
        }
        for (line, name) in rule_names::find(path, &source, &names) {
            let text = format!("`{name}` is a rule of another file: refer to it by path");
            add(Check::RuleNames, line, text);
        }
        for (line, literal) in includes::find(path, &source) {
            let text = format!("`{literal}` leads out of the package");
            add(Check::Includes, line, text);
        }
    }
    faults
}

/// Leaves out pending faults, and adds entries that are not needed.
fn settle(found: Vec<Fault>, pending: &[(&str, &[Check])], faults: &mut Vec<String>) {
    let is_pending = |fault: &Fault, (folder, checks): &(&str, &[Check])| {
        fault.path.starts_with(folder) && checks.contains(&fault.check)
    };
    for entry in pending {
        if !found.iter().any(|fault| is_pending(fault, entry)) {
            faults.push(format!("{} has no fault: remove it from the list", entry.0));
        }
    }
    let rest = found
        .into_iter()
        .filter(|fault| !pending.iter().any(|entry| is_pending(fault, entry)));
    faults.extend(rest.map(|fault| fault.text));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pending_folders_hide_their_own_faults_alone() {
        let file = |path: &str, text: &str| (path.to_owned(), text.to_owned());
        let files = [
            file("a/b.rs", "/// What is wrong.\nstruct A;"),
            file("c/d.rs", "/// What is wrong.\nstruct B;"),
        ];
        let faults_under = |pending: &[(&str, &[Check])]| {
            let mut faults = Vec::new();
            settle(check(&files), pending, &mut faults);
            faults
        };
        let [first, second] = ["a/b.rs", "c/d.rs"]
            .map(|path| format!("{path}:1: the doc comment begins with a headless clause"));
        assert_eq!(faults_under(&[]), [first.as_str(), &second]);
        assert_eq!(
            faults_under(&[("a/", &[Check::Width, Check::Openings])]),
            [second.as_str()]
        );
        assert_eq!(
            faults_under(&[("a/", &[Check::Width])]),
            ["a/ has no fault: remove it from the list", &first, &second]
        );
    }

    #[test]
    fn generated_files_are_known_by_their_first_line() {
        assert!(is_generated(
            "// Written by `cargo xtask codegen`: do not edit.\n"
        ));
        assert!(is_generated(
            "// @generated by `cargo xtask codegen` from wire/"
        ));
        assert!(!is_generated(
            "//! `cargo xtask`: what else\n// `cargo xtask codegen`"
        ));
    }
}
