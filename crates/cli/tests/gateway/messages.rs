//! Messages of a sound session, and what a sound server answers.

use crate::server::{Request, answer};

pub(crate) const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
pub(crate) const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
pub(crate) const LIST: &str = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;
pub(crate) const CALL: &str = r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"add","arguments":{"a":1},"_meta":{"progressToken":"p"}}}"#;
pub(crate) const PING: &str = r#"{"jsonrpc":"2.0","id":9,"method":"ping"}"#;

pub(crate) const INITIALIZE_RESULT: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}"#;
pub(crate) const LIST_RESULT: &str = r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"add","inputSchema":{"type":"object","properties":{"a":{"type":"integer"}}}}]}}"#;
pub(crate) const PROGRESS: &str = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1}}"#;
pub(crate) const CALL_RESULT: &str =
    r#"{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"2 "}]}}"#;
pub(crate) const PONG: &str = r#"{"jsonrpc":"2.0","id":9,"result":{}}"#;

pub(crate) const JSON: &str = "Content-Type: application/json\r\n";

/// The answers of a sound server; its streams end at once.
pub(crate) fn sound_answer(request: &Request) -> Vec<u8> {
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
pub(crate) fn stream(events: &[&str]) -> Vec<u8> {
    let mut out = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
    out.extend(crate::server::chunk(": hello\n\n"));
    for (id, data) in events.iter().enumerate() {
        out.extend(crate::server::chunk(&format!(
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
