//! A Streamable HTTP server on axum that checks its own traffic.
//!
//! ```text
//! $ cargo run -p mcp-assay-tower --example axum
//! $ curl -i http://127.0.0.1:3000/mcp -H 'content-type: application/json' \
//!     -H 'accept: application/json, text/event-stream' \
//!     -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}'
//! ```
//!
//! The call without a name is answered by the layer. `?stream` answers with a stream; the tool
//! `broken` gives a result that is none, which the client never sees.

use axum::Router;
use axum::body::Bytes;
use axum::extract::RawQuery;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use mcp_assay::Policy;
use mcp_assay_live::guard::{Judged, Mode};
use mcp_assay_tower::AssayLayer;
use serde_json::{Value, json};

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let layer = AssayLayer::new(Policy::default(), Mode::Enforce).reporter(
        |session: Option<&str>, judged: &Judged<'_>| {
            for line in judged.in_words() {
                eprintln!("{}: {line}", session.unwrap_or("no session"));
            }
        },
    );
    let listener = tokio::net::TcpListener::bind("127.0.0.1:3000").await?;
    eprintln!("listening on http://{}/mcp", listener.local_addr()?);
    axum::serve(listener, app(layer)).await
}

/// The server, with everything that passes checked.
pub(crate) fn app(layer: AssayLayer) -> Router {
    let routes = post(answer).delete(|| async { StatusCode::NO_CONTENT });
    Router::new().route("/mcp", routes).layer(layer)
}

async fn answer(RawQuery(query): RawQuery, body: Bytes) -> Response {
    // What arrives here was checked: the layer has refused everything else.
    let Ok(message) = serde_json::from_slice::<Value>(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let Some(id) = message.get("id") else {
        return StatusCode::ACCEPTED.into_response();
    };
    let answer = match result(&message) {
        Some(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        None => {
            let error = json!({"code": -32601, "message": "method not found"});
            json!({"jsonrpc": "2.0", "id": id, "error": error})
        }
    };
    let session = ("mcp-session-id", "9f8b2d1e-6c1b-4f0a-9d53-0f5b7a3e21c4");
    if query.as_deref() == Some("stream") {
        let log = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "working"}});
        let body = format!(": hello\n\nid: 1\ndata: {log}\n\nid: 2\ndata: {answer}\n\n");
        return (
            [
                (header::CONTENT_TYPE, "text/event-stream"),
                (header::CACHE_CONTROL, "no-cache"),
            ],
            body,
        )
            .into_response();
    }
    if message["method"] == "initialize" {
        return ([session], axum::Json(answer)).into_response();
    }
    axum::Json(answer).into_response()
}

fn result(message: &Value) -> Option<Value> {
    let schema =
        json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]});
    let result = match message["method"].as_str()? {
        "initialize" => json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}, "logging": {}},
            "serverInfo": {"name": "axum-example", "version": "1.0.0"},
        }),
        "ping" => json!({}),
        "tools/list" => json!({"tools": [
            {"name": "weather", "inputSchema": schema},
            {"name": "broken", "inputSchema": {"type": "object"}},
        ]}),
        "tools/call" if message["params"]["name"] == "broken" => json!({"content": "sunny"}),
        "tools/call" => json!({"content": [{"type": "text", "text": "sunny"}]}),
        _ => return None,
    };
    Some(result)
}
