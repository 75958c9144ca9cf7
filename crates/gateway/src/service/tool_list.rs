//! Asks a server for its tools before a call of one that it has not listed.

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, HeaderValue};
use mcp_assay::syntax::{Kind, Node, Tape, scan};
use mcp_assay::{Direction, Events, Frame, Limits, Policy, Revision, Session, Validator};
use mcp_assay_live::http::Decoder;

use super::enforce::{Collected, collect};
use super::exchange::Exchange;
use crate::headers;

/// Pages of a list that are asked for at most.
const MAX_PAGES: usize = 64;

/// The id of our requests: no client would choose it.
const ID: &str = "mcp-assay/tools";

/// Asks for the tools, if a body is a call of one that is not known. If there is no answer, the
/// call is decided as one of an unknown tool.
pub(super) async fn ask_for_unknown(exchange: &Exchange, body: &[u8]) {
    let Some(meta) = unknown_call(exchange, body) else {
        return;
    };
    let (mut validator, mut session) = (Validator::new(Policy::default()), Session::new());
    session.lose_track();
    let mut cursor = String::new();
    for _ in 0..MAX_PAGES {
        let request = request(&meta, &cursor);
        let Some(answer) = ask(exchange, &request).await else {
            return;
        };
        let revision = exchange.revision();
        let to_server = frame(request.as_bytes(), Direction::ClientToServer, revision);
        validator.check(&mut session, to_server);
        let to_client = frame(&answer, Direction::ServerToClient, revision);
        let checked = validator.check(&mut session, to_client);
        let next = checked.root().and_then(|root| root.get("result"));
        let next = next.and_then(|result| result.get("nextCursor"));
        match next.and_then(Node::text) {
            Some(next) if *next != *cursor => cursor = next.into_owned(),
            _ => break,
        }
    }
    if let Some(listed) = session.listed_tools() {
        let gateway = &exchange.gateway;
        gateway.inspector.publish(exchange.identity(), listed);
    }
}

fn frame(bytes: &[u8], direction: Direction, revision: Option<Revision>) -> Frame<'_> {
    let mut frame = Frame::new(bytes).direction(direction);
    frame.header_revision = revision;
    frame
}

/// The `_meta` of a call of a tool that is not known, as JSON; empty if it has none.
fn unknown_call(exchange: &Exchange, body: &[u8]) -> Option<String> {
    memchr::memmem::find(body, b"tools")?;
    let mut tape = Tape::new();
    scan(body, &Limits::DEFAULT.for_scan(), &mut tape).ok()?;
    let root = tape.root(body).filter(|root| root.kind() == Kind::Object)?;
    root.get("method")
        .filter(|method| method.is_text("tools/call"))?;
    let params = root.get("params")?;
    let name = params.get("name")?;
    if exchange
        .gateway
        .inspector
        .knows_tool(exchange.identity(), name)
    {
        return None;
    }
    let meta = params.get("_meta").map(Node::raw).unwrap_or_default();
    Some(String::from_utf8_lossy(meta).into_owned())
}

/// The request for a page, with the `_meta` of the call.
fn request(meta: &str, cursor: &str) -> String {
    let mut params = Vec::new();
    if !cursor.is_empty() {
        params.push(format!("\"cursor\":{}", serde_json::Value::from(cursor)));
    }
    if !meta.is_empty() {
        params.push(format!("\"_meta\":{meta}"));
    }
    let params = params.join(",");
    format!(r#"{{"jsonrpc":"2.0","id":"{ID}","method":"tools/list","params":{{{params}}}}}"#)
}

/// The answer of the server, as one message.
async fn ask(exchange: &Exchange, text: &str) -> Option<Bytes> {
    let gateway = &exchange.gateway;
    let mut request = exchange.own_request(Bytes::copy_from_slice(text.as_bytes()))?;
    let head = request.headers_mut();
    head.insert("mcp-method", HeaderValue::from_static("tools/list"));
    head.remove(CONTENT_LENGTH);
    let response = gateway.client.send(exchange.server(), request).await.ok()?;
    let (parts, body) = response.into_parts();
    let timeout = gateway.response_timeout;
    let limit = gateway.message_limit;
    let collected = collect(body, limit, timeout, &gateway.budget).await;
    let Collected::Whole(body) = collected else {
        return None;
    };
    let codings = headers::codings(&parts.headers)?;
    let decoder = Decoder::new(&codings, gateway.message_limit);
    let body = Bytes::from(decoder.decode_whole(&body).ok()?);
    if headers::is_media(&parts.headers, "application/json") {
        return Some(body);
    }
    let mut answer = None;
    Events::new(gateway.message_limit).feed(&body, |event| {
        let data = event.data.as_deref().unwrap_or_default();
        if memchr::memmem::find(data, ID.as_bytes()).is_some() {
            answer = Some(Bytes::copy_from_slice(data));
        }
    });
    answer
}
