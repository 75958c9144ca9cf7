//! Messages of a sound session, and the answers of a sound server.

use super::request::Request;

/// The first request.
pub const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
/// The notification after it.
pub const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
/// The request for the tools.
pub const LIST: &str = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;
/// A call of a tool that reports its progress.
pub const CALL: &str = r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"add","arguments":{"a":1},"_meta":{"progressToken":"p"}}}"#;
/// A ping.
pub const PING: &str = r#"{"jsonrpc":"2.0","id":9,"method":"ping"}"#;

/// The response to [`INITIALIZE`].
pub const INITIALIZE_RESULT: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}"#;
/// The response to [`LIST`].
pub const LIST_RESULT: &str = r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"add","inputSchema":{"type":"object","properties":{"a":{"type":"integer"}}}}]}}"#;
/// The progress of [`CALL`].
pub const PROGRESS: &str = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1}}"#;
/// The response to [`CALL`].
pub const CALL_RESULT: &str =
    r#"{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"2 "}]}}"#;
/// The response to [`PING`].
pub const PONG: &str = r#"{"jsonrpc":"2.0","id":9,"result":{}}"#;

/// The header of a body that is JSON.
pub const JSON: &str = "Content-Type: application/json\r\n";

/// The answers of a sound server; its streams end at once.
pub fn answer_to(request: &Request) -> Vec<u8> {
    let body = request.text();
    let has = |part: &str| body.contains(part);
    match request.method.as_str() {
        "GET" => stream(&[]),
        "DELETE" => answer("200 OK", "", b""),
        _ if has("\"initialize\"") => {
            let headers = format!(
                "{JSON}Mcp-Session-Id: session-{}\r\nX-Own: a\r\nX-Own: b\r\n",
                number(&body)
            );
            answer("200 OK", &headers, INITIALIZE_RESULT.as_bytes())
        }
        _ if has("\"tools/list\"") => answer("200 Fine", JSON, LIST_RESULT.as_bytes()),
        _ if has("\"tools/call\"") => stream(&[PROGRESS, CALL_RESULT]),
        _ if has("\"ping\"") => answer("200 OK", JSON, PONG.as_bytes()),
        _ => answer("202 Accepted", "", b""),
    }
}

/// A whole stream of events.
pub fn stream(events: &[&str]) -> Vec<u8> {
    let mut out = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
    out.extend(chunk(": hello\n\n"));
    for (id, data) in events.iter().enumerate() {
        out.extend(chunk(&format!(
            "event: message\nid: {id}\ndata: {data}\n\n"
        )));
    }
    out.extend_from_slice(b"0\r\n\r\n");
    out
}

/// Sessions of different clients have different names.
fn number(body: &str) -> &str {
    let name = body.split("\"name\":\"").nth(1).unwrap_or_default();
    name.split('"').next().unwrap_or_default()
}

/// The answer to a request, with its length.
pub fn answer(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\n\r\n");
    [head.as_bytes(), body].concat()
}

/// A piece of a chunked body.
pub fn chunk(text: &str) -> Vec<u8> {
    format!("{:x}\r\n{text}\r\n", text.len()).into_bytes()
}

/// The head of a stream of events.
pub const STREAM: &[u8] =
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\nTransfer-Encoding: chunked\r\n\r\n";
