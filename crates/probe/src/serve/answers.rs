//! The answers of a good server, in every revision.

use mcp_assay::model::Fact;
use mcp_assay::{Revision, RevisionSet};
use serde_json::{Value, json};

use super::bait_tools;

/// The cursors of the pages: the second page is empty, and where a cursor may be empty, that of the
/// last one is.
const SECOND: &str = "cGFnZSAy";
const THIRD: &str = "cGFnZSAz";

/// The default that a form suggests.
pub(crate) const DEFAULT: &str = "Bern";

/// How many tokens a sampled message may have.
pub(crate) const MOST_TOKENS: usize = 16;

/// The revisions with elicitation.
pub(crate) const ELICITATION: RevisionSet = RevisionSet::since(Revision::V2025_06_18);

/// The answer to `initialize`.
pub(crate) fn initialize(revision: Revision, version: &str) -> Value {
    result(json!({
        "protocolVersion": version,
        "capabilities": capabilities(revision),
        "serverInfo": {"name": "mcp-assay", "version": env!("CARGO_PKG_VERSION")},
    }))
}

fn capabilities(revision: Revision) -> Value {
    let mut all = json!({"tools": {"listChanged": true}, "resources": {"listChanged": true}, "prompts": {"listChanged": true}});
    if revision.has(Fact::LogLevelByRequest) {
        all["logging"] = json!({});
        all["resources"]["subscribe"] = json!(true);
    }
    if revision.has(Fact::CompletionsCapability) {
        all["completions"] = json!({});
    }
    all
}

/// The answer to a request, as an object with `result` or `error`.
pub(crate) fn answer(revision: Revision, method: &str, params: &Value) -> Value {
    let mut answer = match method {
        "server/discover" if revision.has(Fact::Stateless) => result(json!({
            "supportedVersions": [revision.name()], "capabilities": capabilities(revision)})),
        "tools/list" => tools(revision, params),
        "tools/call" => call(revision, params),
        "resources/list" => result(json!({"resources": [{"uri": "test://one", "name": "one"}]})),
        "resources/templates/list" => {
            result(json!({"resourceTemplates": [{"uriTemplate": "test://{name}", "name": "any"}]}))
        }
        "resources/read" => read(revision, params),
        "prompts/list" => result(json!({"prompts": [
            {"name": "greet", "arguments": [{"name": "who", "required": true}]}]})),
        "prompts/get" => prompt(params),
        "completion/complete" => result(json!({"completion": {"values": ["one"]}})),
        "logging/setLevel" | "resources/subscribe" | "resources/unsubscribe"
            if revision.has(Fact::LogLevelByRequest) =>
        {
            result(json!({}))
        }
        _ => error(-32601, "method not found"),
    };
    if revision.has(Fact::Stateless)
        && let Some(result) = answer.get_mut("result")
    {
        result["resultType"] = json!("complete");
        result["_meta"] = json!({"io.modelcontextprotocol/serverInfo":
            {"name": "mcp-assay", "version": env!("CARGO_PKG_VERSION")}});
        if method.ends_with("/list") || matches!(method, "server/discover" | "resources/read") {
            result["ttlMs"] = json!(0);
            result["cacheScope"] = json!("private");
        }
    }
    answer
}

fn tools(revision: Revision, params: &Value) -> Value {
    let plain = |name: &str| json!({"name": name, "inputSchema": {"type": "object"}});
    match params.get("cursor").map(Value::as_str) {
        None => {
            let echo = json!({"name": "echo", "description": "Says what it hears", "inputSchema":
                {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}});
            let mut sum = json!({"name": "sum", "description": "Adds two numbers", "inputSchema":
                {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "required": ["a", "b"]}});
            if revision.has(Fact::StructuredContent) {
                sum["outputSchema"] = json!({"type": "object",
                    "properties": {"sum": {"type": "integer"}}, "required": ["sum"]});
            }
            result(json!({"tools": [echo, sum], "nextCursor": SECOND}))
        }
        Some(Some(SECOND)) => result(json!({"tools": [], "nextCursor": THIRD})),
        Some(Some(THIRD)) if revision.has(Fact::Stateless) => {
            result(json!({"tools": [plain("late")], "nextCursor": ""}))
        }
        Some(Some(THIRD)) => result(json!({"tools": [plain("late")]})),
        Some(Some("")) if revision.has(Fact::Stateless) => {
            result(json!({"tools": [plain("latest")]}))
        }
        Some(_) => error(-32602, "no such cursor"),
    }
}

