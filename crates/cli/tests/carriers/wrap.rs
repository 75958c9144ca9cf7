//! `wrap` in front of a shell script.

use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::process::{Command, Stdio};

use mcp_assay::RefusalStatus;

use crate::counters::written;
use crate::table::{Case, MAX_MESSAGE, Sender};
use crate::{Outcome, initialize, logged_in, provocation, sound, welcome};

/// Answers as `server_answer` does, and says on standard error which lines it got.
const SCRIPT: &str = r#"
while IFS= read -r line; do
    printf 'got %s\n' "$line" >&2
    case "$line" in
        *'"initialize"'*) printf '%s\n' "$WELCOME" ;;
        *'"tools/list"'*) printf '%s\n' "$ANSWER" ;;
        *'"ping"'*) printf '%s\n' "$PONG" ;;
    esac
done
"#;

pub(crate) fn run(case: &Case, _: RefusalStatus) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report.ndjson");
    let numbers = folder.path().join("numbers.prom");
    let limit = MAX_MESSAGE.to_string();
    let mut process = Command::new(env!("CARGO_BIN_EXE_mcp-assay"))
        .args(["wrap", "--no-config", "--mode", "enforce"])
        .args(["--max-message-bytes", &limit])
        .arg("--report")
        .arg(&report)
        .arg("--metrics")
        .arg(&numbers)
        .args(["--", "sh", "-c", SCRIPT])
        .env("WELCOME", welcome(case.revision))
        .env("ANSWER", &case.message)
        .env("PONG", sound::PONG)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = process.stdin.take().unwrap();
    let mut stdout = BufReader::new(process.stdout.take().unwrap()).lines();
    let mut stderr = process.stderr.take().unwrap();
    let stderr = std::thread::spawn(move || {
        let mut text = String::new();
        stderr.read_to_string(&mut text).unwrap();
        text
    });
    writeln!(stdin, "{}", initialize(case.revision)).unwrap();
    assert_eq!(stdout.next().unwrap().unwrap(), welcome(case.revision));
    writeln!(stdin, "{}", sound::INITIALIZED).unwrap();
    writeln!(stdin, "{}", provocation(case)).unwrap();
    // The server answers in order: everything before this is done.
    writeln!(stdin, "{}", sound::PING).unwrap();
    let mut lines: Vec<String> = Vec::new();
    for line in &mut stdout {
        let line = line.unwrap();
        if line == sound::PONG {
            break;
        }
        lines.push(line);
    }
    drop(stdin);
    process.wait().unwrap();
    let stderr = stderr.join().unwrap();
    assert!(lines.len() <= 1, "{lines:?}");
    Outcome {
        reached: match case.sender {
            Sender::Client => stderr.contains(&format!("got {}\n", case.message)),
            Sender::Server => lines.contains(&case.message),
        },
        answer: lines.pop(),
        status: None,
        log: logged_in(&report),
        numbers: written(&std::fs::read_to_string(&numbers).unwrap()),
    }
}
