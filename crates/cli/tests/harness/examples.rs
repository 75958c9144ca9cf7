//! The examples in other languages, if the language is installed.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::PROGRAM;

/// Runs the tests of an example; prints a note if that cannot be done.
fn run(language: &str, minimum: (u32, u32), arguments: &[&str]) {
    match version(language) {
        None => {
            println!("skipped: there is no {language} to run the example with");
            return;
        }
        Some(found) if found < minimum => {
            println!("skipped: the example needs {language} {minimum:?}, this is {found:?}");
            return;
        }
        Some(_) => {}
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(language)
        .args(arguments)
        .current_dir(root)
        .env("MCP_ASSAY", PROGRAM)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("it starts");
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(output.status.success(), "{text}");
    // A run without tests succeeds too.
    let ran = text.contains("Ran 8 tests") || text.contains("tests 6");
    assert!(ran, "{text}");
}

/// The version of a language, if it is installed.
fn version(language: &str) -> Option<(u32, u32)> {
    let output = Command::new(language)
        .arg("--version")
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let digits = text.trim_start_matches(|letter: char| !letter.is_ascii_digit());
    let mut numbers = digits.split('.').map_while(|number| number.parse().ok());
    Some((numbers.next()?, numbers.next()?))
}

#[test]
fn the_tests_in_python_pass() {
    run(
        "python3",
        (3, 7),
        &["-m", "unittest", "discover", "examples/python"],
    );
}

#[test]
fn the_tests_in_node_pass() {
    // Older ones have no runner of tests, or take no folder.
    run(
        "node",
        (20, 0),
        &["--test", "examples/node/weather-server.test.mjs"],
    );
}
