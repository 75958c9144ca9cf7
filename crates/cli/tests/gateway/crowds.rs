//! Many sessions at the same time.

use crate::process::Gateway;
use crate::server::{Server, Then, until_gone};
use crate::sound::{INITIALIZE, LIST, STREAM, answer_to, chunk};

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
