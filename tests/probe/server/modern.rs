//! The revision without a handshake.

use serde_json::{Value, json};

use crate::answers::{Server, common, error, hide, is_level, result};

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
            let mut capabilities =
                json!({"tools": {}, "resources": {}, "prompts": {}, "completions": {}});
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
        result["resultType"] = json!("complete");
        result["_meta"] =
            json!({"io.modelcontextprotocol/serverInfo": {"name": "probe-server", "version": "1"}});
        if method.ends_with("/list") || matches!(method, "server/discover" | "resources/read") {
            result["ttlMs"] = json!(60_000);
            result["cacheScope"] = json!("public");
        }
    }
    answer
}
