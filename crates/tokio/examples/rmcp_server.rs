//! A server built with rmcp, the official SDK, that checks its own traffic: one line is different.
//!
//! ```text
//! $ echo '{"jsonrpc":"2.0","id":1,"method":"tools/call"}' | cargo run -p mcp-assay-tokio --example rmcp_server -- --enforce
//! ```

use mcp_assay_live::guard::Mode;
use mcp_assay_tokio::{Options, stdio};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::{Map, json};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let enforce = std::env::args().any(|argument| argument == "--enforce");
    let mode = if enforce { Mode::Enforce } else { Mode::Shadow };
    // Before: Adder.serve(rmcp::transport::stdio())
    let server = Adder.serve(stdio(Options::server().mode(mode))).await?;
    server.waiting().await?;
    Ok(())
}

/// Has one tool, which adds two numbers.
struct Adder;

impl ServerHandler for Adder {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let number = json!({"type": "number"});
        let schema = Map::from_iter([
            ("type".to_owned(), json!("object")),
            ("properties".to_owned(), json!({"a": number, "b": number})),
            ("required".to_owned(), json!(["a", "b"])),
        ]);
        let tool = Tool::new("add", "Adds two numbers.", schema);
        Ok(ListToolsResult::with_all_items(vec![tool]))
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = call.arguments.unwrap_or_default();
        let number = |name: &str| arguments.get(name).and_then(serde_json::Value::as_f64);
        let text = match (call.name.as_ref(), number("a"), number("b")) {
            ("add", Some(a), Some(b)) => (a + b).to_string(),
            ("add", ..) => return Err(ErrorData::invalid_params("a and b are numbers", None)),
            _ => return Err(ErrorData::invalid_params("no such tool", None)),
        };
        Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
    }
}
