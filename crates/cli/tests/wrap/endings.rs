//! However it ends, the exit code is the server's and nobody is left behind.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{until, wrap};

fn is_alive(pid: &str) -> bool {
    // A zombie is not alive.
    let status = fs::read_to_string(format!("/proc/{pid}/status"));
    status.is_ok_and(|status| !status.contains("State:\tZ"))
}

fn pid_in(path: &Path) -> String {
    until(|| fs::read_to_string(path).is_ok_and(|text| text.ends_with('\n')));
    let text = fs::read_to_string(path).expect("it was there");
    text.trim().to_owned()
}

#[test]
fn the_exit_code_is_the_servers() {
    assert_eq!(wrap(&[], "exit 7").say(b"").code, Some(7));
    assert_eq!(wrap(&[], "kill -9 $$").say(b"").code, Some(128 + 9));
    assert_eq!(wrap(&[], "cat > /dev/null").say(b"x\n").code, Some(0));
}

#[test]
fn a_server_that_cannot_be_started_is_told() {
    let output = Command::new(env!("CARGO_BIN_EXE_mcp-assay"))
        .args(["wrap", "--", "/no/such/server"])
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(127));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("failed to run `/no/such/server`"), "{text}");
}

#[test]
fn a_server_that_dies_ends_the_session_at_once() {
    let mut wrapped = wrap(&[], "echo last words; kill -9 $$");
    // The client has not closed its side.
    let status = wrapped.process.wait().expect("it ends");
    assert_eq!(status.code(), Some(137));
    assert_eq!(wrapped.read(11), b"last words\n");
}

#[test]
fn when_the_client_is_gone_the_server_and_its_children_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("pid");
    let script = format!(
        "sleep 1000 & echo $! > {}; trap '' TERM; wait; sleep 1000",
        path.display()
    );
    let mut wrapped = wrap(&["--grace", "0.3"], &script);
    let pid = pid_in(&path);
    drop(wrapped.stdin.take());
    drop(wrapped.stdout.take());
    wrapped.process.wait().expect("it ends");
    if Path::new("/proc/self").exists() {
        until(|| !is_alive(&pid));
    }
}

#[test]
fn a_server_that_works_on_after_the_last_message_is_left_in_peace() {
    // The work takes longer than the grace, by however much.
    let script = "cat > /dev/null; sleep 0.2; echo done";
    let ended = wrap(&["--grace", "0.1"], script).say(b"");
    assert_eq!(ended.stdout, b"done\n");
    assert_eq!(ended.code, Some(0));
}

/// With `--once` the end of either stream is the end of the session.
#[test]
fn once_ends_a_server_that_does_not_end_with_its_session() {
    for script in [
        "cat > /dev/null; exec sleep 1000",
        "exec >&-; exec sleep 1000",
    ] {
        let wrapped = wrap(&["--once", "--grace", "0.2"], script);
        let ended = wrapped.say(b"");
        assert_eq!(ended.code, Some(128 + 15), "{script}: {}", ended.stderr);
    }
    // Its last words are forwarded.
    let script = "cat > /dev/null; echo done";
    let ended = wrap(&["--once"], script).say(b"");
    assert_eq!((ended.stdout, ended.code), (b"done\n".to_vec(), Some(0)));
}

#[test]
fn signals_are_passed_on() {
    let mut wrapped = wrap(
        &[],
        "trap 'echo heard; kill $!; exit 3' TERM; sleep 1000 & echo ready; wait",
    );
    assert_eq!(wrapped.read(6), b"ready\n");
    let sent = Command::new("kill")
        .args(["-TERM", &wrapped.process.id().to_string()])
        .status()
        .expect("kill runs");
    assert!(sent.success());
    assert_eq!(wrapped.read(6), b"heard\n");
    let status = wrapped.process.wait().expect("it ends");
    assert_eq!(status.code(), Some(3));
}

#[test]
fn a_server_that_heeds_no_signal_is_killed() {
    let mut wrapped = wrap(
        &["--grace", "0.3"],
        "trap '' TERM; sleep 1000 & echo ready; wait",
    );
    assert_eq!(wrapped.read(6), b"ready\n");
    let pid = wrapped.process.id().to_string();
    Command::new("kill")
        .args(["-TERM", &pid])
        .status()
        .expect("kill runs");
    let status = wrapped.process.wait().expect("it ends");
    assert_eq!(status.code(), Some(137));
}

#[cfg(target_os = "linux")]
#[test]
fn the_server_ends_when_we_are_killed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("pid");
    let script = format!("echo $$ > {}; exec sleep 1000", path.display());
    let mut wrapped = wrap(&[], &script);
    let pid = pid_in(&path);
    wrapped.process.kill().expect("it can be killed");
    wrapped.process.wait().expect("it ended");
    until(|| !is_alive(&pid));
}
