//! The examples, which are built with the official SDK, against each other and through `mcp-assay
//! wrap`.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;

/// The path of a program of this workspace. A run of all tests has built them; where only some were
/// asked for, it is done here.
fn program(name: &str) -> String {
    static BUILDING: Mutex<()> = Mutex::new(());
    let _building = BUILDING.lock();
    // target/debug/deps/rmcp-1234
    let test = std::env::current_exe().unwrap();
    let path = test.ancestors().nth(2).unwrap().join(name);
    if !path.exists() {
        let what = match name.strip_prefix("examples/") {
            Some(example) => ["-p", "mcp-assay-tokio", "--example", example].to_vec(),
            None => ["-p", "mcp-assay"].to_vec(),
        };
        let mut cargo = Command::new(env!("CARGO"));
        let status = cargo.arg("build").args(what).status().unwrap();
        assert!(status.success());
    }
    path.to_str().unwrap().to_owned()
}

fn client(arguments: &[&str]) -> Output {
    let mut client = Command::new(program("examples/rmcp_client"));
    client.args(arguments).stdin(Stdio::null());
    client.output().unwrap()
}

/// The client gets through, and nobody has anything to complain about.
#[track_caller]
fn succeeds(output: &Output) -> String {
    let (stdout, stderr) = (
        String::from_utf8_lossy(&output.stdout).into_owned(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    );
    assert!(output.status.success(), "{stdout}{stderr}");
    assert!(
        stdout.starts_with("tool: add\nresult: [{"),
        "{stdout}{stderr}"
    );
    assert!(stdout.contains("\"text\":\"5\""), "{stdout}");
    assert!(!stderr.contains("error["), "{stderr}");
    stderr
}

#[test]
fn client_and_server_check_each_other_in_both_modes() {
    let server = program("examples/rmcp_server");
    succeeds(&client(&["--", &server]));
    succeeds(&client(&["--enforce", "--", &server, "--enforce"]));
}

#[cfg(unix)]
#[test]
fn they_go_on_through_wrap() {
    let (wrap, server) = (program("mcp-assay"), program("examples/rmcp_server"));
    for mode in ["shadow", "enforce"] {
        let stderr = succeeds(&client(&[
            "--enforce",
            "--",
            &wrap,
            "wrap",
            "--mode",
            mode,
            "--",
            &server,
            "--enforce",
        ]));
        assert!(
            stderr.contains(&format!("mcp-assay ({mode}): ")),
            "{stderr}"
        );
    }
}

#[test]
fn a_server_that_checks_itself_answers_what_the_sdk_would_pass_over() {
    let mut server = Command::new(program("examples/rmcp_server"));
    let mut server = server
        .arg("--enforce")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = server.stdin.take().unwrap();
    let mut stdout = BufReader::new(server.stdout.take().unwrap());
    let initialize = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    let mut say = |line: &str| {
        writeln!(stdin, "{line}").unwrap();
        let mut answer = String::new();
        stdout.read_line(&mut answer).unwrap();
        answer
    };
    let answer = say(initialize);
    assert!(
        answer.contains("\"protocolVersion\":\"2025-06-18\""),
        "{answer}"
    );
    let answer = say(r#"{"jsonrpc":"2.0","id":2,"method":"#);
    let expected = r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32700,"#;
    assert!(answer.starts_with(expected), "{answer}");
    drop(stdin);
    let output = server.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("error[json/well-formed]"), "{stderr}");
    assert!(stderr.contains("(refused)"), "{stderr}");
}
