//! Headers over HTTP, and `_meta` where a revision has no handshake.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mcp_assay::model::Fact;
use serde_json::{Map, Value, json};

use super::Client;
use crate::record::Pairs;

impl Client<'_> {
    /// The headers of a message.
    pub(crate) fn headers(&self, message: &Value) -> Pairs {
        let mut headers: Pairs = vec![
            pair("accept", "application/json, text/event-stream"),
            pair("content-type", "application/json"),
        ];
        self.push_session(&mut headers);
        if self.is_stateless()
            && let Some(method) = message["method"].as_str()
        {
            headers.push(pair("mcp-method", method));
            let name = match method {
                "tools/call" | "prompts/get" => message["params"]["name"].as_str(),
                "resources/read" => message["params"]["uri"].as_str(),
                "tasks/get" | "tasks/update" | "tasks/cancel" => {
                    message["params"]["taskId"].as_str()
                }
                _ => None,
            };
            if let Some(name) = name {
                headers.push(pair("mcp-name", &header_value(name)));
            }
            if method == "tools/call" {
                headers.extend(self.behaviour.mirrors.headers(&message["params"]));
            }
        }
        headers
    }

    /// The headers that go with every request once the session is open.
    pub(crate) fn push_session(&self, headers: &mut Pairs) {
        if let Some(session) = &self.session {
            headers.push(pair("mcp-session-id", session));
        }
        if let Some(revision) = self.revision
            && revision.has(Fact::HttpVersionHeader)
        {
            headers.push(pair("mcp-protocol-version", revision.name()));
        }
    }

    /// Params with what every request of a stateless revision says.
    pub(crate) fn with_meta(&self, params: Value) -> Value {
        let Some(revision) = self.revision.filter(|_| self.is_stateless()) else {
            return params;
        };
        let mut params = match params {
            Value::Object(params) => params,
            Value::Null => Map::new(),
            // There is no place for it, which whoever sends this knows.
            other => return other,
        };
        let meta = params.entry("_meta").or_insert_with(|| json!({}));
        // Whoever gives another value means it.
        if let Value::Object(meta) = meta {
            for (name, value) in [
                ("protocolVersion", json!(revision.name())),
                ("clientInfo", client_info()),
                ("clientCapabilities", self.behaviour.declared.clone()),
            ] {
                meta.insert(format!("io.modelcontextprotocol/{name}"), value);
            }
        }
        Value::Object(params)
    }
}

/// The name and version of this client.
pub fn client_info() -> Value {
    json!({"name": "mcp-assay", "version": env!("CARGO_PKG_VERSION")})
}

pub(crate) fn pair(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

/// A value as a mirrored header carries it: plain where that is possible, else in the base64 form.
pub(crate) fn header_value(text: &str) -> String {
    let plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
        && text.trim() == text
        && !(text.starts_with("=?base64?") && text.ends_with("?="));
    if plain {
        text.to_owned()
    } else {
        encoded(text)
    }
}

/// The base64 form of a mirrored header.
pub(crate) fn encoded(text: &str) -> String {
    format!("=?base64?{}?=", STANDARD.encode(text))
}