/// The page of the tools that a request asks for.
pub(crate) fn page(params: &Value) -> Option<usize> {
    match params.get("cursor").map(Value::as_str) {
        None => Some(1),
        Some(Some(SECOND)) => Some(2),
        Some(Some(THIRD)) => Some(3),
        Some(Some("")) => Some(4),
        Some(_) => None,
    }
}

fn call(revision: Revision, params: &Value) -> Value {
    let arguments = &params["arguments"];
    match params["name"].as_str() {
        Some("echo") => said(arguments["text"].as_str().unwrap_or("nothing")),
        Some("sum") => {
            let number = |name: &str| arguments[name].as_i64().unwrap_or_default();
            let sum = number("a").wrapping_add(number("b"));
            let mut answer = said(&json!({"sum": sum}).to_string());
            if revision.has(Fact::StructuredContent) {
                answer["result"]["structuredContent"] = json!({"sum": sum});
            }
            answer
        }
        Some("late" | "latest" | "odd" | "broken") => said("done"),
        Some(name) if bait_tools::NAMES.contains(&name) => said("thank you"),
        _ => error(-32602, "no such tool"),
    }
}

fn said(text: &str) -> Value {
    result(json!({"content": [{"type": "text", "text": text}]}))
}

fn read(revision: Revision, params: &Value) -> Value {
    match params["uri"].as_str() {
        Some(uri) if uri.starts_with("test://") => {
            result(json!({"contents": [{"uri": uri, "mimeType": "text/plain", "text": "one"}]}))
        }
        _ if revision.has(Fact::ResourceNotFoundCode) => error(-32002, "no such resource"),
        _ => error(-32602, "no such resource"),
    }
}

fn prompt(params: &Value) -> Value {
    if params["name"] != "greet" {
        return error(-32602, "no such prompt");
    }
    match params["arguments"]["who"].as_str() {
        Some(who) => result(json!({"messages": [
            {"role": "user", "content": {"type": "text", "text": format!("Greet {who}.")}}]})),
        None => error(-32602, "`who` is required"),
    }
}

/// The params of a sampling request.
pub(crate) fn sampling() -> Value {
    json!({"messages": [{"role": "user", "content": {"type": "text", "text": "Say hello."}}],
        "maxTokens": MOST_TOKENS})
}

/// The params of a form.
pub(crate) fn form(revision: Revision) -> Value {
    let mut city = json!({"type": "string", "title": "City"});
    if revision.has(Fact::UrlElicitation) {
        city["default"] = json!(DEFAULT);
    }
    json!({"message": "Which city?", "requestedSchema":
        {"type": "object", "properties": {"city": city}}})
}

/// Whether capabilities of a client allow forms.
pub(crate) fn takes_forms(capabilities: &Value) -> bool {
    let elicitation = &capabilities["elicitation"];
    elicitation
        .as_object()
        .is_some_and(|modes| modes.is_empty() || modes.contains_key("form"))
}

/// An answer that asks for what the client said it can give; nothing if it can give nothing.
pub(crate) fn input_required(revision: Revision, capabilities: &Value) -> Option<Value> {
    let mut inputs = json!({});
    if takes_forms(capabilities) {
        inputs["city"] = json!({"method": "elicitation/create", "params": form(revision)});
    }
    if capabilities["sampling"].is_object() {
        inputs["hello"] = json!({"method": "sampling/createMessage", "params": sampling()});
    }
    if capabilities["roots"].is_object() {
        inputs["roots"] = json!({"method": "roots/list"});
    }
    let any = inputs.as_object().is_some_and(|inputs| !inputs.is_empty());
    any.then(|| {
        let state = "bWNwLWFzc2F5OiByb3VuZCAy";
        let mut answer = result(
            json!({"resultType": "input_required", "inputRequests": inputs, "requestState": state}),
        );
        answer["result"]["_meta"] = json!({"io.modelcontextprotocol/serverInfo":
            {"name": "mcp-assay", "version": env!("CARGO_PKG_VERSION")}});
        answer
    })
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "answers are made where they are given"
)]
pub(crate) fn result(result: Value) -> Value {
    json!({"result": result})
}

pub(crate) fn error(code: i64, message: &str) -> Value {
    json!({"error": {"code": code, "message": message}})
}
