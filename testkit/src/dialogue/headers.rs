//! The headers that every correct client and server sends.

use mcp_assay::{Direction, Revision};
use serde_json::Value;

use super::{Head, HttpStep};

/// The agreed revision, and the values that later headers repeat.
#[derive(Default)]
pub(super) struct Agreed {
    pub(super) session: Option<String>,
    pub(super) initialized: bool,
}

/// The usual headers of a part, given the bytes of its body.
pub(super) fn usual(
    step: &HttpStep,
    body: &[u8],
    revision: Revision,
    agreed: &Agreed,
) -> Vec<(String, String)> {
    let mut headers = Vec::new();
    let mut add = |name: &str, value: &str| headers.push((name.to_owned(), value.to_owned()));
    let modern = revision == Revision::V2026_07_28;
    match &step.head {
        Head::Request { method, .. } => {
            add("host", "localhost:3000");
            if method == "GET" {
                add("accept", "text/event-stream");
            } else if method == "POST" {
                add("accept", "application/json, text/event-stream");
                add("content-type", "application/json");
            }
            if let Some(session) = &agreed.session {
                add("mcp-session-id", session);
            }
            if modern || (agreed.initialized && revision >= Revision::V2025_06_18) {
                add("mcp-protocol-version", revision.name());
            }
            if modern {
                mirrored(body, &mut add);
            }
        }
        Head::Response { streamed, .. } => {
            if *streamed {
                add("content-type", "text/event-stream");
                if modern {
                    add("x-accel-buffering", "no");
                }
            } else if !body.is_empty() {
                add("content-type", "application/json");
            }
        }
        Head::Event { .. } | Head::End { .. } => {}
    }
    headers
}

fn mirrored(body: &[u8], add: &mut impl FnMut(&str, &str)) {
    let Ok(message) = serde_json::from_slice::<Value>(body) else {
        return;
    };
    let Some(method) = message["method"].as_str() else {
        return;
    };
    add("mcp-method", method);
    let params = &message["params"];
    let name = match method {
        "tools/call" | "prompts/get" => &params["name"],
        "resources/read" => &params["uri"],
        "tasks/get" | "tasks/update" | "tasks/cancel" => &params["taskId"],
        _ => &Value::Null,
    };
    if let Some(name) = name.as_str() {
        add("mcp-name", name);
    }
}

impl Agreed {
    /// Takes note of a part that was sent.
    pub(super) fn note(&mut self, step: &HttpStep, headers: &[(String, String)], body: &[u8]) {
        if step.direction == Direction::ServerToClient {
            let session = headers
                .iter()
                .find(|(name, _)| name.eq_ignore_ascii_case("mcp-session-id"));
            if let Some((_, session)) = session {
                self.session = Some(session.clone());
            }
            let text = String::from_utf8_lossy(body);
            self.initialized |= text.contains("\"protocolVersion\"");
        }
    }
}
