//! Attacks below the messages, byte by byte: heads, lengths, methods, paths and names of hosts
//! towards the server, and heads, lengths and statuses towards the client.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use mcp_assay_testkit::http::server::{Server, Then};
use mcp_assay_testkit::http::sound;
use mcp_assay_testkit::wait::until;

use super::lenient::{Received, understands};
use super::table::{BAD_CALL, BAD_RESULT};
use super::{GOOD, GOOD_RESULT};
use crate::process::Gateway;

const FORM: &str = "jsonrpc=2.0&id=5&method=tools/call&params[name]=evil";
const TYPE: &str = "Content-Type: application/json\r\n";
const TYPE_OF_FORM: &str = "Content-Type: application/x-www-form-urlencoded\r\n";

/// How long to wait for a gateway that waits for more bytes itself.
const PATIENCE: Duration = Duration::from_secs(1);

/// A request with a body whose length is right.
fn request(line: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!("{line} HTTP/1.1\r\nHost: localhost\r\n{headers}Content-Length: {length}\r\n\r\n{body}")
}

/// A request that carries a bad one in what some readers take for its body.
fn smuggled(framing: &str) -> String {
    let inner = request("POST /mcp", TYPE, BAD_CALL);
    let (ping, length) = (sound::PING, sound::PING.len());
    format!(
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\n{TYPE}{framing}\r\n{length:x}\r\n{ping}\r\n0\r\n\r\n{inner}"
    )
}

