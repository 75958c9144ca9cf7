//! The files of `--record`, `--report` and `--log-dir`.

use std::fs;
use std::process::Command;

use crate::client::POST;
use crate::process::Gateway;
use crate::server::{Server, Then, until_gone};
use crate::sound::{CALL, INITIALIZE, INITIALIZED, LIST, PING, PONG, answer_to};
use crate::wait::{Gate, until};

const SLOW: &str = r#"{"jsonrpc":"2.0","id":8,"method":"ping"}"#;

#[test]
fn checking_the_recording_gives_what_was_found_live() {
    for mode in ["shadow", "enforce"] {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        let (record, report, logs) = (path("r.ndjson"), path("live.ndjson"), path("logs"));
        let gone = Gate::default();
        let is_gone = gone.clone();
        let server = Server::new(move |request, wire| {
            if request.text() == SLOW {
                until_gone(wire);
                gone.open();
                return Then::Close;
            }
            wire.write_all(&answer_to(request)).unwrap();
            Then::Keep
        });
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
        client.post("", INITIALIZE);
        let id = "Mcp-Session-Id: session-t\r\nMCP-Protocol-Version: 2025-06-18\r\n";
        for message in [
            INITIALIZED,
            LIST,
            CALL,
            r#"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{}}"#,
        ] {
            client.post(id, message);
        }
        client.ask("DELETE", "/mcp", id);
        // Without a session, and in one that began before.
        let mut other = gateway.client();
        other.post("", PING);
        other.post(
            "Mcp-Session-Id: older\r\nMCP-Protocol-Version: 2025-06-18\r\n",
            LIST,
        );
        // An id that is repeated would begin another session.
        other.post("", PING.replace("\"id\":9", "\"id\":10"));
        // A client that does not wait for its answer.
        let mut hasty = gateway.client();
        hasty.post("", INITIALIZE.replace("\"t\"", "\"u\""));
        let id = "Mcp-Session-Id: session-u\r\nMCP-Protocol-Version: 2025-06-18\r\n";
        hasty.post(id, INITIALIZED);
        hasty.send("POST", "/mcp", &format!("{POST}{id}"), SLOW);
        server.wait_for(SLOW);
        drop(hasty);
        is_gone.wait();
        gateway.end();
        let checked = Command::new(env!("CARGO_BIN_EXE_mcp-assay"))
            .args(["check", "--no-config", "--format", "ndjson", &record])
            .output()
            .unwrap();
        let lines = |text: &str| -> Vec<String> {
            // The source has another name.
            let without = |line: &str| {
                line.split_once("\",\"line\":")
                    .map_or(line, |(_, rest)| rest)
                    .to_owned()
            };
            text.lines().map(without).collect()
        };
        let checked = lines(&String::from_utf8(checked.stdout).unwrap());
        let live = lines(&fs::read_to_string(&report).unwrap());
        let found = live
            .iter()
            .filter(|line| line.contains("schema/missing-member"))
            .count();
        assert_eq!(found, 2, "one message and the summary: {live:#?}");
        if mode == "shadow" {
            assert_eq!(checked, live);
        } else {
            // The refusal is in the recording too.
            let missing: Vec<_> = live[..live.len() - 1]
                .iter()
                .filter(|line| !checked.contains(line))
                .collect();
            assert!(missing.is_empty(), "{missing:#?} of {checked:#?}");
            assert_eq!(checked.len(), live.len() + 1);
        }
        let log = fs::read_to_string(folder.path().join("logs/latest.jsonl")).unwrap();
        assert!(log.lines().count() > 10 && log.contains("schema/missing-member"));
    }
}

#[test]
fn what_has_passed_is_judged_in_the_next_pause() {
    let folder = tempfile::tempdir().unwrap();
    let logs = folder.path().join("logs");
    let server = Server::new(|request, wire| {
        wire.write_all(&answer_to(request)).unwrap();
        Then::Keep
    });
    let gateway = Gateway::new(&server.url(), &["--log-dir", &logs.to_string_lossy()]);
    let bad = r#"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{}}"#;
    let mut client = gateway.client();
    client.post("", bad);
    let is_logged = || {
        let files = fs::read_dir(&logs).into_iter().flatten().flatten();
        files
            .filter_map(|file| fs::read_to_string(file.path()).ok())
            .any(|text| text.contains("schema/missing-member"))
    };
    // The session goes on, and nobody asks for anything.
    until(is_logged);
    gateway.end();
}

