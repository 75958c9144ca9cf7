//! Tools that make a client show what it does with schemas and with answers that it may keep.
//!
//! Some of them ask for help: a tool says in its description what it wants to be given. A client
//! with a model behind it does that by itself, another one can be written to. A client that does
//! not is not checked.

use serde_json::{Value, json};

use super::twist::Answering;

/// A tool that cannot be used without what its schema refers to.
pub(crate) const UNRESOLVED: &str = "unresolved";

/// A tool with a schema of many keywords, and the one that wants to be shown what they became.
pub(crate) const KEYWORDS: &str = "keywords";
pub(crate) const SHOW_SCHEMA: &str = "show_schema";

/// The tool that wants to be shown what `sum` gave.
pub(crate) const SHOW_RESULT: &str = "show_result";

/// A resource that is new each time, and the tool that wants to be shown what it held.
pub(crate) const FRESH: &str = "test://fresh";
pub(crate) const REPORT_READS: &str = "report_reads";

/// Tools whose arguments are repeated in headers.
pub(crate) const PLANT: &str = "plant";
pub(crate) const WATER: &str = "water";

/// The names of the tools.
pub(crate) const NAMES: [&str; 7] = [
    UNRESOLVED,
    KEYWORDS,
    SHOW_SCHEMA,
    SHOW_RESULT,
    REPORT_READS,
    PLANT,
    WATER,
];

/// How long an answer may be kept.
const HOUR: u64 = 3_600_000;

/// The schema of many keywords. They forbid hardly anything: a client that calls the tool somehow
/// does nothing wrong.
pub(crate) fn keyword_schema() -> Value {
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

pub(crate) fn keyword_tools() -> [Value; 2] {
    let show = format!(
        "Call this with `schema` set to the input schema of the tool `{KEYWORDS}`, exactly as you \
         have it"
    );
    [
        json!({"name": KEYWORDS, "inputSchema": keyword_schema()}),
        json!({"name": SHOW_SCHEMA, "description": show, "inputSchema":
            {"type": "object", "properties": {"schema": {"type": "object"}}}}),
    ]
}

pub(crate) fn reading_tool() -> Value {
    let report = format!(
        "Read the resource `{FRESH}` twice, then call this with `texts` set to the text that it \
         held each time"
    );
    json!({"name": REPORT_READS, "description": report, "inputSchema":
        {"type": "object", "properties": {"texts": {"type": "array", "items": {"type": "string"}}}}})
}

/// Gives the tool `sum` a result whose schema is written for the default dialect: an older one
/// would forbid every element of `terms`.
pub(crate) fn put_in_dialect(answer: &mut Value, request: &Answering<'_>) {
    let params = request.params;
    let number = json!({"type": "integer"});
    match request.method {
        "tools/list" if answer["result"]["tools"][1]["name"] == "sum" => {
            answer["result"]["tools"][1]["outputSchema"]["properties"]["terms"] =
                json!({"type": "array", "prefixItems": [number, number], "items": false});
            if let Some(tools) = answer["result"]["tools"].as_array_mut() {
                let show = "Call `sum`, then call this with `result` set to the structured content that \
                     it gave";
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
pub(crate) fn keep(answer: &mut Value, scope: &str) {
    let result = &mut answer["result"];
    if result.get("ttlMs").is_some() {
        result["ttlMs"] = json!(HOUR);
        result["cacheScope"] = json!(scope);
    }
}

/// Adds a tool to a list of tools.
pub(crate) fn add(answer: &mut Value, tool: Value) {
    if let Some(tools) = answer["result"]["tools"].as_array_mut() {
        tools.push(tool);
    }
}

/// Adds a tool with an odd schema to a list of tools.
pub(crate) fn add_odd(answer: &mut Value, name: &str, schema: &Value) {
    add(answer, json!({"name": name, "inputSchema": schema}));
}
