//! The revision without a handshake.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde_json::{Value, json};

use crate::server::answers::{Server, common, error, hide, is_level, list_tools, result};
use crate::server::faults::Fault;
use crate::server::jobs::EXTENSION;

pub(crate) const VERSION: &str = "2026-07-28";

pub(crate) fn answer(server: &mut Server, method: &str, params: &Value) -> Value {
    let fault = server.fault;
    let meta = &params["_meta"];
    let field = |name: &str| meta.get(format!("io.modelcontextprotocol/{name}"));
    match field("protocolVersion") {
        None if !fault.is("version-not-needed") => return error(-32602, "which version?"),
        Some(version) if *version != VERSION && !fault.is("any-version") => {
            return unsupported(fault, version);
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
    let job = server.job(method, params);
    let mut answer = match method {
        _ if job.is_some() => job.unwrap_or_default(),
        "server/discover" if fault.is("no-discovery") => error(-32601, "method not found"),
        "server/discover" => {
            let mut capabilities = json!({"tools": {"listChanged": true},
                "resources": {"subscribe": true}, "prompts": {}, "completions": {},
                "extensions": {EXTENSION: {}}});
            hide(fault, &mut capabilities);
            result(json!({"supportedVersions": [VERSION], "capabilities": capabilities}))
        }
        "ping" if fault.is("still-answers-pings") => result(json!({})),
        "tools/list" => list_tools(fault, params, VERSION, server.changes.grown),
        "ping" | "logging/setLevel" | "initialize" => error(-32601, "method not found"),
        _ => common(fault, method, params, VERSION),
    };
    if let Some(result) = answer.get_mut("result") {
        if result.get("resultType").is_none() {
            result["resultType"] = json!("complete");
        }
        result["_meta"] =
            json!({"io.modelcontextprotocol/serverInfo": {"name": "probe-server", "version": "1"}});
        let is_cacheable =
            method.ends_with("/list") || matches!(method, "server/discover" | "resources/read");
        if is_cacheable && result["resultType"] == "complete" {
            result["ttlMs"] = json!(60_000);
            result["cacheScope"] = json!("public");
        }
    }
    answer
}

fn unsupported(fault: Fault, version: &Value) -> Value {
    if fault.is("unsupported-version-is-internal") {
        return error(-32603, "no such version");
    }
    let mut error = error(-32022, "no such version");
    let supported = if fault.is("unsupported-version-supported") {
        json!([VERSION, version])
    } else {
        json!([VERSION])
    };
    error["error"]["data"] = json!({"supported": supported, "requested": version});
    if fault.is("unsupported-version-without-data") {
        drop(error["error"].as_object_mut().unwrap().remove("data"));
    }
    error
}

/// Tools that ask for input, become tasks, or want an argument in a header.
pub(crate) fn listed() -> Vec<Value> {
    let harmless = json!({"readOnlyHint": true});
    vec![
        json!({"name": "book", "annotations": harmless, "inputSchema": {
            "type": "object",
            "properties": {"day": {"type": "integer", "minimum": 1, "maximum": 28}},
            "required": ["day"],
        }}),
        json!({"name": "plan", "annotations": harmless, "inputSchema": {"type": "object"}}),
        json!({"name": "job", "annotations": harmless, "inputSchema": {"type": "object"}}),
        json!({"name": "route", "annotations": harmless, "inputSchema": {
            "type": "object",
            "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
            "required": ["region"],
        }}),
    ]
}

/// The answer to a call of one of these.
pub(crate) fn call(fault: Fault, name: &str, params: &Value) -> Option<Value> {
    Some(match name {
        "book" => call_book(fault, params),
        "plan" => plan(fault, params),
        "job" => done("done", false),
        "route" if params["arguments"]["region"].is_string() || fault.is("any-arguments") => {
            done("routed", false)
        }
        "route" if fault.is("bad-arguments-are-errors") => error(-32602, "which region?"),
        "route" => done("which region?", true),
        _ => return None,
    })
}

fn done(text: &str, failed: bool) -> Value {
    let mut answer = json!({"content": [{"type": "text", "text": text}]});
    if failed {
        answer["isError"] = json!(true);
    }
    result(answer)
}

/// A question to the user.
fn question(message: &str) -> Value {
    json!({"method": "elicitation/create", "params": {
        "mode": "form", "message": message, "requestedSchema": {
            "type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}}})
}

/// A result that asks for input, in a round of its own.
#[expect(
    clippy::needless_pass_by_value,
    reason = "questions are made where they are asked"
)]
fn asked(requests: Value, round: u8) -> Value {
    let round = round.to_string();
    result(json!({
        "resultType": "input_required",
        "inputRequests": requests,
        "requestState": format!("{}.{round}", seal_of(&round)),
    }))
}

/// The round that a state belongs to.
fn round(params: &Value) -> Option<u8> {
    let (seal, sealed) = params["requestState"].as_str()?.split_once('.')?;
    (seal == seal_of(sealed)).then(|| sealed.parse().ok())?
}

/// What a client cannot be asked for.
fn incapable(capability: &str) -> Value {
    let mut error = error(-32021, "the client cannot be asked");
    error["error"]["data"] = json!({"requiredCapabilities": {capability: {}}});
    error
}

/// A tool that asks two things at once, and a third thing after that.
fn plan(fault: Fault, params: &Value) -> Value {
    let capabilities = &params["_meta"]["io.modelcontextprotocol/clientCapabilities"];
    for capability in ["elicitation", "sampling"] {
        if capabilities.get(capability).is_none() {
            return match fault.0 {
                "incapable-client-planned" => done("cannot ask", true),
                "asks-the-incapable" => asked(json!({"who": question("For whom?")}), 0),
                _ => incapable(capability),
            };
        }
    }
    let is_given = |key: &str| params["inputResponses"].get(key).is_some();
    let is_accepted = |key: &str| params["inputResponses"][key]["action"] == "accept";
    let first = || {
        let idea = json!({"method": "sampling/createMessage", "params": {"maxTokens": 10,
            "messages": [{"role": "user", "content": {"type": "text", "text": "An idea?"}}]}});
        asked(json!({"who": question("For whom?"), "idea": idea}), 0)
    };
    match round(params) {
        Some(0) if is_given("who") && is_given("idea") => {
            if fault.is("plans-for-ever") {
                return first();
            }
            if fault.is("plans-are-refused") && is_accepted("who") {
                return error(-32602, "not like this");
            }
            asked(json!({"sure": question("Are you sure?")}), 1)
        }
        Some(1) if is_given("sure") => done("planned", false),
        Some(1) => asked(json!({"sure": question("Are you sure?")}), 1),
        _ => first(),
    }
}

/// A prompt that asks whom it is for.
pub(crate) fn advise(fault: Fault, params: &Value) -> Value {
    let capabilities = &params["_meta"]["io.modelcontextprotocol/clientCapabilities"];
    if capabilities.get("elicitation").is_none() {
        return incapable("elicitation");
    }
    match (round(params), params["inputResponses"].get("who")) {
        (Some(_), Some(who)) if fault.is("advice-is-refused") && who["action"] == "accept" => {
            error(-32603, "no advice")
        }
        (Some(_), Some(who))
            if !["accept", "decline", "cancel"].contains(&who["action"].as_str().unwrap_or(""))
                && !fault.is("any-action") =>
        {
            error(-32602, "no such action")
        }
        (Some(_), Some(_)) => result(json!({"messages": [
            {"role": "user", "content": {"type": "text", "text": "Be kind"}}
        ]})),
        _ => asked(json!({"who": question("For whom?")}), 0),
    }
}

fn call_book(fault: Fault, params: &Value) -> Value {
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

/// The acknowledgement of a subscription.
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
    } else if fault.is("acknowledges-late") {
        let change = json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params":
            {"_meta": {"io.modelcontextprotocol/subscriptionId": id}}});
        vec![change, notice]
    } else {
        vec![notice]
    }
}
