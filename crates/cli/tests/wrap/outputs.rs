//! Nothing that the program writes for itself can stop traffic, and files are private.

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;
use std::thread;

use super::wrap;

/// Requests, one in a line: 75,000 are 3 MB.
fn pings(count: usize) -> String {
    let ping = |id| format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}\n");
    let pings: Vec<_> = (0..count).map(ping).collect();
    pings.concat()
}

fn make_fifo(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status().unwrap();
    assert!(made.success());
}

fn check(path: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_mcp-assay"))
        .args(["check", "--no-config", "--format", "ndjson"])
        .arg(path)
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_recording_and_a_report_that_nobody_reads_stop_nothing_and_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (record, report, numbers) = (path("r.ndjson"), path("r.json"), path("n.prom"));
    make_fifo(Path::new(&record));
    make_fifo(Path::new(&report));
    let said = pings(75_000);
    let flags = [
        "--record",
        &record,
        "--report",
        &report,
        "--metrics",
        &numbers,
    ];
    let ended = wrap(&flags, "exec cat").say(said.as_bytes());
    assert!(ended.stdout == said.as_bytes(), "{}", ended.stderr);
    let told = "150001 records of the traffic could not be written to ";
    assert!(ended.stderr.contains(told), "{}", ended.stderr);
    let told = "failed to write the report ";
    assert!(ended.stderr.contains(told), "{}", ended.stderr);
    let numbers = fs::read_to_string(numbers).unwrap();
    let counted = "mcp_assay_dropped_total{output=\"recording\"} 150001\n";
    assert!(numbers.contains(counted), "{numbers}");
}

#[test]
fn a_recording_that_is_read_late_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("r.ndjson");
    make_fifo(&record);
    let mut wrapped = wrap(&["--record", &record.to_string_lossy()], "exec cat");
    let said = pings(100);
    wrapped.write(said.as_bytes());
    assert_eq!(wrapped.read(said.len()), said.as_bytes());
    let reader = thread::spawn(move || fs::read_to_string(record).unwrap());
    let ended = wrapped.end();
    let text = reader.join().unwrap();
    assert_eq!(text.lines().count(), 201, "{}", ended.stderr);
}

/// In `enforce` text on standard output goes to standard error, which nobody reads here.
#[test]
fn standard_error_that_nobody_reads_stops_nothing() {
    let script = "exec awk '{ print \"some text that is no message\"; print }'";
    let mut wrapped = wrap(&["--mode", "enforce"], script);
    let said = pings(75_000);
    let mut stdin = wrapped.stdin.take().unwrap();
    let bytes = said.clone();
    let writer = thread::spawn(move || {
        use std::io::Write as _;
        stdin.write_all(bytes.as_bytes())
    });
    let mut heard = Vec::new();
    let mut stdout = wrapped.stdout.take().unwrap();
    stdout.read_to_end(&mut heard).unwrap();
    writer.join().unwrap().unwrap();
    // The program ends, although its last words are not read.
    assert_eq!(wrapped.process.wait().unwrap().code(), Some(0));
    assert!(heard == said.as_bytes(), "{} bytes", heard.len());
}

#[test]
fn a_signal_ends_it_whatever_is_stuck() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("r.ndjson");
    make_fifo(&record);
    let mut wrapped = wrap(&["--record", &record.to_string_lossy()], "exec cat");
    let said = pings(1);
    wrapped.write(said.as_bytes());
    assert_eq!(wrapped.read(said.len()), said.as_bytes());
    let pid = wrapped.process.id().to_string();
    Command::new("kill").args(["-TERM", &pid]).status().unwrap();
    let status = wrapped.process.wait().unwrap();
    assert_eq!(status.code(), Some(128 + 15));
}

#[test]
fn a_disk_that_works_gets_everything() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (record, logs, numbers) = (path("r.ndjson"), path("logs"), path("n.prom"));
    let said = pings(100_000);
    let flags = [
        "--record",
        &record,
        "--log-dir",
        &logs,
        "--metrics",
        &numbers,
    ];
    let ended = wrap(&flags, "exec cat > /dev/null").say(said.as_bytes());
    assert_eq!(ended.stdout, b"");
    let text = fs::read_to_string(&record).unwrap();
    assert_eq!(text.lines().count(), 100_001, "{}", ended.stderr);
    let log = fs::read_to_string(folder.path().join("logs/latest.jsonl")).unwrap();
    let messages = log.matches("\"event\":\"message\"").count();
    assert_eq!(messages, 100_000, "{}", ended.stderr);
    let numbers = fs::read_to_string(numbers).unwrap();
    assert!(!numbers.contains("mcp_assay_dropped_total{"), "{numbers}");
}

#[test]
fn files_can_be_read_by_their_owner_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (record, report, logs) = (path("r.ndjson"), path("r.html"), path("logs"));
    let flags = ["--record", &record, "--report", &report, "--log-dir", &logs];
    wrap(&flags, "exec cat").say(pings(3).as_bytes());
    for path in [record, report, format!("{logs}/latest.jsonl")] {
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{path}");
    }
}

#[test]
fn rotated_recordings_are_captures_each() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("r.ndjson");
    let shown = record.to_string_lossy().into_owned();
    let flags = ["--record", &shown, "--rotate-size", "20000"];
    // Each answer follows its request, so that a file may begin with one.
    let script = r#"while IFS= read -r line; do
        id=${line#*\"id\":}; id=${id%%,*}
        printf '{"jsonrpc":"2.0","id":%s,"result":{}}\n' "$id"
    done"#;
    let ended = wrap(&flags, script).say(pings(1000).as_bytes());
    let (mut files, mut records) = (0, 0);
    for entry in fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.len() <= 20_000, "{path:?}: {}", text.len());
        records += text.lines().filter(|line| line.contains("\"raw\"")).count();
        files += 1;
        let found = check(&path);
        let summary = found.lines().last().unwrap_or_default();
        assert!(summary.contains("\"block\":0"), "{path:?}: {found}");
        assert!(!found.contains("every-request"), "{path:?}: {found}");
    }
    assert_eq!(records, 2000, "{}", ended.stderr);
    assert!(files > 5, "{files}");
}

#[test]
fn rotated_recordings_are_removed_beyond_a_number() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().to_string_lossy().into_owned();
    let flags = [
        "--record",
        &record,
        "--rotate-size",
        "2000",
        "--rotate-keep",
        "2",
    ];
    wrap(&flags, "exec cat").say(pings(1000).as_bytes());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

/// Nothing is concluded from a recording in which something is missing, in whatever session.
#[test]
fn a_gap_holds_for_every_session() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gap.ndjson");
    let record = |dir: &str, session: &str, raw: &str| {
        serde_json::json!({"t": 1, "dir": dir, "session": session, "raw": raw}).to_string()
    };
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let answer = r#"{"jsonrpc":"2.0","id":9,"result":{"tools":[]}}"#;
    let lines = [
        record("c2s", "a", ping),
        r#"{"dir":"s2c","gap":"before"}"#.to_owned(),
        record("s2c", "a", answer),
        record("s2c", "b", answer),
    ];
    fs::write(&path, lines.join("\n")).unwrap();
    let found = check(&path);
    assert!(found.contains("\"messages\":3"), "{found}");
    assert!(!found.contains("response/id-known"), "{found}");
    assert!(!found.contains("response/every-request"), "{found}");
    // Without the gap the same is a fault of both.
    let whole = [record("c2s", "a", ping), record("s2c", "a", answer)];
    fs::write(&path, whole.join("\n")).unwrap();
    assert!(check(&path).contains("response/id-known"));
}
