//! Peers that break off, stall, dawdle or send rubbish.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::client::POST;
use crate::process::Gateway;
use crate::server::{Server, Then, Wire, until_gone};
use crate::sound::{
    CALL, CALL_RESULT, JSON, LIST, LIST_RESULT, PING, PONG, PROGRESS, STREAM, answer, chunk,
};
use crate::wait::{Gate, until};

const HALF: &str = "data: {\"jsonrpc\":\"2.0\",\"id\"";

/// Begins a stream, and breaks off within its second event when the gate opens.
fn write_half_an_event(wire: &mut dyn Wire, gate: &Gate) {
    wire.write_all(STREAM).unwrap();
    wire.write_all(&chunk(&format!("data: {PROGRESS}\n\n")))
        .unwrap();
    wire.write_all(&chunk(HALF)).unwrap();
    gate.wait();
}

/// The client gets what there is of it in shadow mode, and nothing of it in the other.
fn expect_half_an_event(gateway: &Gateway, mode: &str, gate: &Gate) {
    let mut client = gateway.client();
    let headers = format!("{POST}MCP-Protocol-Version: 2025-06-18\r\n");
    client.send("POST", "/mcp", &headers, CALL);
    client.head();
    assert_eq!(client.piece().unwrap(), format!("data: {PROGRESS}\n\n"));
    if mode == "shadow" {
        assert_eq!(client.piece().unwrap(), HALF);
    }
    gate.open();
    assert_eq!(
        client.piece(),
        None,
        "it breaks off, and half an event does not go on"
    );
}

#[test]
fn a_stream_that_breaks_off_breaks_off_for_the_client() {
    for mode in ["shadow", "enforce"] {
        let gate = Gate::default();
        let breaks_off = gate.clone();
        let server = Server::new(move |_, wire| {
            write_half_an_event(wire, &breaks_off);
            Then::Close
        });
        let gateway = Gateway::new(&server.url(), &["--mode", mode]);
        expect_half_an_event(&gateway, mode, &gate);
        // Nobody is blamed for what was not seen.
        let stderr = gateway.end().stderr;
        assert!(stderr.contains("2 messages: all clean"), "{stderr}");
    }
}

#[test]
fn a_connection_that_is_reset_within_an_event() {
    for mode in ["shadow", "enforce"] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let gate = Gate::default();
        let breaks_off = gate.clone();
        let server = std::thread::spawn(move || {
            let (mut wire, _) = listener.accept().unwrap();
            // What is not read when a connection is closed makes the system reset it.
            wire.read_exact(&mut [0; 4]).unwrap();
            write_half_an_event(&mut wire, &breaks_off);
            drop(wire);
            // The next one is served.
            let (mut wire, _) = listener.accept().unwrap();
            let mut asked = Vec::new();
            while !asked.ends_with(PING.as_bytes()) {
                let mut byte = [0];
                wire.read_exact(&mut byte).unwrap();
                asked.extend(byte);
            }
            wire.write_all(&answer("200 OK", JSON, PONG.as_bytes()))
                .unwrap();
            until_gone(&mut wire);
        });
        let gateway = Gateway::new(&url, &["--mode", mode]);
        expect_half_an_event(&gateway, mode, &gate);
        assert_eq!(gateway.client().post("", PING).text(), PONG);
        let stderr = gateway.end().stderr;
        assert!(stderr.contains("4 messages: all clean"), "{stderr}");
        server.join().unwrap();
    }
}

#[test]
fn a_stream_that_stalls_within_an_event_holds_up_nobody() {
    for mode in ["shadow", "enforce"] {
        let gate = Gate::default();
        let goes_on = gate.clone();
        let server = Server::new(move |request, wire| {
            if request.text() == PING {
                wire.write_all(&answer("200 OK", JSON, PONG.as_bytes()))
                    .unwrap();
                return Then::Keep;
            }
            if request.text() == LIST {
                until_gone(wire);
                return Then::Close;
            }
            wire.write_all(STREAM).unwrap();
            let events = format!("data: {PROGRESS}\n\ndata: {{\"jsonrpc\"");
            wire.write_all(&chunk(&events)).unwrap();
            goes_on.wait();
            let rest = &CALL_RESULT["{\"jsonrpc\"".len()..];
            wire.write_all(&chunk(&format!("{rest}\n\n"))).unwrap();
            wire.write_all(b"0\r\n\r\n").unwrap();
            Then::Keep
        });
        // A stream may be silent for longer than an answer may take to begin.
        let args = ["--mode", mode, "--response-timeout", "0.5"];
        let gateway = Gateway::new(&server.url(), &args);
        let mut client = gateway.client();
        let headers = format!("{POST}MCP-Protocol-Version: 2025-06-18\r\n");
        client.send("POST", "/mcp", &headers, CALL);
        client.head();
        let mut text = client.piece().unwrap();
        assert!(text.starts_with(&format!("data: {PROGRESS}\n\n")));
        // The stream is silent until both are answered, and the second takes all of the timeout.
        assert_eq!(gateway.client().post("", PING).text(), PONG);
        let late = gateway.client().post("", LIST);
        assert!(late.status.starts_with("504"), "{late:?}");
        gate.open();
        while let Some(piece) = client.piece().filter(|piece| !piece.is_empty()) {
            text.push_str(&piece);
        }
        let whole = format!("data: {PROGRESS}\n\ndata: {CALL_RESULT}\n\n");
        assert_eq!(text, whole, "{mode}");
    }
}

