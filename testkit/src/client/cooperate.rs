//! The help that a prober asks for, and the answers that the client may keep.

use std::path::PathBuf;
use std::{env, fs};

use serde_json::{Value, json};

use crate::client::obey::error;
use crate::client::talk::{Client, Gone, Wire};
use crate::client::walk;

const FRESH: &str = "test://fresh";

fn scenario() -> String {
    env::var("MCP_ASSAY_SCENARIO").unwrap_or_default()
}

/// The token of the user, where there are two of them.
pub(crate) fn token() -> Option<String> {
    let has_users = scenario() == "private answers";
    has_users.then(|| env::var("MCP_ASSAY_TOKEN").ok())?
}

/// The answer of a user who is asked to refuse.
pub(crate) fn refuse(client: &Client, params: &Value) -> Option<Value> {
    let text = params["messages"][0]["content"]["text"].as_str()?;
    if !text.contains("refuse this request") {
        return None;
    }
    if client.is("refuses-with-nothing") {
        return Some(crate::client::obey::hello(""));
    }
    let code = if client.is("refuses-as-internal") {
        -32603
    } else {
        -1
    };
    Some(error(code, "not today"))
}

/// A page of the tools, from wherever it may be taken.
pub(crate) fn list(client: &mut Client, params: &Value) -> Result<Value, Gone> {
    let shares = client.is("shares-private-answers") && token().is_some();
    let file = shared_file(client).filter(|_| shares);
    if let Some(file) = &file
        && let Ok(bytes) = fs::read(file)
    {
        fs::remove_file(file).expect("nobody else removes it");
        return Ok(serde_json::from_slice(&bytes).expect("it was written whole"));
    }
    if let Some(answer) = client.kept.clone() {
        return Ok(answer);
    }
    let answer = client.request("tools/list", params.clone())?;
    let may_keep = answer["result"]["ttlMs"].as_u64() > Some(0);
    if may_keep && client.is("keeps-by-method") {
        client.kept = Some(answer.clone());
    }
    if let Some(file) = file.filter(|_| may_keep && answer["result"]["nextCursor"].is_null()) {
        fs::write(file, answer.to_string()).expect("a file can be written");
    }
    Ok(answer)
}

/// Where the users of a server share what they got from it.
fn shared_file(client: &Client) -> Option<PathBuf> {
    let Wire::Http(http) = &client.wire else {
        return None;
    };
    let name = format!("probe-client-{}", http.address.replace(':', "-"));
    Some(env::temp_dir().join(name))
}

/// The arguments that a tool asks for in its description.
pub(crate) fn arguments(
    client: &mut Client,
    tool: &Value,
    tools: &[Value],
) -> Result<Option<Value>, Gone> {
    Ok(match tool["name"].as_str() {
        Some("show_schema") => {
            let shown = tools.iter().find(|tool| tool["name"] == "keywords");
            let mut schema = shown.expect("the tool is there")["inputSchema"].clone();
            if client.is("loses-keywords") {
                schema = json!({"type": "object", "properties": schema["properties"]});
            }
            Some(json!({"schema": schema}))
        }
        Some("show_result") => {
            let params = json!({"name": "sum", "arguments": {"a": 1, "b": 2}});
            let answer = client.request("tools/call", params)?;
            Some(json!({"result": answer["result"]["structuredContent"]}))
        }
        Some("report_reads") => {
            let first = read(client)?;
            let second = if client.is("keeps-retries") {
                first.clone()
            } else {
                read(client)?
            };
            Some(json!({"texts": [first, second]}))
        }
        _ => None,
    })
}

fn read(client: &mut Client) -> Result<Value, Gone> {
    let params = json!({"uri": FRESH});
    let mut answer = client.request("resources/read", params.clone())?;
    if answer["result"]["resultType"] == "input_required" {
        let asked = answer["result"].clone();
        answer = walk::retry(client, "resources/read", params, &asked)?;
    }
    Ok(answer["result"]["contents"][0]["text"].clone())
}
