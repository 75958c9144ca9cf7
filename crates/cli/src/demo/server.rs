//! The server. It means well: each of its faults is one that published servers have.

use std::io::{self, BufRead, Write};

use serde_json::Value;

/// Serves one client, until it has no more to say.
pub(crate) fn serve(input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    // Text for people, on the stream that belongs to messages.
    writeln!(output, "Weather server 0.3 ready on stdio")?;
    output.flush()?;
    for line in input.lines() {
        let Ok(message) = serde_json::from_str::<Value>(&line?) else {
            continue;
        };
        if let (Some(method), Some(id)) = (message["method"].as_str(), message.get("id")) {
            answer(method, id, &message["params"], &mut output)?;
            output.flush()?;
        }
    }
    Ok(())
}

fn answer(method: &str, id: &Value, params: &Value, output: &mut impl Write) -> io::Result<()> {
    let result = match method {
        // An optional member is left out, and not null.
        "initialize" => {
            r#"{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"weather","version":"0.3"},"instructions":null}"#
        }
        // The member is called inputSchema.
        "tools/list" => {
            r#"{"tools":[{"name":"forecast","description":"The weather of the next days","input_schema":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}]}"#
        }
        "tools/call" => {
            let token = &params["_meta"]["progressToken"];
            if !token.is_null() {
                // Progress is a number.
                writeln!(
                    output,
                    r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},"progress":"50%"}}}}"#
                )?;
            }
            r#"{"content":[{"type":"text","text":"Snow above 900 m"}],"isError":false}"#
        }
        "ping" => "{}",
        _ => {
            // So is the code of an error.
            return writeln!(
                output,
                r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":"METHOD_NOT_FOUND","message":"Method not found"}}}}"#
            );
        }
    };
    writeln!(output, r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
}
