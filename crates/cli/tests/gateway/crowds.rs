//! Many sessions at the same time.

use crate::process::Gateway;
use crate::server::{Server, Then, until_gone};
use crate::sound::{CALL, INITIALIZE, INITIALIZED, LIST, PING, STREAM, answer_to, chunk};

/// So many, or as many as this variable says; more need `ulimit -n`.
const SESSIONS: usize = 1000;
const VARIABLE: &str = "MCP_ASSAY_SESSIONS";

#[test]
fn a_thousand_sessions_at_the_same_time() {
    let sessions = std::env::var(VARIABLE)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(SESSIONS);
    let server = Server::new(|request, wire| {
        if request.method == "GET" {
            wire.write_all(STREAM).unwrap();
            let id = request.header("mcp-session-id").unwrap();
            wire.write_all(&chunk(&format!(": {id}\n\n"))).unwrap();
            until_gone(wire);
            return Then::Close;
        }
        wire.write_all(&answer_to(request)).unwrap();
        Then::Keep
    });
    let gateway = Gateway::new(&server.url(), &[]);
    let before = gateway.memory();
    let mut opener = gateway.client();
    let mut listeners = Vec::new();
    for number in 0..sessions {
        let hello = INITIALIZE.replace("\"t\"", &format!("\"{number}\""));
        let answer = opener.post("", hello);
        let id = answer.header("mcp-session-id").unwrap().to_owned();
        let mut listener = gateway.client();
        let headers = format!(
            "Accept: text/event-stream\r\nMcp-Session-Id: {id}\r\nMCP-Protocol-Version: 2025-06-18\r\n"
        );
        listener.send("GET", "/mcp", &headers, "");
        listeners.push((id, listener));
    }
    for (id, listener) in &mut listeners {
        listener.head();
        assert_eq!(listener.piece().unwrap(), format!(": {id}\n\n"));
    }
    assert_eq!(gateway.metric("mcp_assay_sessions"), sessions as u64);
    if let (Some(before), Some(after)) = (before, gateway.memory()) {
        let each = after.saturating_sub(before) / sessions as u64;
        println!("{sessions} sessions: {} MB, {each} bytes each", after >> 20);
        // Ten thousand are to fit in 500 MB.
        assert!(each < 48_000, "{each} bytes each");
    }
    drop(listeners);
    let stderr = gateway.end().stderr;
    assert!(
        stderr.contains(&format!("{} messages: ", 2 * sessions)),
        "{stderr}"
    );
    assert!(!stderr.contains("response/"), "{stderr}");
}

#[test]
fn sessions_beyond_the_limit_are_forgotten_and_told() {
    let server = Server::sound();
    let gateway = Gateway::new(&server.url(), &["--max-sessions", "2"]);
    let mut client = gateway.client();
    for number in 0..5 {
        client.post("", INITIALIZE.replace("\"t\"", &format!("\"{number}\"")));
    }
    assert_eq!(gateway.metric("mcp_assay_sessions"), 2);
    // A session that was forgotten goes on, and nobody is blamed for what is not known any more.
    let headers = "Mcp-Session-Id: session-0\r\nMCP-Protocol-Version: 2025-06-18\r\n";
    client.post(headers, LIST);
    let stderr = gateway.end().stderr;
    assert!(stderr.contains("4 sessions were forgotten"), "{stderr}");
    assert!(stderr.contains("5 with warnings"), "{stderr}");
}

/// A proxy sends the messages of two clients over one connection, and the server gives no ids of
/// sessions: neither client is blamed for what the other says.
#[test]
fn clients_behind_a_proxy_are_told_apart_without_ids_of_sessions() {
    let server = Server::new(|request, wire| {
        let sent = String::from_utf8(answer_to(request)).unwrap();
        let sent = sent.replace("Mcp-Session-Id: session-t\r\n", "");
        wire.write_all(sent.as_bytes()).unwrap();
        Then::Keep
    });
    for (mine, yours, cut) in [
        (
            "Authorization: Bearer 1\r\n",
            "Authorization: Bearer 2\r\n",
            "credentials",
        ),
        (
            "X-Forwarded-For: 10.0.0.1\r\n",
            "X-Forwarded-For: 10.0.0.2\r\n",
            "credentials",
        ),
        ("", "", "order"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let report = folder.path().join("report.ndjson");
        let shown = report.to_string_lossy();
        let args = ["--no-config", "--mode", "enforce", "--report", &shown];
        let gateway = Gateway::new(&server.url(), &args);
        let mut proxy = gateway.client();
        let version = "MCP-Protocol-Version: 2025-06-18\r\n";
        for (message, version) in [
            (INITIALIZE, ""),
            (INITIALIZED, version),
            (LIST, version),
            (CALL, version),
            (PING, version),
        ] {
            for head in [mine, yours] {
                let answer = proxy.post(&format!("{head}{version}"), message);
                assert!(!answer.text().contains("\"error\""), "{cut}: {answer:?}");
            }
        }
        let stderr = gateway.end().stderr;
        assert!(!stderr.contains("id-unique"), "{cut}: {stderr}");
        let told = format!("2 sessions without an id, told apart: 1 by connection, 1 by {cut}");
        assert!(stderr.contains(&told), "{stderr}");
        let report = std::fs::read_to_string(&report).unwrap();
        let told = format!("\"unnamed_sessions\":{{\"connection\":1,\"{cut}\":1}}");
        assert!(report.contains(&told), "{report}");
        assert!(report.contains("\"block\":0"), "{report}");
    }
}
