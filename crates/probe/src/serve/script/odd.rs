//! The answers of a script, as odd as its scenario wants them.

use mcp_assay::model::Fact;
use serde_json::{Value, json};

use super::Script;
use crate::serve::scenarios::Twist;
use crate::serve::{answers, lures};

impl Script {
    /// The answer to a request, as odd as the scenario wants it.
    pub(super) fn answer(&mut self, method: &str, params: &Value) -> Value {
        let is_retry = params.get("inputResponses").is_some();
        if method == "tools/call"
            && self.revision.has(Fact::InputRequests)
            && self.twist == Twist::Nothing
            && !is_retry
            && !self.asked_for_input
            && let Some(answer) = answers::input_required(self.revision, &self.seen.capabilities)
        {
            self.asked_for_input = true;
            return answer;
        }
        if self.twist == Twist::AskedReads && params["uri"] == lures::FRESH {
            return self.fresh(is_retry);
        }
        let mut answer = answers::answer(self.revision, method, params);
        let is_list = method == "tools/list" && answers::page(params) == Some(1);
        let odd = |schema: Value| json!({"name": "odd", "inputSchema": schema});
        match self.twist {
            Twist::NoResultType => {
                if let Some(result) = answer["result"].as_object_mut() {
                    result.remove("resultType");
                }
            }
            Twist::OddDialect if is_list => {
                let tool = odd(json!({"$schema": "urn:mcp-assay:dialect", "type": "object"}));
                add_tool(&mut answer, tool);
            }
            Twist::NetworkRef if is_list => {
                let place = format!("{}/schema.json", self.lure);
                add_tool(
                    &mut answer,
                    odd(json!({"type": "object", "properties": {"x": {"$ref": place}}})),
                );
                let mut tool = odd(json!({"type": "object", "$ref": place}));
                tool["name"] = json!(lures::UNRESOLVED);
                add_tool(&mut answer, tool);
                answer["result"]["tools"][1]["outputSchema"]["properties"]["more"] =
                    json!({"$ref": place});
            }
            Twist::HostileSchema if is_list => {
                answer["result"]["tools"][1]["outputSchema"] = hostile();
            }
            Twist::BadHeader if is_list => {
                let mut tool = odd(json!({"type": "object", "properties":
                    {"x": {"type": "string", "x-mcp-header": "not a token"}}}));
                tool["name"] = json!("broken");
                add_tool(&mut answer, tool);
            }
            Twist::Keywords if is_list => {
                for tool in lures::keyword_tools() {
                    add_tool(&mut answer, tool);
                }
            }
            Twist::Dialect => lures::put_in_dialect(&mut answer, method, params),
            Twist::LongLived => lures::keep(&mut answer, "public"),
            Twist::Private => lures::keep(&mut answer, "private"),
            Twist::AskedReads if is_list => add_tool(&mut answer, lures::reading_tool()),
            _ => {}
        }
        answer
    }

    /// What the resource holds that is new each time, after a question if the client can answer any.
    fn fresh(&mut self, is_retry: bool) -> Value {
        if !is_retry
            && let Some(question) = answers::input_required(self.revision, &self.seen.capabilities)
        {
            return question;
        }
        let params = json!({"uri": lures::FRESH});
        let mut answer = answers::answer(self.revision, "resources/read", &params);
        let text = crate::serve::unguessable(self.seen.texts.len() as u64);
        answer["result"]["contents"][0]["text"] = json!(text);
        lures::keep(&mut answer, "public");
        if is_retry {
            self.seen.texts.push(text);
        }
        answer
    }
}

fn add_tool(answer: &mut Value, tool: Value) {
    if let Some(tools) = answer["result"]["tools"].as_array_mut() {
        tools.push(tool);
    }
}

/// Short to write, and evaluated a million million times by whoever takes it at its word.
fn hostile() -> Value {
    const LEVELS: usize = 40;
    let mut definitions = json!({"d0": {"type": "object"}});
    for level in 1..=LEVELS {
        let below = json!({"$ref": format!("#/$defs/d{}", level - 1)});
        definitions[format!("d{level}")] = json!({"allOf": [below.clone(), below]});
    }
    json!({"type": "object", "$ref": format!("#/$defs/d{LEVELS}"), "$defs": definitions})
}
