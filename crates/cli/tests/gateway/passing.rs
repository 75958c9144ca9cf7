//! Valid messages are forwarded byte for byte, and at once.

use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};

use crate::client::{Answer, Client, POST};
use crate::process::Gateway;
use crate::server::{Server, Then, until_gone};
use crate::sound::{CALL, CALL_RESULT, INITIALIZE, INITIALIZED, LIST, PROGRESS, STREAM, chunk};
use mcp_assay_testkit::http::Request;

/// A whole session; what both ends saw of it.
fn session(mut client: Client, server: &Server) -> (Vec<Answer>, Vec<Request>) {
    let mut answers = vec![client.post("X-Client: A\r\nx-client: b\r\n", INITIALIZE)];
    let id = "Mcp-Session-Id: session-t\r\nMCP-Protocol-Version: 2025-06-18\r\n";
    for message in [INITIALIZED, LIST, CALL] {
        answers.push(client.post(id, message));
    }
    answers.push(client.ask("DELETE", "/mcp", id));
    let accept = format!("Accept: text/event-stream\r\nLast-Event-ID: 4\r\n{id}");
    answers.push(client.ask("GET", "/mcp?x=%20y", &accept));
    (answers, server.take_requests())
}

#[test]
fn both_ends_see_what_they_would_see_without_it() {
    let server = Server::sound();
    let (direct_answers, direct_requests) = session(Client::new(server.address), &server);
    for args in [
        &["--mode", "shadow"][..],
        &["--mode", "enforce"],
        &["--no-check"],
    ] {
        let gateway = Gateway::new(&server.url(), args);
        let (answers, requests) = session(gateway.client(), &server);
        assert_eq!(answers, direct_answers, "{args:?}");
        assert_eq!(requests.len(), direct_requests.len());
        for (through, direct) in requests.iter().zip(&direct_requests) {
            assert_eq!(through.header("host"), Some(&*server.address.to_string()));
            let sent = |request: &Request| {
                let mut request = request.clone();
                request
                    .headers
                    .retain(|(name, _)| !name.eq_ignore_ascii_case("host"));
                format!("{request:?}")
            };
            assert_eq!(sent(through), sent(direct), "{args:?}");
        }
        let ended = gateway.end();
        assert!(ended.status.success(), "{}", ended.stderr);
        if args[0] == "--mode" {
            assert!(
                ended.stderr.contains("8 messages: all clean"),
                "{}",
                ended.stderr
            );
        }
    }
}

#[test]
fn events_pass_one_by_one() {
    for mode in ["shadow", "enforce"] {
        let (go, wait) = channel();
        let wait = Mutex::new(wait);
        let server = Server::new(move |_, wire| {
            wire.write_all(STREAM).unwrap();
            wire.write_all(&chunk(&format!("data: {PROGRESS}\n\n")))
                .unwrap();
            wait.lock().unwrap().recv().unwrap();
            wire.write_all(&chunk(&format!("data: {CALL_RESULT}\n\n")))
                .unwrap();
            wire.write_all(b"0\r\n\r\n").unwrap();
            Then::Keep
        });
        let gateway = Gateway::new(&server.url(), &["--mode", mode]);
        let mut client = gateway.client();
        client.send("POST", "/mcp", POST, CALL);
        assert!(client.head().status.starts_with("200"));
        // The second is sent only when the first has arrived.
        assert_eq!(client.piece().unwrap(), format!("data: {PROGRESS}\n\n"));
        go.send(()).unwrap();
        assert_eq!(client.piece().unwrap(), format!("data: {CALL_RESULT}\n\n"));
        assert_eq!(client.piece().unwrap(), "");
    }
}

