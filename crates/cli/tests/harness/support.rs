//! The program as a harness, and a server in a few lines of shell.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::LazyLock;

use mcp_assay_testkit::shell::ShellServer;
use serde_json::{Value, json};

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_mcp-assay");

/// A server that speaks one revision and has one tool.
pub(crate) static SERVER: LazyLock<String> = LazyLock::new(|| {
    let tool = r#"{"tools":[{"name":"pid","inputSchema":{"type":"object","properties":{"a":{}}},"annotations":{"readOnlyHint":true}}]}"#;
    let prompt = r#"{"messages":[{"role":"user","content":{"type":"text","text":"Hello"}}]}"#;
    let server = ShellServer::new()
        .capabilities(r#"{"tools":{},"resources":{},"prompts":{}}"#)
        .answer("ping", "{}")
        .answer("tools/list", tool)
        .answer(
            "resources/list",
            r#"{"resources":[{"uri":"test://one","name":"one"}]}"#,
        )
        .answer("resources/templates/list", r#"{"resourceTemplates":[]}"#)
        .answer(
            "resources/read",
            r#"{"contents":[{"uri":"test://one","text":"1"}]}"#,
        )
        .answer("prompts/list", r#"{"prompts":[{"name":"greet"}]}"#)
        .answer("prompts/get", prompt);
    let cases = r#"
    *'"tools/call"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"%s"}]}}\n' "$id" $$ ;;
    *'"ask"'*) printf '{"jsonrpc":"2.0","id":"s%s","method":"roots/list"}\n' "$id"; read -r answer; printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-1,"message":"asked","data":%s}}\n' "$id" "$answer" ;;
    *'"bad"'*) printf '{"jsonrpc":"2.0","id":%s}\n' "$id" ;;
    *'"id"'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"method not found"}}\n' "$id" ;;
"#;
    server.cases(cases).script()
});

/// The program, waiting for commands.
pub(crate) struct Harness {
    pub(crate) process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Harness {
    pub(crate) fn start(flags: &[&str], command: &[&str]) -> Self {
        let mut process = Command::new(PROGRAM)
            .args(["probe", "--serve-json"])
            .args(flags)
            .arg("--")
            .args(command)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let input = process.stdin.take();
        let output = BufReader::new(process.stdout.take().expect("a pipe"));
        Self {
            process,
            input,
            output,
        }
    }

    /// Talks to the usual server.
    pub(crate) fn shell(flags: &[&str]) -> Self {
        Self::start(flags, &["sh", "-c", &SERVER])
    }

    /// Sends a line and returns the answer.
    pub(crate) fn line(&mut self, line: &str) -> Value {
        let input = self.input.as_mut().expect("it is open");
        writeln!(input, "{line}").expect("it is read");
        let mut answer = String::new();
        self.output.read_line(&mut answer).expect("an answer");
        serde_json::from_str(&answer).expect(line)
    }

    /// Runs a command with members.
    pub(crate) fn run(&mut self, command: &str, mut members: Value) -> Value {
        members["command"] = json!(command);
        self.line(&members.to_string())
    }

    /// The result of a command that has to work.
    pub(crate) fn good(&mut self, command: &str, members: Value) -> Value {
        let mut answer = self.run(command, members);
        assert_eq!(answer["ok"], true, "{answer}");
        answer["result"].take()
    }

    /// The error of a command that has to fail.
    pub(crate) fn bad(&mut self, command: &str, members: Value) -> Value {
        let mut answer = self.run(command, members);
        assert_eq!(answer["ok"], false, "{answer}");
        answer["error"].take()
    }

    /// Closes the input; returns the exit code.
    pub(crate) fn end(mut self) -> Option<i32> {
        self.input = None;
        self.process.wait().expect("it ends").code()
    }
}
