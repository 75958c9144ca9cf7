//! A client built with rmcp, the official SDK, that checks its own traffic: one line is different.
//!
//! ```text
//! $ cargo build -p mcp-assay-tokio --examples
//! $ target/debug/examples/rmcp_client --enforce -- target/debug/examples/rmcp_server
//! ```
//!
//! Starts the server, lists its tools, and adds 2 and 3 with its tool `add`.

use mcp_assay_live::guard::Mode;
use mcp_assay_tokio::{AssayChildProcess, Options};
use rmcp::ServiceExt;
use rmcp::model::CallToolRequestParams;
use serde_json::{Map, json};
use tokio::process::Command;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let options: Vec<_> = arguments.by_ref().take_while(|word| word != "--").collect();
    let enforce = options.iter().any(|option| option == "--enforce");
    let mode = if enforce { Mode::Enforce } else { Mode::Shadow };
    let program = arguments
        .next()
        .ok_or("the server's command goes behind `--`")?;
    let mut command = Command::new(program);
    command.args(arguments);
    // Before: ().serve(TokioChildProcess::new(command)?)
    let server = AssayChildProcess::new(command, Options::client().mode(mode))?;
    let client = ().serve(server).await?;

    for tool in client.list_all_tools().await? {
        println!("tool: {}", tool.name);
    }
    let mut call = CallToolRequestParams::new("add");
    call.arguments = Some(Map::from_iter([
        ("a".to_owned(), json!(2)),
        ("b".to_owned(), json!(3)),
    ]));
    match client.call_tool(call).await {
        Ok(result) => println!("result: {}", serde_json::to_value(&result.content)?),
        Err(error) => println!("error: {error}"),
    }
    client.cancel().await?;
    Ok(())
}