/// Waits until a server has written something and cannot write more for now. If it is only slow,
/// the test shows less, but does not fail.
fn until_still(written: &AtomicUsize) {
    let mut before = 0;
    until(|| {
        let now = written.load(Ordering::Relaxed);
        now > 0 && std::mem::replace(&mut before, now) == now
    });
}

#[test]
fn a_slow_reader_gets_everything() {
    const EVENTS: usize = 300;
    let event = |number: usize| {
        let text = "x".repeat(20_000);
        format!(
            "data: {{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{{\"level\":\"info\",\"data\":\"{number}{text}\"}}}}\n\n"
        )
    };
    let written = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&written);
    let server = Server::new(move |_, wire| {
        wire.write_all(STREAM).unwrap();
        for number in 0..EVENTS {
            wire.write_all(&chunk(&event(number))).unwrap();
            count.fetch_add(1, Ordering::Relaxed);
        }
        wire.write_all(b"0\r\n\r\n").unwrap();
        Then::Keep
    });
    for mode in ["shadow", "enforce"] {
        let gateway = Gateway::new(&server.url(), &["--mode", mode]);
        let mut client = gateway.client();
        client.send("GET", "/mcp", "Accept: text/event-stream\r\n", "");
        client.head();
        let mut text = String::new();
        while let Some(piece) = client.piece().filter(|piece| !piece.is_empty()) {
            if text.is_empty() {
                // More than all buffers hold waits, or all of it.
                until_still(&written);
            }
            text.push_str(&piece);
        }
        let whole: String = (0..EVENTS).map(event).collect();
        assert!(text == whole, "{mode}: {} of {}", text.len(), whole.len());
    }
}

#[test]
fn a_body_that_breaks_off() {
    let server = Server::new(|_, wire| {
        let whole = answer("200 OK", JSON, LIST_RESULT.as_bytes());
        wire.write_all(&whole[..whole.len() - 10]).unwrap();
        Then::Close
    });
    let gateway = Gateway::new(&server.url(), &["--mode", "enforce"]);
    // Of a long request no more than the id is kept.
    let long = format!(
        r#"{{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{{"_meta":{{"x":"{}"}}}}}}"#,
        "y".repeat(100_000)
    );
    for request in [LIST, &long] {
        let answer = gateway.client().post("", request);
        assert!(answer.status.starts_with("502"));
        let text = answer.text();
        assert!(
            text.starts_with(r#"{"jsonrpc":"2.0","id":2,"error":{"#),
            "{text}"
        );
    }
}

#[test]
fn a_server_that_stalls_or_is_not_there() {
    let stalls = Server::new(|_, wire| {
        until_gone(wire);
        Then::Close
    });
    let closed = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    for mode in ["shadow", "enforce"] {
        for (url, status, name) in [
            (stalls.url(), "504", "TIMEOUT"),
            (format!("http://{closed}/mcp"), "502", "INTERNAL_ERROR"),
        ] {
            let flags = ["--mode", mode, "--response-timeout", "0.3", "--http-status"];
            let canonical = Gateway::new(&url, &[&flags[..], &["canonical"]].concat());
            let gateway = Gateway::new(&url, &flags[..4]);
            let answer = gateway.client().post("", LIST);
            assert_eq!(canonical.client().post("", LIST).text(), answer.text());
            assert!(answer.status.starts_with(status), "{mode}: {answer:?}");
            let text = answer.text();
            let begins = "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32";
            assert!(text.starts_with(begins), "{text}");
            assert!(
                text.contains(name) && text.contains(&format!("\"httpStatus\":{status}")),
                "{text}"
            );
        }
    }
}

#[test]
fn a_body_that_stalls() {
    let server = Server::new(|_, wire| {
        let whole = answer("200 OK", JSON, LIST_RESULT.as_bytes());
        wire.write_all(&whole[..whole.len() - 10]).unwrap();
        until_gone(wire);
        Then::Close
    });
    let gateway = Gateway::new(
        &server.url(),
        &["--mode", "enforce", "--response-timeout", "0.3"],
    );
    assert!(gateway.client().post("", LIST).status.starts_with("504"));
    let gateway = Gateway::new(&server.url(), &["--response-timeout", "0.3"]);
    let mut client = gateway.client();
    client.send("POST", "/mcp", POST, LIST);
    client.head();
    client.until_end();
}

#[test]
fn a_slow_reader_costs_no_memory() {
    const EVENTS: usize = 2000;
    let written = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&written);
    let server = Server::new(move |_, wire| {
        let text = "x".repeat(100_000);
        let event = format!(
            "data: {{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{{\"level\":\"info\",\"data\":\"{text}\"}}}}\n\n"
        );
        if wire.write_all(STREAM).is_err() {
            return Then::Close;
        }
        for _ in 0..EVENTS {
            if wire.write_all(&chunk(&event)).is_err() {
                return Then::Close;
            }
            count.fetch_add(1, Ordering::Relaxed);
        }
        Then::Close
    });
    for mode in ["shadow", "enforce"] {
        let gateway = Gateway::new(&server.url(), &["--mode", mode]);
        let mut client = gateway.client();
        client.send("GET", "/mcp", "Accept: text/event-stream\r\n", "");
        client.head();
        until_still(&written);
        // 200 MB wait at the server.
        if let Some(memory) = gateway.memory() {
            assert!(memory < 60 << 20, "{mode}: {} MB", memory >> 20);
        }
    }
}

