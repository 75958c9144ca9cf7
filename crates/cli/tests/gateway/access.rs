//! Access: the hosts and origins that may send requests.

use crate::process::Gateway;
use crate::server::Server;
use crate::sound::PING;

#[test]
fn foreign_hosts_and_origins_are_refused() {
    let server = Server::sound();
    let gateway = Gateway::new(
        &server.url(),
        &[
            "--allow-host",
            "gate.example",
            "--allow-origin",
            "https://app.example",
        ],
    );
    for (headers, status) in [
        ("Host: localhost:8808\r\n", "200"),
        ("Host: gate.example\r\n", "200"),
        ("Host: evil.example\r\n", "403"),
        (
            "Host: localhost\r\nOrigin: http://localhost:5173\r\n",
            "200",
        ),
        ("Host: localhost\r\nOrigin: https://app.example\r\n", "200"),
        ("Host: localhost\r\nOrigin: https://evil.example\r\n", "403"),
        ("Host: localhost\r\nOrigin: null\r\n", "403"),
    ] {
        let answer = gateway.client().post(headers, PING);
        assert!(
            answer.status.starts_with(status),
            "{headers}: {}",
            answer.status
        );
        for path in ["/healthz", "/metrics"] {
            let own = gateway.client().ask("GET", path, headers);
            assert!(
                own.status.starts_with(status),
                "{path} {headers}: {}",
                own.status
            );
        }
    }
    assert_eq!(server.requests().len(), 4);
}

#[test]
fn health_and_numbers_are_its_own() {
    let server = Server::sound();
    let gateway = Gateway::new(&server.url(), &[]);
    let mut client = gateway.client();
    assert_eq!(client.ask("GET", "/healthz", "").text(), "ok\n");
    client.post("", PING);
    client.post(
        "",
        r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{}}"#,
    );
    let text = client.ask("GET", "/metrics", "").text();
    for line in [
        "mcp_assay_messages_total{direction=\"c2s\",verdict=\"pass\"} 1",
        "mcp_assay_messages_total{direction=\"c2s\",verdict=\"block\"} 1",
        "mcp_assay_violations_total{rule=\"schema/missing-member\"} 1",
        "mcp_assay_upstream_seconds_count 2",
        "mcp_assay_blocked_total 0",
        "mcp_assay_connections 1",
        "# EOF",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} in\n{text}");
    }
    assert_eq!(server.requests().len(), 2);
}
