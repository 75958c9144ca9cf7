//! The revision without a handshake.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde_json::{Value, json};

use crate::server::answers::{Server, common, error, hide, is_level, result};
use crate::server::faults::Fault;

pub(crate) const VERSION: &str = "2026-07-28";

pub(crate) fn answer(server: &mut Server, method: &str, params: &Value) -> Value {
    let fault = server.fault;
    let meta = &params["_meta"];
    let field = |name: &str| meta.get(format!("io.modelcontextprotocol/{name}"));
    match field("protocolVersion") {
        None if !fault.is("version-not-needed") => return error(-32602, "which version?"),
        Some(version) if *version != VERSION => {
            let mut error = error(-32022, "no such version");
            error["error"]["data"] = json!({"supported": [VERSION], "requested": version});
            return error;
        }
        _ => {}
    }
    if field("clientCapabilities").is_none() && !(fault.is("remembers-clients") && server.heard) {
        return error(-32602, "what can you do?");
    }
    server.heard = true;
    if let Some(level) = field("logLevel")
        && !level.as_str().is_some_and(is_level)
        && !fault.is("any-log-level")
    {
        return error(-32602, "no such level");
    }
    let mut answer = match method {
        "server/discover" if fault.is("no-discovery") => error(-32601, "method not found"),
        "server/discover" => {
            let mut capabilities = json!({"tools": {"listChanged": true}, "resources": {}, "prompts": {}, "completions": {}});
            hide(fault, &mut capabilities);
            if fault.0.starts_with("ext-task-") {
                capabilities["extensions"] = json!({"io.modelcontextprotocol/tasks": {}});
            }
            result(json!({"supportedVersions": [VERSION], "capabilities": capabilities}))
        }
        "tasks/get" if fault.0.starts_with("ext-task-") => {
            let declared = field("clientCapabilities")
                .and_then(|all| all.get("extensions"))
                .is_some();
            match (fault.0, declared) {
                ("ext-task-undeclared", false) => error(-32602, "no such task"),
                (_, false) => {
                    let mut error = error(-32021, "declare the extension");
                    error["error"]["data"] = json!({"requiredCapabilities":
                        {"extensions": {"io.modelcontextprotocol/tasks": {}}}});
                    error
                }
                ("ext-task-unknown", true) => error(-32603, "no such task"),
                (_, true) => error(-32602, "no such task"),
            }
        }
        "ping" | "logging/setLevel" | "initialize" => error(-32601, "method not found"),
        _ => common(fault, method, params, VERSION),
    };
    if let Some(result) = answer.get_mut("result") {
        if result.get("resultType").is_none() {
            result["resultType"] = json!("complete");
        }
        result["_meta"] =
            json!({"io.modelcontextprotocol/serverInfo": {"name": "probe-server", "version": "1"}});
        if method.ends_with("/list") || matches!(method, "server/discover" | "resources/read") {
            result["ttlMs"] = json!(60_000);
            result["cacheScope"] = json!("public");
        }
    }
    answer
}

/// A tool that asks who it is for.
pub(crate) fn book() -> Value {
    json!({"name": "book", "annotations": {"readOnlyHint": true}, "inputSchema": {
        "type": "object",
        "properties": {"day": {"type": "integer", "minimum": 1, "maximum": 28}},
        "required": ["day"],
    }})
}

pub(crate) fn call_book(fault: Fault, params: &Value) -> Value {
    let done = |text: &str, failed: bool| {
        let mut answer = json!({"content": [{"type": "text", "text": text}]});
        if failed {
            answer["isError"] = json!(true);
        }
        result(answer)
    };
    let Some(day) = params["arguments"]["day"].as_u64() else {
        return if fault.is("any-arguments") {
            done("booked for some day", false)
        } else if fault.is("bad-arguments-are-errors") {
            error(-32602, "`day` is a number")
        } else {
            done("`day` is a number", true)
        };
    };
    if let Some(state) = params["requestState"].as_str() {
        let (seal, sealed) = state.split_once('.').unwrap_or_default();
        let genuine = seal == seal_of(sealed) || fault.is("state-not-sealed");
        let its_own = sealed == day.to_string() || fault.is("state-for-any-call");
        if !genuine || !its_own {
            return error(-32602, "not a state of ours");
        }
    }
    let capabilities = &params["_meta"]["io.modelcontextprotocol/clientCapabilities"];
    if capabilities.get("elicitation").is_none() {
        if fault.is("incapable-client-in-result") {
            return done("cannot ask", true);
        }
        let mut error = error(-32021, "elicitation is needed");
        error["error"]["data"] = json!({"requiredCapabilities": {"elicitation": {}}});
        return error;
    }
    let responses = params["inputResponses"].as_object();
    if fault.is("extra-input-refused") && responses.is_some_and(|all| all.len() > 1) {
        return error(-32602, "nobody asked");
    }
    match responses.and_then(|all| all.get("who")) {
        None if fault.is("missing-input-refused") && responses.is_some() => {
            error(-32602, "the answer is missing")
        }
        None => result(json!({
            "resultType": "input_required",
            "inputRequests": {"who": {"method": "elicitation/create", "params": {
                "mode": "form", "message": "For whom?",
                "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}}}}},
            "requestState": format!("{}.{day}", seal_of(&day.to_string())),
        })),
        Some(who) => match who["action"].as_str() {
            Some("accept" | "decline" | "cancel") => done("booked for nobody", false),
            _ if fault.is("any-action") => done("booked maybe", false),
            _ => error(-32602, "no such action"),
        },
    }
}

/// The prefix that only this server can put before a state.
fn seal_of(state: &str) -> String {
    let mut hasher = DefaultHasher::new();
    ("a secret", state).hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// A subscription is acknowledged, and nothing ever changes.
pub(crate) fn acknowledge(fault: Fault, id: &Value, params: &Value) -> Vec<Value> {
    let mut granted = params["notifications"].clone();
    if fault.is("grants-too-much") {
        granted["promptsListChanged"] = json!(true);
    }
    let tag = if fault.is("wrong-subscription") {
        json!("another")
    } else {
        id.clone()
    };
    let notice = json!({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params":
        {"notifications": granted, "_meta": {"io.modelcontextprotocol/subscriptionId": tag}}});
    if fault.is("never-acknowledges") {
        Vec::new()
    } else {
        vec![notice]
    }
}
