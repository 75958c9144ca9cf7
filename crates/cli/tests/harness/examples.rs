//! The examples in other languages, if the language is installed.

use std::path::Path;
use std::process::{Command, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_mcp-assay");

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
    version_by(language, "--version")
}

/// The same, by the argument that prints it.
fn version_by(language: &str, flag: &str) -> Option<(u32, u32)> {
    let output = Command::new(language)
        .arg(flag)
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

/// The output of every client of `validate --serve-json`.
const CLIENT_OUTPUT: &str = "\
request: unknown_method: method=tools/cal
tool call: valid
session: block schema/missing-member
bad question: unknown command `validate_requst`; did you mean `validate_request`?
";

/// Runs a client of `validate --serve-json`, if one of the commands has a version that can.
fn run_client(commands: &[(&[&str], &str, (u32, u32))]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (command, flag, minimum) in commands {
        let Some(found) = version_by(command[0], flag) else {
            println!(
                "skipped: there is no {} to run the example with",
                command[0]
            );
            continue;
        };
        if found < *minimum {
            println!(
                "skipped: the example needs {} {minimum:?}, this is {found:?}",
                command[0]
            );
            continue;
        }
        let output = Command::new(command[0])
            .args(&command[1..])
            .current_dir(&root)
            .env("MCP_ASSAY", PROGRAM)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .output()
            .expect("it starts");
        let text = String::from_utf8_lossy(&output.stdout);
        let complaints = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command:?} {text}{complaints}");
        assert_eq!(text, CLIENT_OUTPUT, "{command:?} {complaints}");
        return;
    }
}

#[test]
fn the_client_in_python_asks_and_is_answered() {
    let command = &["python3", "examples/python/assay_client.py"];
    run_client(&[(command, "--version", (3, 7))]);
}

#[test]
fn the_client_in_typescript_asks_and_is_answered() {
    const FILE: &str = "examples/typescript/assay_client.ts";
    run_client(&[
        (&["node", FILE], "--version", (22, 18)),
        (&["deno", "run", "--allow-all", FILE], "--version", (2, 0)),
        (&["bun", FILE], "--version", (1, 0)),
        (&["tsx", FILE], "--version", (4, 0)),
    ]);
}

#[test]
fn the_client_in_go_asks_and_is_answered() {
    let command = &["go", "run", "examples/go/assay_client.go"];
    run_client(&[(command, "version", (1, 19))]);
}

#[test]
fn the_client_in_erlang_asks_and_is_answered() {
    // The release is not a flag of the program.
    let release = [
        "-noshell",
        "-eval",
        "io:put_chars(erlang:system_info(otp_release)), halt().",
    ];
    let output = Command::new("erl")
        .args(release)
        .stderr(Stdio::null())
        .output();
    let release = output.ok().and_then(|output| {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.trim().parse::<u32>().ok()
    });
    match release {
        None => println!("skipped: there is no erl to run the example with"),
        Some(release) if release < 27 => {
            println!("skipped: the example needs Erlang/OTP 27, this is {release}");
        }
        Some(_) => {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
            let output = Command::new("escript")
                .arg("examples/erlang/assay_client.erl")
                .current_dir(root)
                .env("MCP_ASSAY", PROGRAM)
                .output()
                .expect("it starts");
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success(), "{text}");
            assert_eq!(text, CLIENT_OUTPUT);
        }
    }
}
