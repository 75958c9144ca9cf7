//! Arguments of tools that are repeated in headers, where a schema asks for that with
//! `x-mcp-header`.

use std::collections::BTreeMap;

use mcp_assay::Direction;
use serde_json::Value;

use super::headers::header_value;
use crate::record::{Pairs, Record};

/// Tools tracked.
const MOST_TOOLS: usize = 4096;

/// Arguments that tools want repeated: for each header, the keys that lead to the argument.
#[derive(Default)]
pub(super) struct Mirrors(BTreeMap<String, Vec<(String, Vec<String>)>>);

impl Mirrors {
    /// Takes note of the tools in a record, if it lists any.
    pub(super) fn see(&mut self, record: &Record) {
        if record.direction() == Direction::ServerToClient
            && let Some(message) = record.message()
        {
            self.read(&message);
        }
    }

    fn read(&mut self, message: &Value) {
        for tool in message["result"]["tools"].as_array().into_iter().flatten() {
            let Some(name) = tool["name"].as_str() else {
                continue;
            };
            let mut wanted = Vec::new();
            collect(&tool["inputSchema"], &mut Vec::new(), &mut wanted);
            if wanted.is_empty() {
                self.0.remove(name);
            } else if self.0.len() < MOST_TOOLS {
                self.0.insert(name.to_owned(), wanted);
            }
        }
    }

    /// The headers of a call.
    pub(super) fn headers(&self, params: &Value) -> Pairs {
        let wanted = params["name"].as_str().and_then(|name| self.0.get(name));
        wanted
            .into_iter()
            .flatten()
            .filter_map(|(header, path)| {
                let argument = path
                    .iter()
                    .try_fold(&params["arguments"], |here, key| here.get(key))?;
                let value = match argument {
                    Value::String(text) => header_value(text),
                    Value::Bool(_) | Value::Number(_) => argument.to_string(),
                    // What is not there is not repeated, and nothing else can be.
                    _ => return None,
                };
                Some((format!("mcp-param-{}", header.to_ascii_lowercase()), value))
            })
            .collect()
    }
}

/// Finds annotations of properties. A schema is only as deep as a message may be.
fn collect(schema: &Value, path: &mut Vec<String>, wanted: &mut Vec<(String, Vec<String>)>) {
    for (key, property) in schema["properties"].as_object().into_iter().flatten() {
        path.push(key.clone());
        if let Some(header) = property["x-mcp-header"].as_str()
            && is_token(header)
        {
            wanted.push((header.to_owned(), path.clone()));
        }
        collect(property, path, wanted);
        path.pop();
    }
}

/// Whether it can be a part of the name of a header; a tool that asks for another is broken.
fn is_token(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(is_part)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_annotated_is_repeated() {
        let mut mirrors = Mirrors::default();
        mirrors.read(
            &json!({"result": {"tools": [{"name": "plan", "inputSchema": {"properties": {
                "region": {"type": "string", "x-mcp-header": "Region"},
                "options": {"properties": {"dry": {"type": "boolean", "x-mcp-header": "Dry"}}},
                "rows": {"type": "integer", "x-mcp-header": "Rows"},
                "bad": {"type": "string", "x-mcp-header": "two words"},
                "other": {"type": "string"},
            }}}]}}),
        );
        let arguments = json!({"region": "Zürich", "options": {"dry": true}, "rows": null, "bad": "x", "other": "y"});
        let params = json!({"name": "plan", "arguments": arguments});
        let pairs = |pairs: &[(&str, &str)]| -> Pairs {
            pairs
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect()
        };
        assert_eq!(
            mirrors.headers(&params),
            pairs(&[
                ("mcp-param-dry", "true"),
                ("mcp-param-region", "=?base64?WsO8cmljaA==?=")
            ])
        );
        assert_eq!(mirrors.headers(&json!({"name": "other"})), []);
    }
}
