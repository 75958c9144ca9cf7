//! Tools beside `echo`: one that fails, and those whose schemas are more than most validators
//! expect.

use serde_json::{Value, json};

use crate::server::answers::{error, result};
use crate::server::faults::Fault;

/// Those that a revision has.
pub(crate) fn listed(fault: Fault, version: &str) -> Vec<Value> {
    let harmless = json!({"readOnlyHint": true});
    let mut tools = Vec::new();
    if version >= "2025-03-26" {
        tools.push(
            json!({"name": "fail", "inputSchema": {"type": "object"}, "annotations": harmless}),
        );
        for name in ["slow", "log", "grow"] {
            tools.push(
                json!({"name": name, "inputSchema": {"type": "object"}, "annotations": harmless}),
            );
        }
    }
    if version >= "2025-11-25" {
        let number = json!({"type": "number"});
        tools.push(
            json!({"name": "point", "annotations": harmless, "inputSchema": {
                "type": "object",
                "properties": {"at": {"type": "array", "prefixItems": [number, number]}},
                "required": ["at"],
            }}),
        );
    }
    if version == "2025-11-25" {
        tools.push(json!({"name": "batch", "inputSchema": {"type": "object"},
            "annotations": harmless, "execution": {"taskSupport": "required"}}));
    }
    if fault.0.starts_with("foreign-dialect") {
        tools.push(
            json!({"name": "odd", "annotations": harmless, "inputSchema": {
                "$schema": "https://example.com/dialect",
                "type": "object",
                "properties": {"count": {"type": "integer"}},
            }}),
        );
    }
    if fault.0.starts_with("resume") {
        tools.push(
            json!({"name": "wait", "inputSchema": {"type": "object"}, "annotations": harmless}),
        );
    }
    tools
}

/// The answer to a call, if it is of one of these.
pub(crate) fn call(fault: Fault, name: &str, arguments: &Value) -> Option<Value> {
    let said = |text: &str, failed: bool| {
        let mut answer = json!({"content": [{"type": "text", "text": text}]});
        if failed {
            answer["isError"] = json!(true);
        }
        result(answer)
    };
    Some(match name {
        "fail" if fault.is("failures-are-errors") => error(-32603, "it failed"),
        "fail" => said("it failed", true),
        "point" => {
            let fits = arguments["at"].as_array().is_some_and(|at| {
                fault.is("ignores-prefix-items") || at.iter().all(Value::is_number)
            });
            said("there", !fits)
        }
        "odd" => {
            let count = arguments.get("count");
            let fits = count.is_none_or(Value::is_i64) || fault.is("foreign-dialect-ignored");
            said("even", !fits)
        }
        "wait" | "slow" | "log" | "grow" | "batch" => said("done", false),
        _ => return None,
    })
}