fn to_the_server() -> Vec<(&'static str, String)> {
    let call = |headers: &str| {
        let length = BAD_CALL.len();
        format!("POST /mcp HTTP/1.1\r\n{headers}Content-Length: {length}\r\n\r\n{BAD_CALL}")
    };
    let mut attacks: Vec<(&str, String)> = [
        (
            "a length and chunks",
            "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
        ),
        (
            "chunks and a length",
            "Transfer-Encoding: chunked\r\nContent-Length: 400\r\n",
        ),
        (
            "a coding that nobody knows",
            "Transfer-Encoding: xchunked\r\nContent-Length: 4\r\n",
        ),
        (
            "chunks that are not the last coding",
            "Transfer-Encoding: chunked, identity\r\n",
        ),
        (
            "two codings",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
        ),
        (
            "a space behind a name",
            "Transfer-Encoding : chunked\r\nContent-Length: 4\r\n",
        ),
        ("a tab before a coding", "Transfer-Encoding:\tchunked\r\n"),
        (
            "a folded coding",
            "Transfer-Encoding:\r\n chunked\r\nContent-Length: 4\r\n",
        ),
        (
            "a coding behind a bare newline",
            "X: y\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n",
        ),
        (
            "two lengths",
            "Content-Length: 4\r\nContent-Length: 400\r\n",
        ),
        ("a list of lengths", "Content-Length: 4, 400\r\n"),
        ("a length with a sign", "Content-Length: +4\r\n"),
        ("a length in hexadecimal digits", "Content-Length: 0x4\r\n"),
        ("a length below zero", "Content-Length: -1\r\n"),
        ("a length with a space", "Content-Length: 4 0\r\n"),
    ]
    .into_iter()
    .map(|(name, framing)| (name, smuggled(framing)))
    .collect();
    let chunked = |size: &str, extension: &str| {
        let length = format!("{:x}", BAD_CALL.len());
        let size = if size.is_empty() { &length } else { size };
        format!(
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\n{TYPE}Transfer-Encoding: chunked\r\n\r\n{size}{extension}\r\n{BAD_CALL}\r\n0\r\n\r\n"
        )
    };
    attacks.extend([
        ("an extension of a chunk", chunked("", ";a=\"b\"")),
        ("an extension with a newline", chunked("", ";a=\"\n\"")),
        ("a chunk that is too long to count", chunked("fffffffffffffffff", "")),
        ("a chunk with a sign", chunked("+55", "")),
        ("an upgrade", call(&format!("Host: localhost\r\n{TYPE}Connection: Upgrade\r\nUpgrade: websocket\r\n"))),
        ("HTTP/2 without warning", call(&format!("Host: localhost\r\n{TYPE}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n"))),
        ("a request that waits for 100", call(&format!("Host: localhost\r\n{TYPE}Expect: 100-continue\r\n"))),
        ("a type that the connection names", call(&format!("Host: localhost\r\n{TYPE}Connection: content-type, content-length\r\n"))),
        ("a folded type", call("Host: localhost\r\nContent-Type: application/json\r\n ;charset=utf-16le\r\n")),
        ("a head with a NUL", call(&format!("Host: localhost\r\n{TYPE}X: a\0b\r\n"))),
        ("a line without a colon", call(&format!("Host: localhost\r\n{TYPE}X\r\n"))),
        ("a host with brackets", call(&format!("Host: [::1]evil.example\r\n{TYPE}"))),
        ("a host with a name before it", call(&format!("Host: localhost@evil.example\r\n{TYPE}"))),
        ("a host with a name of loopback behind it", call(&format!("Host: evil.example@a.localhost\r\n{TYPE}"))),
        ("two hosts", call(&format!("Host: localhost\r\nHost: evil.example\r\n{TYPE}"))),
        ("no host", call(TYPE)),
        ("another host in the line", request("POST http://evil.example/mcp", TYPE, BAD_CALL)),
        ("two sessions", call(&format!("Host: localhost\r\n{TYPE}Mcp-Session-Id: a\r\nMcp-Session-Id: b\r\n"))),
        ("a method in small letters", request("post /mcp", TYPE, BAD_CALL)),
        ("another method", request("PUT /mcp", TYPE, BAD_CALL)),
        ("a change", request("PATCH /mcp", TYPE, BAD_CALL)),
        ("a form with another method", request("PUT /mcp", TYPE_OF_FORM, FORM)),
        ("a body of GET", request("GET /mcp", TYPE, BAD_CALL)),
        ("a body of DELETE", request("DELETE /mcp", TYPE, BAD_CALL)),
        ("a body of OPTIONS", request("OPTIONS /mcp", TYPE, BAD_CALL)),
        ("a body of HEAD", request("HEAD /mcp", TYPE, BAD_CALL)),
        ("a body of TRACE", request("TRACE /mcp", TYPE, BAD_CALL)),
        ("a tunnel", request("CONNECT localhost:80", TYPE, BAD_CALL)),
        ("a method in a header", request("POST /mcp", &format!("{TYPE}X-HTTP-Method-Override: PUT\r\n"), BAD_CALL)),
        ("HTTP/1.0", call(&format!("Host: localhost\r\n{TYPE}")).replacen("HTTP/1.1", "HTTP/1.0", 1)),
        ("two requests at once", format!("{}{}", request("POST /mcp", TYPE, sound::PING), request("POST /mcp", TYPE, BAD_CALL))),
        ("a head that is very long", call(&format!("Host: localhost\r\n{TYPE}X: {}\r\n", "x".repeat(100 << 10)))),
    ]);
    attacks.extend(on_other_paths());
    attacks
}

/// Forms on paths that some routers take for that of the endpoint.
fn on_other_paths() -> Vec<(&'static str, String)> {
    let paths = [
        ("a path in capital letters", "/MCP"),
        ("a path with a slash", "/mcp/"),
        ("a path with two slashes", "//mcp"),
        ("a path with a dot", "/./mcp"),
        ("a path that goes back", "/x/../mcp"),
        ("a path with an escape", "/%6dcp"),
        ("a path with a parameter", "/mcp;a=b"),
        ("a path with a backslash", "/x\\..\\mcp"),
        ("a path with a query", "/mcp?a=/token"),
    ];
    paths
        .map(|(name, path)| (name, request(&format!("POST {path}"), TYPE_OF_FORM, FORM)))
        .into()
}

