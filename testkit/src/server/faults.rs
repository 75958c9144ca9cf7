//! The faults of the server, and how they spoil its answers.

use serde_json::{Value, json};

/// The one thing that is wrong.
#[derive(Clone, Copy)]
pub(crate) struct Fault(pub(crate) &'static str);

impl Fault {
    pub(crate) const NONE: Self = Self("");

    pub(crate) fn is(self, name: &str) -> bool {
        self.0 == name
    }

    /// Spoils an answer to a method.
    pub(crate) fn spoil(self, method: &str, answer: &mut Value) {
        match self.0 {
            "ids-are-text" => answer["id"] = json!(answer["id"].to_string()),
            "ids-are-null" => answer["id"] = Value::Null,
            "ids-are-others" => answer["id"] = json!(answer["id"].as_i64().map(|id| id + 1000)),
            "ids-are-one" => answer["id"] = json!(1),
            _ => self.patch(method, answer),
        }
        let has_result = answer.get("result").is_some();
        if !has_result
            && !self.0.starts_with("error-")
            && !matches!(self.0, "old-jsonrpc" | "id-is-text")
        {
            return;
        }
        let mut none = Value::Null;
        let result = answer.get_mut("result").unwrap_or(&mut none);
        match (self.0, method) {
            ("no-server-version", "initialize") => {
                drop(
                    result["serverInfo"]
                        .as_object_mut()
                        .unwrap()
                        .remove("version"),
                );
            }
            ("capabilities-are-a-list", "initialize") => result["capabilities"] = json!([]),
            ("schema-is-text", "tools/list") if has_result => {
                result["tools"][0]["inputSchema"] = json!("object");
            }
            ("tool-without-name", "tools/list") if has_result => {
                drop(result["tools"][0].as_object_mut().unwrap().remove("name"));
            }
            ("same-tool-twice", "tools/list") if has_result => {
                let tool = result["tools"][0].clone();
                result["tools"].as_array_mut().unwrap().push(tool);
            }
            ("old-jsonrpc", "prompts/list") => answer["jsonrpc"] = json!("1.0"),
            ("result-and-error", "prompts/list") if has_result => {
                answer["error"] = json!({"code": -32603, "message": "both"});
            }
            ("error-without-message", "mcp-assay/no-such-method") => {
                answer["error"] = json!({"code": -32601});
            }
            ("error-code-is-text", "mcp-assay/no-such-method") => {
                answer["error"]["code"] = json!("-32601");
            }
            ("no-result-type", "prompts/list") if has_result => {
                drop(result.as_object_mut().unwrap().remove("resultType"));
            }
            ("no-ttl", "tools/list") if has_result => {
                drop(result.as_object_mut().unwrap().remove("ttlMs"));
            }
            ("structured-misfit", "tools/call") if result.get("structuredContent").is_some() => {
                result["structuredContent"] = json!({"echoed": 7});
                result["content"][0]["text"] = json!("{\"echoed\":7}");
            }
            ("structured-missing", "tools/call") if has_result => {
                drop(result.as_object_mut().unwrap().remove("structuredContent"));
            }
            ("content-of-no-type", "tools/call") if result.get("content").is_some() => {
                result["content"][0]["type"] = json!("txt");
            }
            ("text-is-a-number", "tools/call") if result.get("content").is_some() => {
                result["content"][0]["text"] = json!(1);
            }
            ("role-unknown", "prompts/get") if has_result => {
                result["messages"][0]["role"] = json!("system");
            }
            ("messages-missing", "prompts/get") if has_result => {
                drop(result.as_object_mut().unwrap().remove("messages"));
            }
            ("uri-invalid", "resources/list") if has_result => {
                result["resources"][0]["uri"] = json!("not a uri");
            }
            ("template-invalid", "resources/templates/list") if has_result => {
                result["resourceTemplates"][0]["uriTemplate"] = json!("test://{name");
            }
            ("blob-not-base64", "resources/read") if has_result => {
                let content = &mut result["contents"][0];
                drop(content.as_object_mut().unwrap().remove("text"));
                content["blob"] = json!("***");
            }
            ("contents-missing", "resources/read") if has_result => {
                drop(result.as_object_mut().unwrap().remove("contents"));
            }
            ("too-many-completions", "completion/complete") if has_result => {
                result["completion"]["values"] = (0..101).map(|n| json!(n.to_string())).collect();
            }
            ("completion-total-low", "completion/complete") if has_result => {
                result["completion"]["values"] = json!(["a", "b"]);
                result["completion"]["total"] = json!(1);
            }
            ("ping-result-is-text", "ping") if has_result => answer["result"] = json!("pong"),
            ("id-is-text", "prompts/list") => answer["id"] = json!(answer["id"].to_string()),
            ("supported-versions-are-text", "server/discover") if has_result => {
                result["supportedVersions"] = json!("2026-07-28");
            }
            _ => {}
        }
    }

    /// `set METHOD POINTER JSON` replaces a member of the answers to a method, or adds one, and
    /// `drop METHOD POINTER` takes one away.
    fn patch(self, method: &str, answer: &mut Value) {
        let mut words = self.0.splitn(4, ' ');
        let (Some(verb @ ("set" | "drop")), Some(of), Some(pointer)) =
            (words.next(), words.next(), words.next())
        else {
            return;
        };
        let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
        let Some(parent) = answer.pointer_mut(parent).filter(|_| of == method) else {
            return;
        };
        let value = words
            .next()
            .map(|text| serde_json::from_str(text).expect("JSON"));
        match (parent, verb, value) {
            (Value::Object(members), "set", Some(value)) => {
                members.insert(key.to_owned(), value);
            }
            (Value::Object(members), _, _) => drop(members.remove(key)),
            (Value::Array(items), "set", Some(value)) => {
                items[key.parse::<usize>().unwrap()] = value;
            }
            _ => {}
        }
    }
}
