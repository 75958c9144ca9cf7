//! Forwarded bytes are not changed, whatever they are and however they come.

use std::fs;
use std::io::Write as _;

use super::wrap;

/// Lines good and bad, bytes that are no text, and an end without a newline.
fn odd_bytes() -> Vec<u8> {
    let mut bytes =
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n\n   \nnot json\n\xff\xfe\x00\n"
            .to_vec();
    for number in 0..2000_u32 {
        bytes.extend_from_slice(
            format!("{{\"jsonrpc\":\"2.0\",\"id\":{number},\"method\":\"ping\"}}\n").as_bytes(),
        );
    }
    bytes.extend_from_slice(b"{\"half");
    bytes
}

#[test]
fn shadow_changes_nothing() {
    let bytes = odd_bytes();
    for flags in [&[][..], &["--no-check"]] {
        let ended = wrap(flags, "exec cat").say(&bytes);
        assert!(ended.stdout == bytes, "{flags:?}: {}", ended.stderr);
        assert_eq!(ended.code, Some(0));
    }
}

#[test]
fn bytes_pass_one_by_one() {
    let mut wrapped = wrap(&[], "exec cat");
    for byte in b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\nhalf a li" {
        wrapped.write(&[*byte]);
        // It is there before its line is complete: nothing is held back.
        assert_eq!(wrapped.read(1), [*byte]);
    }
    let ended = wrapped.end();
    assert!(ended.stderr.contains("framing/"), "{}", ended.stderr);
}

#[test]
fn a_line_of_100_megabytes_passes() {
    let mut bytes = vec![b'x'; 100 << 20];
    bytes.push(b'\n');
    bytes.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n");
    let ended = wrap(&[], "exec cat").say(&bytes);
    assert!(ended.stdout == bytes, "{}", ended.stderr);
    assert!(ended.stderr.contains("json/size-limit"), "{}", ended.stderr);
}

#[test]
fn a_slow_reader_slows_the_server_and_nothing_piles_up() {
    let mut wrapped = wrap(
        &[],
        "yes 0123456789012345678901234567890123456789 | head -c 60000000",
    );
    // Nobody reads: the program stops reading, too.
    let read = format!("/proc/{}/io", wrapped.process.id());
    let mut before = None;
    super::until(|| {
        let now = fs::read_to_string(&read).ok();
        let is_still = now.is_none() || (now == before && before.is_some());
        before = now;
        is_still
    });
    if let Ok(status) = fs::read_to_string(format!("/proc/{}/status", wrapped.process.id())) {
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak = peak.and_then(|text| text.trim().split(' ').next()?.parse::<u64>().ok());
        assert!(peak.is_some_and(|kilobytes| kilobytes < 60_000), "{peak:?}");
    }
    let first = wrapped.read(1000);
    assert!(first.starts_with(b"0123456789"));
    let ended = wrapped.end();
    assert_eq!(ended.stdout.len() + first.len(), 60_000_000);
}

#[test]
fn a_recording_has_every_byte_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("session.ndjson");
    let mut wrapped = wrap(
        &["--record", path.to_str().expect("a plain path")],
        "exec cat",
    );
    wrapped.write(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n");
    wrapped.read(41);
    // The program is killed; what passed before is there.
    super::until(|| fs::read_to_string(&path).is_ok_and(|text| text.lines().count() == 2));
    wrapped.process.kill().expect("it can be killed");
    let text = fs::read_to_string(&path).expect("it is there");
    let records: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a record is JSON"))
        .collect();
    assert_eq!(records[0]["dir"], "c2s");
    assert_eq!(records[1]["dir"], "s2c");
    assert_eq!(
        records[0]["raw"],
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"
    );
}

#[test]
fn a_full_disk_stops_nothing_and_is_told() {
    if !std::path::Path::new("/dev/full").exists() {
        return;
    }
    let bytes = odd_bytes();
    let ended = wrap(&["--record", "/dev/full"], "exec cat").say(&bytes);
    assert!(ended.stdout == bytes, "{}", ended.stderr);
    assert!(
        ended.stderr.contains("could not be written to /dev/full"),
        "{}",
        ended.stderr
    );
}

#[test]
fn standard_error_passes_untouched() {
    let ended = wrap(&["--quiet"], "printf 'one\\ntwo \\033[1m' >&2").say(b"");
    assert_eq!(ended.stderr, "one\ntwo \u{1b}[1m");
}

#[test]
fn environment_and_folder_are_the_servers_too() {
    let ended = wrap(&["--quiet"], "pwd; printf '%s' \"$HOME\"").say(b"");
    let here = std::env::current_dir().expect("a folder");
    let home = std::env::var("HOME").unwrap_or_default();
    let text = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert_eq!(text, format!("{}\n{home}", here.display()));
}

#[test]
fn a_report_is_written_beside_the_traffic() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("report.ndjson");
    let ended = wrap(
        &["--report", path.to_str().expect("a plain path")],
        "echo 'ready'; cat > /dev/null",
    )
    .say(b"{\"jsonrpc\":\"2.0\",\"id\":1}\n");
    assert_eq!(ended.stdout, b"ready\n");
    let text = fs::read_to_string(&path).expect("it is there");
    assert_eq!(
        text.lines().count(),
        3,
        "two messages and a summary: {text}"
    );
    assert!(text.contains("framing/stdout-messages-only") && text.contains("jsonrpc/known-kind"));
    std::io::stdout().flush().expect("it can be written");
}

/// Files take not a byte, as on a full disk.
#[test]
fn a_full_disk_for_logs_stops_nothing_and_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let ping = |id| format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}\n");
    let said: String = (0..50).map(ping).collect();
    for mode in ["shadow", "enforce"] {
        let output = assert_cmd::Command::new("sh")
            .args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\""])
            .arg(env!("CARGO_BIN_EXE_mcp-assay"))
            .args(["wrap", "--no-config", "--mode", mode, "--log-dir"])
            .arg(folder.path())
            .args(["--", "cat"])
            .write_stdin(said.clone())
            .output()
            .expect("it runs");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.stdout == said.as_bytes(), "{mode}: {stderr}");
        assert!(stderr.contains("100 messages: "), "{stderr}");
        assert!(stderr.contains(" events missing from "), "{stderr}");
    }
}

#[test]
fn half_a_line_and_then_silence() {
    let half = b"{\"jsonrpc\":\"2.0\",\"id\"";
    let rest = b":1,\"method\":\"ping\"}\n";
    for mode in ["shadow", "enforce"] {
        let mut wrapped = wrap(&["--mode", mode], "exec cat");
        wrapped.write(half);
        if mode == "shadow" {
            // Nothing else was written: it does not wait for the rest.
            assert_eq!(wrapped.read(half.len()), half);
        }
        wrapped.write(rest);
        let whole = [&half[..], rest].concat();
        let missing = if mode == "shadow" {
            &rest[..]
        } else {
            &whole[..]
        };
        assert_eq!(wrapped.read(missing.len()), missing, "{mode}");
        wrapped.end();
    }
}