#[test]
fn rubbish_passes_in_shadow_and_is_counted() {
    let server = Server::new(|_, wire| {
        wire.write_all(&answer("200 OK", JSON, b"{\"jsonrpc\":\"\xff\"}"))
            .unwrap();
        Then::Keep
    });
    let gateway = Gateway::new(&server.url(), &[]);
    let answer = gateway.client().post(
        "",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\xfe\"}",
    );
    assert_eq!(answer.body, b"{\"jsonrpc\":\"\xff\"}");
    assert_eq!(
        server.requests()[0].body,
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\xfe\"}"
    );
    let ended = gateway.end();
    assert!(
        ended.stderr.contains("2 messages: 0 clean, 2 with errors"),
        "{}",
        ended.stderr
    );
    assert_eq!(ended.status.code(), Some(1));
}

#[test]
fn a_large_body_is_checked_beside_the_traffic() {
    let text = "y".repeat(3 << 20);
    let result = format!(
        r#"{{"jsonrpc":"2.0","id":3,"result":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#
    );
    let expected = result.clone();
    let server = Server::new(move |request, wire| {
        let body = if request.text().contains("ping") {
            crate::sound::PONG.to_owned()
        } else {
            result.clone()
        };
        wire.write_all(&answer("200 OK", JSON, body.as_bytes()))
            .unwrap();
        Then::Keep
    });
    let gateway = Gateway::new(&server.url(), &[]);
    let mut client = gateway.client();
    for _ in 0..5 {
        assert_eq!(client.post("", CALL).text(), expected);
        client.post("", PING);
    }
    let ended = gateway.end();
    assert!(
        ended.stderr.contains("20 messages: all clean"),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_signal_ends_it_and_an_open_stream_does_not_keep_it() {
    let server = Server::new(|_, wire| {
        wire.write_all(STREAM).unwrap();
        wire.write_all(&chunk(": here\n\n")).unwrap();
        until_gone(wire);
        Then::Close
    });
    let gateway = Gateway::new(&server.url(), &[]);
    let mut client = gateway.client();
    client.send("GET", "/mcp", "Accept: text/event-stream\r\n", "");
    client.head();
    client.piece().unwrap();
    let ended = gateway.end();
    assert!(ended.status.success());
}

#[test]
fn an_exchange_is_finished_after_the_signal() {
    let gate = Gate::default();
    let answers = gate.clone();
    let server = Server::new(move |request, wire| {
        answers.wait();
        wire.write_all(&crate::sound::answer_to(request)).unwrap();
        Then::Keep
    });
    let gateway = Gateway::new(&server.url(), &["--grace", "10"]);
    let mut client = gateway.client();
    client.send("POST", "/mcp", POST, LIST);
    server.wait_for(LIST);
    let address = gateway.address;
    let ending = std::thread::spawn(move || gateway.end());
    // The signal has come when nobody takes connections any more.
    until(|| std::net::TcpStream::connect(address).is_err());
    gate.open();
    assert_eq!(client.answer().text(), LIST_RESULT);
    assert!(
        ending
            .join()
            .unwrap()
            .stderr
            .contains("2 messages: all clean")
    );
}
