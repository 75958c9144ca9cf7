//! `--metrics`: numbers in a file, at the end and on SIGUSR1.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use super::{until, wrap};

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;
const WELCOME: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}"#;
const NAMELESS: &str = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{}}"#;
const REFUSED: &str = r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"no name"}}"#;

/// Answers both requests, and would die of a signal.
fn script() -> String {
    format!(
        "while IFS= read -r line; do case \"$line\" in *initialize*) echo '{WELCOME}' ;; *) echo '{REFUSED}' ;; esac; done"
    )
}

#[test]
fn numbers_are_written_on_a_signal_and_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("numbers.prom");
    let shown = path.to_string_lossy().into_owned();
    let mut wrapped = wrap(&["--metrics", &shown], &script());
    wrapped.write(format!("{INITIALIZE}\n").as_bytes());
    wrapped.read(WELCOME.len() + 1);
    let read = || fs::read_to_string(&path).unwrap_or_default();
    let passed = "mcp_assay_messages_total{direction=\"s2c\",verdict=\"pass\"} 1\n";
    assert!(!read().contains(passed), "nobody has asked yet: {}", read());
    until(|| {
        let pid = wrapped.process.id().to_string();
        Command::new("kill").args(["-USR1", &pid]).status().unwrap();
        read().contains(passed)
    });
    // The signal did not reach the server, which goes on.
    wrapped.write(format!("{NAMELESS}\n").as_bytes());
    wrapped.read(REFUSED.len() + 1);
    let ended = wrapped.end();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let text = read();
    for line in [
        "# TYPE mcp_assay_messages_total counter",
        r#"mcp_assay_messages_total{direction="c2s",verdict="block"} 1"#,
        r#"mcp_assay_messages_total{direction="c2s",verdict="pass"} 1"#,
        r#"mcp_assay_messages_total{direction="s2c",verdict="pass"} 2"#,
        r#"mcp_assay_violations_total{rule="schema/missing-member"} 1"#,
        "mcp_assay_blocked_total 0",
        "mcp_assay_unchecked_total 0",
        "mcp_assay_checks_failed_total 0",
        "mcp_assay_check_seconds_count 4",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}: {text}");
    }
    let files: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(files.len(), 1, "no drafts: {files:?}");
    let mode = fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn enforce_counts_what_it_stops_and_a_file_keeps_its_permissions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("numbers.prom");
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    let shown = path.to_string_lossy().into_owned();
    let wrapped = wrap(&["--mode", "enforce", "--metrics", &shown], &script());
    wrapped.say(format!("{INITIALIZE}\n{NAMELESS}\n").as_bytes());
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("mcp_assay_blocked_total 1\n"), "{text}");
    let mode = fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o644);
}

#[test]
fn a_file_that_cannot_be_written_is_told_before_anything_starts() {
    let ended = wrap(&["--metrics", "/no/such/folder/n.prom"], "echo started").say(b"");
    assert_eq!(ended.code, Some(2));
    assert_eq!(ended.stdout, b"");
    let text = ended.stderr;
    assert!(
        text.contains("failed to write /no/such/folder/n.prom"),
        "{text}"
    );
    let ended = wrap(&["--no-check", "--metrics", "n.prom"], "echo started").say(b"");
    assert_eq!(ended.code, Some(2));
}

/// Without the flag the signal is the server's, as any other.
#[test]
fn without_a_file_the_signal_is_passed_on() {
    let mut wrapped = wrap(
        &[],
        "trap 'echo heard; exit 0' USR1; echo ready; while :; do sleep 0.05; done",
    );
    wrapped.read(6);
    let pid = wrapped.process.id().to_string();
    Command::new("kill").args(["-USR1", &pid]).status().unwrap();
    assert_eq!(wrapped.read(6), b"heard\n");
}
