//! The server. It means well: each of its faults is one that published servers have.
//!
//! It is a [`Router`] of the library that only observes: in `enforce` most of these faults would
//! not leave it.

use std::io;

use mcp_assay_live::guard::Judged;
use mcp_assay_tokio::{Call, Options, Router, RpcError};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};

/// Serves one client, until it closes the stream.
pub(crate) async fn serve(
    input: impl AsyncRead,
    mut output: impl AsyncWrite + Send + Unpin + 'static,
) -> io::Result<()> {
    // Text for people, on the stream that belongs to messages.
    output
        .write_all(b"Weather server 0.3 ready on stdio\n")
        .await?;
    output.flush().await?;
    // `wrap` reports the faults.
    let silent = |_: Option<&str>, _: &Judged<'_>| {};
    let options = Options::server().reporter(silent);
    mcp_assay_tokio::serve(input, output, router(), options).await
}

fn router() -> Router {
    Router::new()
        // An optional member is left out, and not null.
        .request("initialize", |_| async {
            raw(
                r#"{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"weather","version":"0.3"},"instructions":null}"#,
            )
        })
        // The member is called inputSchema.
        .request("tools/list", |_| async {
            raw(
                r#"{"tools":[{"name":"forecast","description":"The weather of the next days","input_schema":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}]}"#,
            )
        })
        .request("tools/call", |call: Call| async move {
            let token = &call.params["_meta"]["progressToken"];
            if !token.is_null() {
                let half = Progress {
                    token,
                    progress: "50%",
                };
                call.notifier.notify("notifications/progress", half);
            }
            raw(r#"{"content":[{"type":"text","text":"Snow above 900 m"}],"isError":false}"#)
        })
        .request("ping", |_| async { raw("{}") })
        // Codes of a server's own are outside of the range that JSON-RPC reserves.
        .request("tasks/list", |_| async {
            Err::<(), _>(RpcError::new(-32100, "No tasks here"))
        })
}

#[derive(Serialize)]
struct Progress<'a> {
    #[serde(rename = "progressToken")]
    token: &'a Value,
    /// A number, if it were correct.
    progress: &'a str,
}

/// A result as it is written.
fn raw(text: &'static str) -> Result<&'static RawValue, RpcError> {
    serde_json::from_str(text).map_err(|error| RpcError::new(-32603, error.to_string()))
}
