//! `gateway` in front of a server.

use std::sync::Arc;

use mcp_assay::RefusalStatus;
use mcp_assay_testkit::http::server::{Server, Then};
use mcp_assay_testkit::http::sound::{INITIALIZED, JSON, PING, PONG, answer};

use crate::counters::written;
use crate::process::Gateway;
use crate::table::{Case, MAX_MESSAGE, Sender};
use crate::{Outcome, SESSION, initialize, logged_in, provocation, server_answer};

pub(crate) fn run(case: &Case, status: RefusalStatus) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report.ndjson");
    let script = Arc::new(Case {
        message: case.message.clone(),
        ..*case
    });
    let server = Server::new(move |request, wire| {
        let headers = format!("{JSON}Mcp-Session-Id: {SESSION}\r\n");
        let sent = match server_answer(&script, &request.text()) {
            Some(body) => answer("200 OK", &headers, body.as_bytes()),
            None => answer("202 Accepted", "", b""),
        };
        wire.write_all(&sent).unwrap();
        Then::Keep
    });
    let limit = MAX_MESSAGE.to_string();
    let shown = report.to_string_lossy();
    let flags = [
        "--mode",
        "enforce",
        "--http-status",
        status.name(),
        "--max-message-bytes",
        &limit,
        "--report",
        &shown,
    ];
    let gateway = Gateway::new(&server.url(), &flags);
    let mut client = gateway.client();
    client.post("", initialize(case.revision));
    let mut headers = format!("Mcp-Session-Id: {SESSION}\r\n");
    if case.revision > "2025-03-26" {
        headers = format!("{headers}MCP-Protocol-Version: {}\r\n", case.revision);
    }
    client.post(&headers, INITIALIZED);
    let got = client.post(&headers, provocation(case));
    assert_eq!(
        client.post(&headers, PING).text(),
        PONG,
        "the session goes on"
    );
    let requests = server.requests();
    let numbers = gateway.client().ask("GET", "/metrics", "").text();
    gateway.end();
    Outcome {
        reached: match case.sender {
            Sender::Client => requests
                .iter()
                .any(|request| request.text() == case.message),
            Sender::Server => got.text() == case.message,
        },
        answer: (!got.body.is_empty()).then(|| got.text()),
        status: got.status[..3].parse().ok(),
        log: logged_in(&report),
        numbers: written(&numbers),
    }
}
