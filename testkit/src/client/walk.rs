//! The usual work of the client: it greets the server, and uses all that there is.

use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::client::cooperate;
use crate::client::obey::{fetch, inputs};
use crate::client::talk::{Client, Gone};

const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

pub(crate) fn all(client: &mut Client) -> Result<(), Gone> {
    client.modern = !client.legacy;
    if client.modern {
        let answer = client.request("server/discover", json!({}))?;
        let code = answer["error"]["code"].as_i64();
        if let Some(-32022..=-32020) = code {
            if client.is("repeats-versions") {
                thread::sleep(Duration::from_millis(300));
                client.request("server/discover", json!({}))?;
            }
            if !client.is("falls-back-on-modern-errors") {
                return Err(Gone::Refused);
            }
        }
        if client.is("falls-back-by-code") && !matches!(code, None | Some(-32601 | -32000)) {
            return Err(Gone::Refused);
        }
        client.modern = answer.get("result").is_some();
    }
    if !client.modern {
        initialize(client)?;
    }
    if client.modern && client.is_stdio() && !(client.resumes && client.is("does-not-resubscribe"))
    {
        subscribe(client);
    }
    let tools = tools(client)?;
    client.tools.clone_from(&tools);
    call(client, &tools)?;
    lists(client)?;
    utilities(client)
}

pub(crate) fn initialize(client: &mut Client) -> Result<(), Gone> {
    let mut info = json!({"name": "probe-client", "version": "1"});
    if client.is("no-client-version") {
        info = json!({"name": "probe-client"});
    }
    client.version = None;
    let capabilities = client.capabilities();
    let offer =
        json!({"protocolVersion": LEGACY[3], "capabilities": capabilities, "clientInfo": info});
    if client.is("hurried") {
        client.send(&json!({"jsonrpc": "2.0", "id": 77, "method": "tools/list"}));
    }
    let answer = client.request("initialize", offer)?;
    let version = answer["result"]["protocolVersion"].as_str();
    let known = version.filter(|version| LEGACY.contains(version) || client.is("any-version"));
    let Some(version) = known else {
        if client.is("goes-on-regardless") && answer.get("error").is_some() {
            client.request("tools/list", json!({}))?;
        }
        return Err(Gone::Refused);
    };
    client.version = Some(version.to_owned());
    if !client.is("no-initialized") {
        client.notify("notifications/initialized", None);
    }
    client.initialized = true;
    Ok(())
}

/// Asks to be told of changes; the answer comes when the server no longer wants to.
fn subscribe(client: &mut Client) {
    client.subscribed = true;
    let id = client.next_id();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": crate::client::talk::MODERN,
        "io.modelcontextprotocol/clientInfo": {"name": "probe-client", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": client.capabilities(),
    });
    if client.is("no-client-capabilities") {
        return;
    }
    client.send(
        &json!({"jsonrpc": "2.0", "id": id, "method": "subscriptions/listen",
        "params": {"_meta": meta, "notifications": {"toolsListChanged": true}}}),
    );
}

fn tools(client: &mut Client) -> Result<Vec<Value>, Gone> {
    let mut tools = Vec::new();
    let mut params = json!({});
    loop {
        let answer = cooperate::list(client, &params)?;
        let result = &answer["result"];
        if client.modern && client.is("wants-result-types") && result["resultType"].is_null() {
            return Err(Gone::Refused);
        }
        let page = result["tools"].as_array().cloned().unwrap_or_default();
        let is_empty = page.is_empty();
        tools.extend(page);
        let Some(cursor) = result["nextCursor"].as_str() else {
            break;
        };
        let stops = (is_empty && client.is("stops-at-empty-pages"))
            || (cursor.is_empty() && client.is("stops-at-empty-cursors"));
        if stops || params["cursor"] == cursor {
            break;
        }
        params = if client.is("invents-cursors") {
            json!({"cursor": format!("{cursor}0")})
        } else {
            json!({"cursor": cursor})
        };
    }
    tools.retain(|tool| {
        let text = tool.to_string();
        if text.contains("$ref\":\"http") && client.is("fetches-refs") {
            let url = text.split("$ref\":\"").nth(1).unwrap_or_default();
            fetch(url.split('"').next().unwrap_or_default());
        }
        if text.contains("/d40") && client.is("hangs-on-schemas") {
            thread::sleep(Duration::from_secs(60));
        }
        if text.contains("urn:") && client.is("dies-of-dialects") {
            std::process::exit(0);
        }
        if text.contains("prefixItems") && client.is("knows-old-dialects-only") {
            std::process::exit(1);
        }
        let is_broken = text.contains("not a token") && !client.is("calls-broken-tools");
        let refers = text.contains("$ref\":\"http") && !client.is("calls-unresolved");
        !is_broken && !refers
    });
    if client.is("drops-all-tools") && tools.len() > 5 {
        tools.clear();
    }
    Ok(tools)
}

