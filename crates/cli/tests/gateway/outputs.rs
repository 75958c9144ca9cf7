//! Nothing that the gateway writes for itself can stop traffic, `/healthz` or SIGTERM.

use std::io::Write as _;
use std::net::{SocketAddr, TcpListener};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::client::Client;
use crate::process::Gateway;
use crate::server::Server;
use crate::sound::{INITIALIZE, INITIALIZE_RESULT, PING, PONG};
use crate::wait::until;

/// A queue holds 64 MiB: this many bodies of this size do not fit.
const BODIES: usize = 20;
const SIZE: usize = 4 << 20;

fn make_fifo(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status().unwrap();
    assert!(made.success());
}

/// A request whose record is long.
fn long_ping() -> String {
    let text = "x".repeat(SIZE);
    format!(r#"{{"jsonrpc":"2.0","id":9,"method":"ping","params":{{"_meta":{{"x":"{text}"}}}}}}"#)
}

#[test]
fn a_recording_and_a_report_that_nobody_reads_stop_nothing_and_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (record, report, logs) = (path("r.ndjson"), path("r.json"), path("logs"));
    make_fifo(Path::new(&record));
    make_fifo(Path::new(&report));
    for mode in ["shadow", "enforce"] {
        let server = Server::sound();
        let args = [
            "--mode",
            mode,
            "--record",
            &record,
            "--report",
            &report,
            "--log-dir",
            &logs,
        ];
        let gateway = Gateway::new(&server.url(), &args);
        let mut client = gateway.client();
        let body = long_ping();
        for _ in 0..BODIES {
            let answer = client.post("", &body);
            assert_eq!(answer.text(), PONG, "{mode}: {}", answer.status);
        }
        let healthy = gateway.client().ask("GET", "/healthz", "");
        assert_eq!(healthy.text(), "ok\n", "{mode}");
        let dropped = "mcp_assay_dropped_total{output=\"recording\"}";
        until(|| gateway.metric(dropped) > 0);
        let ended = gateway.end();
        // A request and its answer each; nothing of it was ever written.
        let records = 2 * BODIES;
        let told = format!("{records} records of the traffic could not be written to {record}");
        assert!(ended.stderr.contains(&told), "{mode}: {}", ended.stderr);
        let told = "failed to write the report ";
        assert!(ended.stderr.contains(told), "{mode}: {}", ended.stderr);
        assert!(ended.status.code().is_some(), "{mode}: {}", ended.status);
        // An output that works is not harmed by the others.
        let log = std::fs::read_to_string(path("logs/latest.jsonl")).unwrap();
        let messages = log.matches("\"event\":\"message\"").count();
        assert_eq!(messages, records, "{mode}: {}", ended.stderr);
        std::fs::remove_dir_all(&logs).unwrap();
    }
}

/// A standard error that takes no more bytes.
fn full() -> (UnixStream, Stdio) {
    let (reader, mut writer) = UnixStream::pair().unwrap();
    writer.set_nonblocking(true).unwrap();
    while writer.write(&[b'.'; 1024]).is_ok() {}
    while writer.write(b".").is_ok() {}
    writer.set_nonblocking(false).unwrap();
    (reader, Stdio::from(OwnedFd::from(writer)))
}

/// An address that is free. Nothing else of these tests listens on a given port.
fn free_address() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap()
}

#[test]
fn standard_error_that_nobody_reads_stops_nothing() {
    for mode in ["shadow", "enforce"] {
        let server = Server::sound();
        let (_unread, stderr) = full();
        let address = free_address();
        let mut process = Command::new(env!("CARGO_BIN_EXE_mcp-assay"))
            .args(["gateway", "--no-config", "--grace", "0.3", "--mode", mode])
            .args(["--listen", &address.to_string(), "--upstream"])
            .arg(server.url())
            .stderr(stderr)
            .spawn()
            .unwrap();
        until(|| std::net::TcpStream::connect(address).is_ok());
        let mut client = Client::new(address);
        assert_eq!(client.post("", INITIALIZE).text(), INITIALIZE_RESULT);
        for _ in 0..100 {
            assert_eq!(Client::new(address).post("", PING).text(), PONG);
        }
        // Each of them is a finding that the summary would name.
        let bad = r#"{"jsonrpc":"2.0","id":9,"method":"ping","params":7}"#;
        Client::new(address).post("", bad);
        let healthy = Client::new(address).ask("GET", "/healthz", "");
        assert_eq!(healthy.text(), "ok\n", "{mode}");
        let pid = process.id().to_string();
        Command::new("kill").args(["-TERM", &pid]).status().unwrap();
        let status = process.wait().unwrap();
        assert!(status.code().is_some(), "{mode}: {status}");
    }
}