#[test]
fn a_full_disk_stops_nothing() {
    if !std::path::Path::new("/dev/full").exists() {
        return;
    }
    let server = Server::sound();
    let gateway = Gateway::new(&server.url(), &["--record", "/dev/full"]);
    assert_eq!(gateway.client().post("", PING).text(), PONG);
    let stderr = gateway.end().stderr;
    assert!(
        stderr.contains("2 records of the traffic could not be written to /dev/full"),
        "{stderr}"
    );
}

/// Files take not a byte, as on a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_for_logs_and_reports_stops_nothing() {
    for mode in ["shadow", "enforce"] {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        let (record, report, logs) = (path("r.ndjson"), path("live.json"), path("logs"));
        let server = Server::sound();
        let mut program = Command::new("sh");
        let limit = "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"";
        program
            .args(["-c", limit])
            .arg(env!("CARGO_BIN_EXE_mcp-assay"));
        let url = server.url();
        let args = [
            "--upstream",
            &url,
            "--mode",
            mode,
            "--record",
            &record,
            "--report",
            &report,
            "--log-dir",
            &logs,
        ];
        let gateway = Gateway::run(program, &args, std::path::Path::new("/"));
        let mut client = gateway.client();
        for _ in 0..100 {
            assert_eq!(client.post("", PING).text(), PONG);
        }
        let stderr = gateway.end().stderr;
        for told in [
            "200 messages: ",
            "200 records of the traffic could not be written to ",
            "failed to write the report ",
            "300 events missing from ",
        ] {
            assert!(stderr.contains(told), "{told}: {stderr}");
        }
    }
}

/// Credentials in headers and URLs, of both parties, are not recorded unless they are asked for,
/// and the recording is checked as the traffic was.
#[test]
fn a_recording_has_no_credentials_and_is_judged_the_same() {
    let secrets = [
        "bearer-1", "cookie-2", "key-3", "query-4", "answer-5", "own-6",
    ];
    let found = [&[][..], &["--record-secrets"]].map(|flags| {
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("r.ndjson").to_string_lossy().into_owned();
        let server = Server::new(|request, wire| {
            let answer = answer_to(request);
            let end = answer.iter().position(|byte| *byte == b'\n').unwrap() + 1;
            let (status, rest) = answer.split_at(end);
            let cookie = b"Set-Cookie: sid=answer-5; Path=/\r\n";
            wire.write_all(&[status, cookie, rest].concat()).unwrap();
            Then::Keep
        });
        let mut args = vec!["--record", &record, "--redact", "^x-own$"];
        args.extend(flags);
        let gateway = Gateway::new(&server.url(), &args);
        let mut client = gateway.client();
        let heads = "Authorization: Bearer bearer-1\r\nCookie: a=cookie-2\r\nX-Api-Key: key-3\r\nX-Own: own-6\r\n";
        client.send("POST", "/mcp?access_token=query-4", &format!("{POST}{heads}"), PING);
        client.answer();
        client.post(heads, PING);
        gateway.end();
        let text = fs::read_to_string(&record).unwrap();
        for secret in secrets {
            assert_eq!(text.contains(secret), !flags.is_empty(), "{secret}: {text}");
        }
        let checked = Command::new(env!("CARGO_BIN_EXE_mcp-assay"))
            .args(["check", "--no-config", "--format", "ndjson", &record])
            .output()
            .unwrap();
        let checked = String::from_utf8(checked.stdout).unwrap();
        assert!(checked.contains("auth/no-query-token"), "{checked}");
        checked.lines().last().unwrap().to_owned()
    });
    assert_eq!(found[0], found[1]);
}
