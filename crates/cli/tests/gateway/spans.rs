//! Spans arrive at a collector.

use std::path::Path;
use std::process::Command;

use crate::process::Gateway;
use crate::server::{Server, Then};
use crate::sound::{CALL, INITIALIZE, INITIALIZED, answer};

const PARENT: &str = "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\n";

fn traced(collector: &str, server: &Server) -> Gateway {
    let mut program = Command::new(env!("CARGO_BIN_EXE_mcp-assay"));
    program
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", collector)
        .env("OTEL_SERVICE_NAME", "gate");
    Gateway::run(program, &["--upstream", &server.url()], Path::new("/"))
}

fn talk(gateway: &Gateway) {
    let mut client = gateway.client();
    client.post("", INITIALIZE);
    let id = "Mcp-Session-Id: session-t\r\nMCP-Protocol-Version: 2025-06-18\r\n";
    client.post(id, INITIALIZED);
    client.post(&format!("{id}{PARENT}"), CALL);
}

#[test]
fn spans_arrive_when_it_ends_at_the_latest() {
    let collector = Server::new(|_, wire| {
        let kind = "Content-Type: application/x-protobuf\r\n";
        wire.write_all(&answer("200 OK", kind, b"")).unwrap();
        Then::Keep
    });
    let server = Server::sound();
    let gateway = traced(&format!("http://{}", collector.address), &server);
    talk(&gateway);
    let stderr = gateway.end().stderr;
    assert!(!stderr.contains("spans"), "{stderr}");
    let exports = collector.requests();
    assert!(!exports.is_empty(), "{stderr}");
    let mut bytes = Vec::new();
    for export in exports {
        assert_eq!((&*export.method, &*export.path), ("POST", "/v1/traces"));
        assert_eq!(
            export.header("content-type"),
            Some("application/x-protobuf")
        );
        bytes.extend(export.body);
    }
    let has = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
    for text in [
        "gate",
        "initialize",
        "tools/call add",
        "mcp.method.name",
        "mcp.session.id",
        "session-t",
        "gen_ai.tool.name",
        "jsonrpc.request.id",
        "mcp.protocol.version",
        "2025-06-18",
        "network.transport",
    ] {
        assert!(has(text.as_bytes()), "{text}");
    }
    assert!(has(
        b"\x0a\xf7\x65\x19\x16\xcd\x43\xdd\x84\x48\xeb\x21\x1c\x80\x31\x9c"
    ));
}

#[test]
fn a_collector_that_is_not_there_stops_nothing_and_is_told() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let server = Server::sound();
    let gateway = traced(&format!("http://{closed}"), &server);
    talk(&gateway);
    let stderr = gateway.end().stderr;
    assert!(stderr.contains("of spans failed: "), "{stderr}");
    assert!(stderr.contains(" messages: "), "{stderr}");
}
