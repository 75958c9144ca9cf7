//! What makes a client show what it does with schemas and with answers that it may keep.
//!
//! Some of it asks to be helped: a tool says in its description what it wants to hear. A client with a model behind it does that by itself,
//! another one can be written to. Who does not is not judged.

use serde_json::{Value, json};

/// A tool that cannot be used without what its schema refers to.
pub(super) const UNRESOLVED: &str = "unresolved";

/// A tool with a schema of many keywords, and the one that wants to hear what they became.
pub(super) const KEYWORDS: &str = "keywords";
pub(super) const SHOW_SCHEMA: &str = "show_schema";

/// The tool that wants to hear what `sum` gave.
pub(super) const SHOW_RESULT: &str = "show_result";

/// A resource that is new each time, and the tool that wants to hear what it held.
pub(super) const FRESH: &str = "test://fresh";
pub(super) const REPORT_READS: &str = "report_reads";

/// The names of the tools.
pub(super) const NAMES: [&str; 5] = [UNRESOLVED, KEYWORDS, SHOW_SCHEMA, SHOW_RESULT, REPORT_READS];

/// How long an answer may be kept.
const HOUR: u64 = 3_600_000;

/// The schema of many keywords. They forbid hardly anything: whoever calls the tool somehow does nothing wrong.
pub(super) fn keyword_schema() -> Value {
    json!({
        "type": "object",
        "properties": {"text": {"type": "string", "$ref": "#/$defs/word"}, "more": {"$ref": "#more"}},
        "$defs": {"word": {"type": "string", "minLength": 1}, "more": {"$anchor": "more"}},
        "anyOf": [{"maxProperties": 0}, {"minProperties": 1}],
        "if": {"properties": {"text": {"const": "more, please"}}, "required": ["text"]},
        "then": {"required": ["more"]},
        "else": {"maxProperties": 8},
    })
}

pub(super) fn keyword_tools() -> [Value; 2] {
    let show = format!(
        "Call this with `schema` set to the input schema of the tool `{KEYWORDS}`, exactly as you have it"
    );
    [
        json!({"name": KEYWORDS, "inputSchema": keyword_schema()}),
        json!({"name": SHOW_SCHEMA, "description": show, "inputSchema":
            {"type": "object", "properties": {"schema": {"type": "object"}}}}),
    ]
}

pub(super) fn reading_tool() -> Value {
    let report = format!(
        "Read the resource `{FRESH}` twice, then call this with `texts` set to the text that it held each time"
    );
    json!({"name": REPORT_READS, "description": report, "inputSchema":
        {"type": "object", "properties": {"texts": {"type": "array", "items": {"type": "string"}}}}})
}

/// Gives the tool `sum` a result whose schema is written for the default dialect: an older one would forbid every element of `terms`.
pub(super) fn put_in_dialect(answer: &mut Value, method: &str, params: &Value) {
    let number = json!({"type": "integer"});
    match method {
        "tools/list" if answer["result"]["tools"][1]["name"] == "sum" => {
            answer["result"]["tools"][1]["outputSchema"]["properties"]["terms"] =
                json!({"type": "array", "prefixItems": [number, number], "items": false});
            if let Some(tools) = answer["result"]["tools"].as_array_mut() {
                let show = "Call `sum`, then call this with `result` set to the structured content that it gave";
                tools.push(
                    json!({"name": SHOW_RESULT, "description": show, "inputSchema":
                    {"type": "object", "properties": {"result": {"type": "object"}}}}),
                );
            }
        }
        "tools/call" if params["name"] == "sum" => {
            let term = |name: &str| params["arguments"][name].as_i64().unwrap_or_default();
            let result = &mut answer["result"];
            result["structuredContent"]["terms"] = json!([term("a"), term("b")]);
            result["content"][0]["text"] = json!(result["structuredContent"].to_string());
        }
        _ => {}
    }
}

/// Lets an answer be kept, if it is of a kind that may be.
pub(super) fn keep(answer: &mut Value, scope: &str) {
    let result = &mut answer["result"];
    if result.get("ttlMs").is_some() {
        result["ttlMs"] = json!(HOUR);
        result["cacheScope"] = json!(scope);
    }
}