#[test]
fn shadow_passes_pieces_of_an_event() {
    let (go, wait) = channel();
    let wait = Mutex::new(wait);
    let server = Server::new(move |_, wire| {
        wire.write_all(STREAM).unwrap();
        for piece in [
            "da",
            "ta: {\"jsonrpc\":",
            "\"2.0\",\"id\":3,\"result\":{}}\n",
            "\n",
        ] {
            wire.write_all(&chunk(piece)).unwrap();
            wait.lock().unwrap().recv().unwrap();
        }
        wire.write_all(b"0\r\n\r\n").unwrap();
        Then::Keep
    });
    let gateway = Gateway::new(&server.url(), &[]);
    let mut client = gateway.client();
    client.send(
        "POST",
        "/mcp",
        POST,
        r#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#,
    );
    client.head();
    for expected in [
        "da",
        "ta: {\"jsonrpc\":",
        "\"2.0\",\"id\":3,\"result\":{}}\n",
        "\n",
    ] {
        assert_eq!(client.piece().unwrap(), expected);
        go.send(()).unwrap();
    }
}

#[test]
fn a_client_that_hangs_up_is_gone_for_the_server_too() {
    for (mode, answered) in [
        ("shadow", false),
        ("shadow", true),
        ("enforce", false),
        ("enforce", true),
    ] {
        let (gone, wait) = channel();
        let gone = Mutex::new(gone);
        let server = Server::new(move |_, wire| {
            if answered {
                wire.write_all(STREAM).unwrap();
                wire.write_all(&chunk(": here\n\n")).unwrap();
            }
            until_gone(wire);
            gone.lock().unwrap().send(()).unwrap();
            Then::Close
        });
        let gateway = Gateway::new(&server.url(), &["--mode", mode]);
        let mut client = gateway.client();
        client.send("POST", "/mcp", POST, CALL);
        if answered {
            client.head();
            client.piece().unwrap();
        } else {
            server.wait_for(CALL);
        }
        drop(client);
        let heard = wait.recv();
        assert!(heard.is_ok(), "{mode}, answered: {answered}");
    }
}

#[test]
fn a_compressed_body_is_not_asked_for_and_passes_shadow_if_it_comes() {
    // It breaks off.
    let body = Arc::new(vec![0x1f, 0x8b, 8, 0, 0xff, 1]);
    let sent = Arc::clone(&body);
    let server = Server::new(move |_, wire| {
        let headers = "Content-Type: application/json\r\nContent-Encoding: gzip\r\n";
        wire.write_all(&crate::sound::answer("200 OK", headers, &sent))
            .unwrap();
        Then::Keep
    });
    for mode in ["shadow", "enforce"] {
        let gateway = Gateway::new(&server.url(), &["--mode", mode]);
        let answer = gateway.client().post("Accept-Encoding: gzip\r\n", LIST);
        assert_eq!(
            server.requests().pop().unwrap().header("accept-encoding"),
            None
        );
        if mode == "enforce" {
            assert!(answer.status.starts_with("502"), "{answer:?}");
            assert!(
                answer
                    .text()
                    .starts_with(r#"{"jsonrpc":"2.0","id":2,"error":"#)
            );
            assert_eq!(answer.header("content-encoding"), None);
            continue;
        }
        assert_eq!(answer.body, *body);
        assert_eq!(gateway.metric("mcp_assay_unchecked_total"), 1);
        assert!(gateway.end().stderr.contains("1 message passed unchecked"));
    }
}

#[test]
fn a_length_beside_a_transfer_coding_neither_cuts_nor_splits_an_answer() {
    let server = Server::new(move |_, wire| {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5\r\n";
        let answer = format!("{head}Transfer-Encoding: chunked\r\n\r\n");
        wire.write_all(answer.as_bytes()).unwrap();
        wire.write_all(&crate::sound::chunk(crate::sound::LIST_RESULT))
            .unwrap();
        wire.write_all(b"0\r\n\r\n").unwrap();
        Then::Keep
    });
    for mode in ["shadow", "enforce"] {
        let gateway = Gateway::new(&server.url(), &["--mode", mode]);
        let mut client = gateway.client();
        // The connection goes on with the next answer, not with the rest of this one.
        for _ in 0..2 {
            assert_eq!(
                client.post("", LIST).text(),
                crate::sound::LIST_RESULT,
                "{mode}"
            );
        }
    }
}
