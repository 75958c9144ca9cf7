//! The memory for all connections together.

use std::io::Write as _;
use std::net::TcpStream;
use std::sync::{Arc, Barrier};
use std::thread;

use crate::client::Client;
use crate::process::Gateway;
use crate::server::{Server, Then};
use crate::sound::{JSON, PING, PONG, answer};
use crate::wait::until;

const MEBIBYTE: usize = 1 << 20;

/// Clients, the mebibytes that each posts, and the limit; as large as this variable says.
const SMALL: (usize, usize, usize) = (12, 8, 48);
const LARGE: (usize, usize, usize) = (40, 50, 256);
const VARIABLE: &str = "MCP_ASSAY_LARGE";

/// A call with so many mebibytes in it.
fn call(mebibytes: usize) -> String {
    let text = "x".repeat(mebibytes * MEBIBYTE);
    format!(
        r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"name":"a","arguments":{{"t":"{text}"}}}}}}"#
    )
}

#[test]
fn all_bodies_together_stay_within_the_limit() {
    let is_large = std::env::var_os(VARIABLE).is_some();
    let (clients, size, limit) = if is_large { LARGE } else { SMALL };
    let result = r#"{"jsonrpc":"2.0","id":7,"result":{"content":[]}}"#;
    let body = Arc::new(call(size));
    let length = body.len();
    // Reads the bodies without holding them.
    let server = Server::new(move |request, wire| {
        assert_eq!(request.body.len(), length);
        wire.write_all(&answer("200 OK", JSON, result.as_bytes()))
            .unwrap();
        Then::Close
    });
    for mode in ["shadow", "enforce"] {
        let limit_text = format!("{limit}MiB");
        let args = ["--mode", mode, "--max-memory", &limit_text];
        let gateway = Gateway::new(&server.url(), &args);
        let begins = Arc::new(Barrier::new(clients));
        let posting: Vec<_> = (0..clients)
            .map(|_| {
                let (address, body, begins) =
                    (gateway.address, Arc::clone(&body), Arc::clone(&begins));
                thread::spawn(move || {
                    let mut client = Client::new(address);
                    begins.wait();
                    let answer = client.post("", &**body);
                    (answer.status.clone(), answer.text())
                })
            })
            .collect();
        let mut highest = 0;
        until(|| {
            highest = highest.max(gateway.memory().unwrap());
            posting.iter().all(thread::JoinHandle::is_finished)
        });
        let (mut passed, mut refused) = (0, 0);
        for posted in posting {
            let (status, text) = posted.join().unwrap();
            if status.starts_with("200") {
                assert_eq!(text, result);
                passed += 1;
            } else {
                assert!(status.starts_with("503"), "{status} {text}");
                assert!(text.contains("--max-memory"), "{text}");
                refused += 1;
            }
        }
        println!(
            "{mode}: {passed} passed, {refused} refused, {} MiB",
            highest >> 20
        );
        assert!(
            highest < (limit * MEBIBYTE) as u64,
            "{mode}: {} MiB",
            highest >> 20
        );
        let unchecked = gateway.metric("mcp_assay_unchecked_total");
        let blocked = gateway.metric("mcp_assay_blocked_total");
        let stderr = gateway.end().stderr;
        if mode == "shadow" {
            // Nothing is stopped, and what was not judged is said.
            assert_eq!(refused, 0);
            let is_said = stderr.contains("passed unchecked (not judged)");
            assert_eq!(unchecked > 0, is_said, "{stderr}");
        } else {
            assert!(passed > 0);
            assert_eq!(blocked, refused);
        }
        server.take_requests();
    }
}

#[test]
fn connections_beyond_the_limit_are_told_so() {
    let server = Server::sound();
    let gateway = Gateway::new(&server.url(), &["--max-connections", "2"]);
    let (mut one, mut other) = (gateway.client(), gateway.client());
    assert_eq!(one.post("", PING).text(), PONG);
    assert_eq!(other.post("", PING).text(), PONG);
    let mut third = gateway.client();
    let answer = third.post("", PING);
    assert!(answer.status.starts_with("503"), "{answer:?}");
    assert!(answer.text().contains("--max-connections"), "{answer:?}");
    // Its health can still be asked for.
    let health = gateway.client().ask("GET", "/healthz", "");
    assert!(health.status.starts_with("200"), "{health:?}");
    drop((one, third));
    until(|| gateway.client().post("", PING).status.starts_with("200"));
    drop(other);
    let stderr = gateway.end().stderr;
    assert!(
        stderr.contains("refused: more than 2 at the same time"),
        "{stderr}"
    );
}

#[test]
fn a_body_that_does_not_go_on_is_ended() {
    let server = Server::sound();
    for mode in ["shadow", "enforce"] {
        let args = ["--mode", mode, "--body-timeout", "0.3"];
        let gateway = Gateway::new(&server.url(), &args);
        let mut client = Client::new(gateway.address);
        let post = crate::client::POST;
        let head =
            format!("POST /mcp HTTP/1.1\r\nHost: localhost\r\n{post}Content-Length: 9\r\n\r\n{{");
        client.raw(head.as_bytes());
        let answer = client.answer();
        assert!(answer.status.starts_with("408"), "{mode}: {answer:?}");
        // The server is not to blame, and nothing was blocked.
        assert_eq!(gateway.metric("mcp_assay_blocked_total"), 0);
        let stderr = gateway.end().stderr;
        assert!(!stderr.contains("without an answer"), "{stderr}");
    }
    // A client that says nothing at all does not keep the gateway from ending.
    let gateway = Gateway::new(&server.url(), &[]);
    let mut silent = TcpStream::connect(gateway.address).unwrap();
    silent.write_all(b"PR").unwrap();
    assert!(gateway.end().status.success());
}
