//! The program as a harness, and servers in a few lines of shell.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_mcp-assay");

/// A server that speaks one revision and has one tool.
pub(crate) const SERVER: &str = r#"
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
    *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{},"prompts":{}},"serverInfo":{"name":"sh","version":"1"}}}\n' "$id" ;;
    *'"ping"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{}}\n' "$id" ;;
    *'"tools/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"pid","inputSchema":{"type":"object","properties":{"a":{}}},"annotations":{"readOnlyHint":true}}]}}\n' "$id" ;;
    *'"tools/call"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"%s"}]}}\n' "$id" $$ ;;
    *'"resources/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"resources":[{"uri":"test://one","name":"one"}]}}\n' "$id" ;;
    *'"resources/templates/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"resourceTemplates":[]}}\n' "$id" ;;
    *'"resources/read"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"contents":[{"uri":"test://one","text":"1"}]}}\n' "$id" ;;
    *'"prompts/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"prompts":[{"name":"greet"}]}}\n' "$id" ;;
    *'"prompts/get"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"messages":[{"role":"user","content":{"type":"text","text":"Hello"}}]}}\n' "$id" ;;
    *'"ask"'*) printf '{"jsonrpc":"2.0","id":"s%s","method":"roots/list"}\n' "$id"; read -r answer; printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-1,"message":"asked","data":%s}}\n' "$id" "$answer" ;;
    *'"bad"'*) printf '{"jsonrpc":"2.0","id":%s}\n' "$id" ;;
    *'"id"'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"method not found"}}\n' "$id" ;;
  esac
done
"#;

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
        Self::start(flags, &["sh", "-c", SERVER])
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