/// A gateway in `enforce` before a server, and a way to it.
fn gateway(server: &Server) -> Gateway {
    Gateway::new(&server.url(), &["--no-config", "--mode", "enforce"])
}

/// Sends bytes and a last request that ends the connection, and reads all that comes back. A
/// gateway that waits for more bytes gets no more.
fn send(address: SocketAddr, bytes: &[u8]) -> Vec<u8> {
    let mut wire = TcpStream::connect(address).unwrap();
    wire.set_read_timeout(Some(PATIENCE)).unwrap();
    let last = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    // The gateway may close before it has read everything.
    let _ = wire.write_all(&[bytes, last].concat());
    let mut got = Vec::new();
    let _ = wire.read_to_end(&mut got);
    got
}

#[test]
fn no_request_reaches_the_server_that_was_not_judged() {
    let mut failures = Vec::new();
    for (name, bytes) in to_the_server() {
        let server = Server::sound();
        let gateway = gateway(&server);
        let got = send(gateway.address, bytes.as_bytes());
        let good = gateway.client().post("", GOOD);
        assert!(good.status.starts_with("200"), "{name}: {good:?}");
        gateway.end();
        for request in server.requests() {
            let head = request.headers.iter();
            let head = head.map(|(name, value)| (name.to_ascii_lowercase(), value.clone()));
            let received = Received {
                head: head.collect(),
                body: request.body.clone(),
            };
            let got = String::from_utf8_lossy(&got);
            if understands(&received, "evil") {
                failures.push(format!("{name}: {request:?}, {got}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn answer(head: &str, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 {head}\r\n\r\n{body}").into_bytes()
}

fn to_the_client() -> Vec<(&'static str, Vec<u8>)> {
    let length = BAD_RESULT.len();
    let sized = |head: &str| answer(&format!("{head}\r\nContent-Length: {length}"), BAD_RESULT);
    let json = "Content-Type: application/json";
    let chunk = format!("{length:x}\r\n{BAD_RESULT}\r\n0\r\n");
    let mut attacks = vec![
        (
            "chunks and a length",
            answer(
                &format!("200 OK\r\n{json}\r\nTransfer-Encoding: chunked\r\nContent-Length: 3"),
                &format!("{chunk}\r\n"),
            ),
        ),
        (
            "two lengths",
            answer(
                &format!("200 OK\r\n{json}\r\nContent-Length: 2\r\nContent-Length: {length}"),
                BAD_RESULT,
            ),
        ),
        (
            "a coding that nobody knows",
            answer(
                &format!("200 OK\r\n{json}\r\nTransfer-Encoding: gzip, chunked"),
                &format!("{chunk}\r\n"),
            ),
        ),
        (
            "trailers",
            answer(
                &format!("200 OK\r\n{json}\r\nTransfer-Encoding: chunked\r\nTrailer: Content-Type"),
                &format!("{chunk}Content-Type: text/html\r\n\r\n"),
            ),
        ),
        (
            "a body up to the end",
            answer(
                &format!("200 OK\r\n{json}\r\nConnection: close"),
                BAD_RESULT,
            ),
        ),
        (
            "a body without a type up to the end",
            answer("200 OK\r\nConnection: close", BAD_RESULT),
        ),
        (
            "a body that is shorter than its length",
            answer(
                &format!("200 OK\r\n{json}\r\nContent-Length: 4000"),
                BAD_RESULT,
            ),
        ),
        (
            "a folded type",
            sized("200 OK\r\nContent-Type: text/html\r\n ;x=application/json"),
        ),
        ("an answer without a head", BAD_RESULT.as_bytes().to_vec()),
        (
            "an early hint",
            [
                answer("103 Early Hints\r\nLink: <evil>", ""),
                sized(&format!("200 OK\r\n{json}")),
            ]
            .concat(),
        ),
        (
            "a switch of protocols",
            [
                answer(
                    "101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket",
                    "",
                ),
                BAD_RESULT.as_bytes().to_vec(),
            ]
            .concat(),
        ),
        (
            "an answer behind another",
            [
                answer(&format!("202 Accepted\r\n{json}\r\nContent-Length: 0"), ""),
                sized(&format!("200 OK\r\n{json}")),
            ]
            .concat(),
        ),
    ];
    attacks.extend(with_other_statuses());
    attacks
}

/// Redirects, and bad answers with unusual statuses.
fn with_other_statuses() -> Vec<(&'static str, Vec<u8>)> {
    let length = BAD_RESULT.len();
    let sized = |head: &str| answer(&format!("{head}\r\nContent-Length: {length}"), BAD_RESULT);
    let json = "Content-Type: application/json";
    let elsewhere = "Location: http://evil.example/mcp";
    let mut attacks = vec![
        (
            "a redirect elsewhere",
            answer(
                &format!("307 Temporary Redirect\r\n{elsewhere}\r\nContent-Length: 0"),
                "",
            ),
        ),
        (
            "a redirect elsewhere with a body",
            sized(&format!("308 Permanent Redirect\r\n{json}\r\n{elsewhere}")),
        ),
        (
            "a redirect with a host alone",
            answer(
                "302 Found\r\nLocation: //evil.example/mcp\r\nContent-Length: 0",
                "",
            ),
        ),
    ];
    for (name, status) in [
        ("201", "201 Created"),
        ("203", "203 Non-Authoritative Information"),
        ("206", "206 Partial Content\r\nContent-Range: bytes 0-1/2"),
        ("299", "299 Fine"),
        ("202", "202 Accepted"),
    ] {
        attacks.push((name, sized(&format!("{status}\r\n{json}"))));
    }
    attacks
}

#[test]
fn no_answer_reaches_the_client_that_was_not_judged() {
    let mut failures = Vec::new();
    for (name, bytes) in to_the_client() {
        let server = Server::new(move |request, wire| {
            if request.text().contains("\"good\"") {
                let sent = sound::answer("200 OK", sound::JSON, GOOD_RESULT.as_bytes());
                wire.write_all(&sent).unwrap();
                return Then::Keep;
            }
            wire.write_all(&bytes).unwrap();
            Then::Close
        });
        let gateway = gateway(&server);
        let accept = "Accept: application/json, text/event-stream\r\nConnection: close\r\n";
        let list = request("POST /mcp", &format!("{TYPE}{accept}"), sound::LIST);
        let got = send(gateway.address, list.as_bytes());
        let text = String::from_utf8_lossy(&got);
        if !text.starts_with("HTTP/1.1 ") || text.contains("evil") {
            failures.push(format!("{name}: {text}"));
        }
        // A connection that the server is about to close may still be taken for the next request.
        until(|| gateway.client().post("", GOOD).text() == GOOD_RESULT);
        gateway.end();
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// A redirect of the server to itself stays at the gateway, in both modes.
#[test]
fn redirects_to_the_server_lead_to_the_gateway() {
    for mode in ["shadow", "enforce"] {
        let server = Server::new(|request, wire| {
            let host = request.header("host").unwrap();
            let head = format!("Location: http://{host}/mcp/\r\n");
            let sent = sound::answer("307 Temporary Redirect", &head, b"");
            wire.write_all(&sent).unwrap();
            Then::Keep
        });
        let args = ["--no-config", "--mode", mode];
        let gateway = Gateway::new(&server.url(), &args);
        let answer = gateway.client().post("", sound::LIST);
        assert!(answer.status.starts_with("307"), "{mode}: {answer:?}");
        let location = answer.header("location");
        assert_eq!(location, Some("http://localhost/mcp/"), "{mode}");
        gateway.end();
    }
}
