//! The messages that make up most of a session.

use mcp_assay::Direction;

use super::Message;
use super::random::Random;
use super::text::{document, quote};

pub(super) fn ping() -> Message {
    let text = r#"{"jsonrpc":"2.0","id":117,"method":"ping"}"#;
    Message::call("PingRequest", Direction::ClientToServer, text)
}

pub(super) fn error() -> Message {
    let text = concat!(
        r#"{"jsonrpc":"2.0","id":42,"error":{"code":-32602,"message":"Unknown tool: search_everything","#,
        r#""data":{"available":["search_files","search_issues"]}}}"#
    );
    Message::error("tools/call", text)
}

pub(super) fn progress() -> Message {
    let text = concat!(
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"call-42","#,
        r#""progress":37,"total":120,"message":"Indexing the files"}}"#
    );
    Message::call("ProgressNotification", Direction::ServerToClient, text)
}

pub(super) fn tools_call() -> Message {
    let text = concat!(
        r#"{"jsonrpc":"2.0","id":42,"method":"tools/call","params":{"name":"search_files","arguments":{"#,
        r#""query":"fn check_envelope","path":"crates/assay/src","limit":25,"case_sensitive":false,"#,
        r#""extensions":["rs","toml"],"context_lines":{"before":2,"after":4},"sort":"path"},"_meta":{"progressToken":"call-42"}}}"#
    );
    Message::call("CallToolRequest", Direction::ClientToServer, text)
}

pub(super) fn initialize() -> Message {
    let text = concat!(
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"#,
        r#""roots":{"listChanged":true},"sampling":{"tools":{},"context":{}},"elicitation":{"form":{},"url":{}},"#,
        r#""tasks":{"list":{},"cancel":{},"requests":{"sampling":{"createMessage":{}}}},"#,
        r#""experimental":{"traces":{"level":"debug"}}},"clientInfo":{"name":"example-editor","#,
        r#""title":"Example Editor","version":"3.14.1","websiteUrl":"https://editor.example","#,
        r#""icons":[{"src":"https://editor.example/icon.png","mimeType":"image/png","sizes":["48x48"]}]}}}"#
    );
    Message::call("InitializeRequest", Direction::ClientToServer, text)
}

pub(super) fn initialize_result() -> Message {
    let text = concat!(
        r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"#,
        r#""logging":{},"completions":{},"prompts":{"listChanged":true},"#,
        r#""resources":{"subscribe":true,"listChanged":true},"tools":{"listChanged":true},"#,
        r#""tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}},"#,
        r#""serverInfo":{"name":"example-files","title":"Example Files","version":"1.8.0"},"#,
        r#""instructions":"Call search_files before read_file. Paths are relative to the root of the workspace. "#,
        r#"Results are cut after one hundred entries; narrow the query instead of paging."}}"#
    );
    Message::result("initialize", "InitializeResult", text)
}

/// The answer to a call with `length` bytes of text.
pub(super) fn tools_call_result(random: &mut Random, length: usize) -> Message {
    let text = quote(&document(random, length));
    let text = format!(
        r#"{{"jsonrpc":"2.0","id":42,"result":{{"content":[{{"type":"text","text":{text}}}],"isError":false}}}}"#
    );
    Message::result("tools/call", "CallToolResult", text)
}