fn call(client: &mut Client, tools: &[Value]) -> Result<(), Gone> {
    for tool in tools {
        let mut arguments = json!({});
        for (name, schema) in tool["inputSchema"]["properties"]
            .as_object()
            .into_iter()
            .flatten()
        {
            arguments[name] = match schema["type"].as_str() {
                _ if schema.get("default").is_some() => schema["default"].clone(),
                Some("integer") => json!(1),
                Some("boolean") => json!(true),
                _ => json!("hello"),
            };
            if client.is("arguments-misfit") {
                arguments[name] = json!([]);
            }
        }
        if let Some(wanted) = cooperate::arguments(client, tool, tools)? {
            arguments = wanted;
        }
        let params = json!({"name": tool["name"], "arguments": arguments});
        let answer = client.request("tools/call", params.clone())?;
        let result = &answer["result"];
        if result["resultType"] == "input_required" {
            retry(client, "tools/call", params, result)?;
        }
    }
    Ok(())
}

/// Answers what a server asks before it answers.
pub(crate) fn retry(
    client: &mut Client,
    method: &str,
    mut params: Value,
    asked: &Value,
) -> Result<Value, Gone> {
    params["inputResponses"] = inputs(client, &asked["inputRequests"]);
    params["requestState"] = asked["requestState"].clone();
    if client.is("changes-state") {
        params["requestState"] = json!("bWNwLWFzc2F5OiByb3VuZCAz");
    }
    if client.is("loses-state")
        && let Some(params) = params.as_object_mut()
    {
        params.remove("requestState");
    }
    if client.is("answers-nothing") {
        params["inputResponses"] = json!({});
    }
    client.request(method, params)
}

fn lists(client: &mut Client) -> Result<(), Gone> {
    let listed = client.request("resources/list", json!({}))?;
    client.request("resources/templates/list", json!({}))?;
    let uri = listed["result"]["resources"][0]["uri"].clone();
    if uri.is_string() {
        client.request("resources/read", json!({"uri": uri}))?;
    }
    client.request("prompts/list", json!({}))?;
    let mut params = json!({"name": "greet", "arguments": {"who": "you"}});
    if client.is("prompt-argument-is-a-number") {
        params["arguments"]["who"] = json!(5);
    }
    client.request("prompts/get", params)?;
    Ok(())
}

fn utilities(client: &mut Client) -> Result<(), Gone> {
    if client.modern {
        if client.is("pings-modern") {
            client.request("ping", json!({}))?;
        }
        return Ok(());
    }
    client.request("ping", json!({}))?;
    let level = if client.is("level-unknown") {
        "loud"
    } else {
        "info"
    };
    client.request("logging/setLevel", json!({"level": level}))?;
    if client.is("cancels-what-never-was") {
        client.notify("notifications/cancelled", Some(json!({"requestId": 12345})));
    }
    if client.is("unknown-notice") {
        client.notify("notifications/unheard-of", None);
    }
    if client.is("calls-unknown-methods") {
        client.request("tools/unheard-of", json!({}))?;
    }
    if client.is("roots-change-undeclared") {
        client.notify("notifications/roots/list_changed", None);
    }
    Ok(())
}
