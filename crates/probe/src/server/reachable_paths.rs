//! Paths at which servers usually are, tried where a URL leads nowhere.

use std::time::Instant;

use serde_json::json;

use crate::options::Options;
use crate::raw_client::{client_info, pair};
use crate::record::{Content, Pairs};
use crate::transport::{HttpClient, url};

/// The paths that are tried, in words.
pub(super) const NAMES: &str = "/mcp, /mcp/, /sse and /";

/// The paths of the same origin that answer, with how they do.
pub(super) fn find(
    options: &Options,
    at: &str,
    given: &Pairs,
) -> Vec<(&'static str, &'static str)> {
    let mut found = Vec::new();
    for (method, path) in [
        ("POST", "/mcp"),
        ("POST", "/mcp/"),
        ("GET", "/sse"),
        ("POST", "/"),
    ] {
        let is_known = found
            .iter()
            .any(|(known, _)| path.trim_end_matches('/') == *known);
        if options.is_over() || is_known || url::path(at).split('?').next() == Some(path) {
            continue;
        }
        let there = format!("{}{path}", url::origin(at));
        if let Some(what) = answers(options, &there, given, method) {
            found.push((path, what));
        }
    }
    found
}

/// The answer of a URL in words, if it looks like an endpoint.
fn answers(options: &Options, url: &str, given: &Pairs, method: &str) -> Option<&'static str> {
    let (patience, begun) = (options.step_timeout, Instant::now());
    let mut client = HttpClient::new(
        url,
        given.clone(),
        patience,
        begun,
        options.interrupt.clone(),
    );
    client.hang_up_after(Some(1));
    let initialize = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": mcp_assay::Revision::V2025_06_18.name(),
        "capabilities": {},
        "clientInfo": client_info(),
    }});
    let (headers, body) = if method == "POST" {
        let headers = vec![
            pair("accept", "application/json, text/event-stream"),
            pair("content-type", "application/json"),
        ];
        (headers, initialize.to_string().into_bytes())
    } else {
        (vec![pair("accept", "text/event-stream")], Vec::new())
    };
    let Ok(Content::Response {
        status,
        streamed,
        body,
        ..
    }) = client.send(method, headers, body).response
    else {
        return None;
    };
    let is_message = body.trim_ascii_start().starts_with(b"{");
    match (method, status) {
        ("POST", 200) if streamed || is_message => Some("`initialize`"),
        ("POST", 401 | 403) => Some("and wants authorisation"),
        ("POST", 400 | 406) if is_message => Some("with a message"),
        ("GET", 200) if streamed => Some("with a stream (the transport of 2024-11-05)"),
        _ => None,
    }
}
