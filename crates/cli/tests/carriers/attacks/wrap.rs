//! `wrap` in front of a shell script.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use mcp_assay_live::guard::Mode;
use mcp_assay_testkit::http::sound;

use super::lenient::Received;
use super::table::Attack;
use super::{GOOD, GOOD_RESULT, Outcome, provocation};
use crate::table::Sender;

/// Answers as `answer` does, and keeps all bytes that come.
const SCRIPT: &str = r#"
tee "$GOT" | while IFS= read -r line; do
    case "$line" in
        *'"initialize"'*) printf '%s\n' "$WELCOME" ;;
        *'"good"'*) printf '%s\n' "$GOOD" ;;
        *'"tools/list"'*) cat "$ANSWER" ;;
    esac
done
"#;

pub(super) fn run(attack: &Attack, mode: Mode) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mut answer = match attack.sender {
        Sender::Client => Vec::new(),
        Sender::Server => attack.bytes.clone(),
    };
    if !answer.is_empty() {
        answer.push(b'\n');
    }
    std::fs::write(path("answer"), answer).unwrap();
    let mut process = Command::new(env!("CARGO_BIN_EXE_mcp-assay"))
        .args(["wrap", "--no-config", "--mode", mode.name(), "--report"])
        .arg(path("report.ndjson"))
        .args(["--", "sh", "-c", SCRIPT])
        .env("GOT", path("got"))
        .env("ANSWER", path("answer"))
        .env("WELCOME", sound::INITIALIZE_RESULT)
        .env("GOOD", GOOD_RESULT)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = process.stdin.take().unwrap();
    let mut stdout = BufReader::new(process.stdout.take().unwrap());
    let mut until = |last: &str| {
        let mut bytes = Vec::new();
        while !bytes.ends_with(format!("{last}\n").as_bytes()) {
            assert!(
                stdout.read_until(b'\n', &mut bytes).unwrap() > 0,
                "{bytes:?}"
            );
        }
        bytes
    };
    writeln!(stdin, "{}", sound::INITIALIZE).unwrap();
    until(sound::INITIALIZE_RESULT);
    writeln!(stdin, "{}", sound::INITIALIZED).unwrap();
    let line = [provocation(attack), b"\n", GOOD.as_bytes(), b"\n"].concat();
    stdin.write_all(&line).unwrap();
    let to_client = until(GOOD_RESULT);
    drop(stdin);
    process.wait().unwrap();
    let received = match attack.sender {
        Sender::Client => std::fs::read(path("got")).unwrap(),
        Sender::Server => to_client,
    };
    Outcome {
        received: vec![Received::line(received)],
        report: std::fs::read_to_string(path("report.ndjson")).unwrap(),
    }
}
