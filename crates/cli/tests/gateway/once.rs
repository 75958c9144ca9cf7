//! `--once`: the gateway ends with its first session.

use crate::process::Gateway;
use crate::server::{Server, Then};
use crate::sound::{INITIALIZE, INITIALIZED, LIST, LIST_RESULT, PING, PONG, answer_to};

const SESSION: &str = "Mcp-Session-Id: session-t\r\nMCP-Protocol-Version: 2025-06-18\r\n";

fn server() -> Server {
    Server::new(|request, wire| {
        wire.write_all(&answer_to(request)).unwrap();
        Then::Keep
    })
}

#[test]
fn delete_ends_the_session_and_the_gateway() {
    for mode in ["shadow", "enforce"] {
        let server = server();
        // The client goes on after DELETE only with what it was answered.
        let gateway = Gateway::new(&server.url(), &["--once", "--mode", mode, "--grace", "60"]);
        let mut client = gateway.client();
        client.post("", INITIALIZE);
        client.post(SESSION, INITIALIZED);
        assert_eq!(client.post(SESSION, LIST).text(), LIST_RESULT);
        let deleted = client.ask("DELETE", "/mcp", SESSION);
        assert!(deleted.status.starts_with("200"), "{deleted:?}");
        let ended = gateway.finish();
        assert_eq!(ended.status.code(), Some(0), "{}", ended.stderr);
        assert!(ended.stderr.contains("5 messages"), "{}", ended.stderr);
    }
}

#[test]
fn a_client_that_is_gone_has_ended_the_session() {
    let server = server();
    let gateway = Gateway::new(&server.url(), &["--once", "--grace", "0.2"]);
    let mut client = gateway.client();
    client.post("", INITIALIZE);
    client.post(SESSION, INITIALIZED);
    drop(client);
    assert_eq!(gateway.finish().status.code(), Some(0));
}

/// A client may use a connection for each request; nobody else begins a session.
#[test]
fn neither_a_second_connection_nor_a_health_check_ends_it() {
    let server = server();
    let gateway = Gateway::new(&server.url(), &["--once", "--grace", "1.5"]);
    assert_eq!(gateway.client().ask("GET", "/healthz", "").text(), "ok\n");
    assert_eq!(gateway.client().ask("GET", "/healthz", "").text(), "ok\n");
    for _ in 0..3 {
        assert_eq!(gateway.client().post("", PING).text(), PONG);
    }
    assert_eq!(gateway.finish().status.code(), Some(0));
    assert_eq!(server.requests().len(), 3);
}
