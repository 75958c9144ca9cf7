//! The answers of the client to requests of the server.

use std::time::Duration;

use serde_json::{Value, json};

use crate::client::http;
use crate::client::talk::{Client, Gone};
use crate::client::{cooperate, tasks};

/// Answers a message of the server, or a batch of them.
pub(crate) fn obey(client: &mut Client, message: &Value) -> Result<(), Gone> {
    if let Value::Array(messages) = message {
        if client.is("batches-ignored") {
            return Ok(());
        }
        let answers: Vec<Value> = messages
            .iter()
            .filter_map(|message| answer(client, message))
            .collect();
        if !answers.is_empty() {
            client.send(&Value::Array(answers));
        }
        return Ok(());
    }
    if message["method"] == "notifications/cancelled" && client.is("dies-of-cancellations") {
        return Err(Gone::Refused);
    }
    let Some(mut answer) = answer(client, message) else {
        return Ok(());
    };
    if message["method"] == "ping" && client.initialized {
        if client.is("ping-unanswered") && message["id"] == json!(1001) {
            return Ok(());
        }
        if client.is("ping-result-is-text") && answer.get("result").is_some() {
            answer["result"] = json!("pong");
        }
        if client.is("answers-id-as-text") && message["id"].is_number() {
            answer["id"] = json!(message["id"].to_string());
        }
        if client.is("answers-twice") {
            client.send(&answer);
        }
    }
    client.send(&answer);
    Ok(())
}

fn answer(client: &mut Client, message: &Value) -> Option<Value> {
    let id = message.get("id")?;
    let method = message["method"].as_str().unwrap_or_default();
    let mut answer = match method {
        _ if message["jsonrpc"] != "2.0" && !client.is("takes-any-envelope") => {
            error(-32600, "not a request")
        }
        "ping" if client.is("early-ping-refused") && !client.initialized => {
            error(-32600, "not yet")
        }
        "ping" => json!({"result": {}}),
        _ if tasks::is_for(client, message) => tasks::answer(client, message),
        "roots/list" if !client.bare => roots(client),
        "roots/list" if client.is("empty-roots-undeclared") => json!({"result": {"roots": []}}),
        "sampling/createMessage" if !client.bare => sample(client, &message["params"]),
        "sampling/createMessage" if client.is("samples-undeclared") => hello("hello"),
        "sampling/createMessage" if client.is("undeclared-is-internal") => error(-32603, "no"),
        "elicitation/create" if client.is("declines-undeclared") => {
            json!({"result": {"action": "decline"}})
        }
        "elicitation/create" if !client.bare => elicit(client, &message["params"]),
        _ if client.is("serves-unknown-methods") => json!({"result": {}}),
        _ if client.is("unknown-method-is-internal") && method.starts_with("assay/") => {
            error(-32603, "no such method")
        }
        _ => error(-32601, "method not found"),
    };
    answer["jsonrpc"] = json!("2.0");
    answer["id"] = id.clone();
    Some(answer)
}

/// The answers to what a server needs before it can answer.
pub(crate) fn inputs(client: &Client, requests: &Value) -> Value {
    let mut responses = json!({});
    for (key, request) in requests.as_object().into_iter().flatten() {
        let params = &request["params"];
        let answer = match request["method"].as_str() {
            Some("elicitation/create") => elicit(client, params),
            Some("sampling/createMessage") => hello(&"word ".repeat(200)),
            _ => roots(client),
        };
        responses[key] = answer["result"].clone();
    }
    responses
}

fn roots(client: &Client) -> Value {
    let mut root = json!({"uri": "file:///tmp", "name": "tmp"});
    if client.is("root-without-uri") {
        root = json!({"name": "tmp"});
    }
    json!({"result": {"roots": [root]}})
}

pub(crate) fn hello(text: &str) -> Value {
    json!({"result": {"role": "assistant", "model": "none", "stopReason": "endTurn",
        "content": {"type": "text", "text": text}}})
}

fn sample(client: &Client, params: &Value) -> Value {
    if !params["messages"].is_array() {
        let code = if client.is("bad-params-are-internal") {
            -32603
        } else {
            -32602
        };
        return error(code, "which messages?");
    }
    if params.get("tools").is_some() && !client.is("samples-with-tools") {
        return error(-32602, "no tools");
    }
    if let Some(refusal) = cooperate::refuse(client, params) {
        return refusal;
    }
    let mut answer = hello("hello");
    if client.is("role-unknown") {
        answer["result"]["role"] = json!("system");
    }
    answer
}

fn elicit(client: &Client, params: &Value) -> Value {
    if params["mode"] == "url" {
        if client.is("fetches-urls") {
            fetch(params["url"].as_str().unwrap_or_default());
        }
        if client.is("declines-urls") {
            return json!({"result": {"action": "decline"}});
        }
        return error(-32602, "no such mode");
    }
    let mut content = json!({});
    for (name, field) in params["requestedSchema"]["properties"]
        .as_object()
        .into_iter()
        .flatten()
    {
        content[name] = field.get("default").cloned().unwrap_or(json!("anything"));
    }
    if client.is("ignores-defaults") {
        content = json!({});
    }
    if client.is("action-unknown") {
        return json!({"result": {"action": "perhaps"}});
    }
    if client.is("content-misfit") {
        content["city"] = json!(5);
    }
    json!({"result": {"action": "accept", "content": content}})
}

/// Gets what is at an address.
pub(crate) fn fetch(url: &str) {
    let Some((address, path)) = url
        .strip_prefix("http://")
        .and_then(|rest| rest.split_once('/'))
    else {
        return;
    };
    let path = format!("/{path}");
    let patience = Duration::from_secs(2);
    let answer = http::request(address, "GET", &path, &[], b"", patience);
    drop(answer.map(http::Answer::body));
}

pub(crate) fn error(code: i64, message: &str) -> Value {
    json!({"error": {"code": code, "message": message}})
}
