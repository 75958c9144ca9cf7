//! Arguments for a tool, made from its input schema. The same seed makes the same arguments.

use serde_json::{Map, Value, json};

/// The depth to which a schema is followed.
const MOST_DEPTH: usize = 6;

/// Makes values; the same seed makes the same ones.
pub(crate) struct Generator {
    state: u64,
}

impl Generator {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            state: seed ^ 0x9e37_79b9_7f4a_7c15,
        }
    }

    /// Arguments that fit a schema as far as its usual keywords say.
    pub(crate) fn arguments(&mut self, schema: &Value) -> Value {
        match self.value(schema, schema, 0) {
            Value::Object(arguments) => Value::Object(arguments),
            _ => json!({}),
        }
    }

    fn value(&mut self, schema: &Value, root: &Value, depth: usize) -> Value {
        if depth > MOST_DEPTH {
            return Value::Null;
        }
        if let Some(value) = schema.get("const").or_else(|| schema.get("default")) {
            return value.clone();
        }
        for list in ["enum", "examples"] {
            if let Some([_, ..]) = schema[list].as_array().map(Vec::as_slice) {
                return self.pick(schema[list].as_array().map_or(&[], Vec::as_slice));
            }
        }
        if let Some(target) = schema["$ref"]
            .as_str()
            .and_then(|text| root.pointer(text.strip_prefix('#')?))
        {
            return self.value(target, root, depth + 1);
        }
        for list in ["oneOf", "anyOf", "allOf"] {
            if let Some(first) = schema[list].as_array().and_then(|list| list.first())
                && schema.get("type").is_none()
            {
                return self.value(first, root, depth + 1);
            }
        }
        let kind = match &schema["type"] {
            Value::String(kind) => kind.as_str(),
            Value::Array(kinds) => kinds.first().and_then(Value::as_str).unwrap_or("string"),
            _ if schema.get("properties").is_some() || depth == 0 => "object",
            _ => "string",
        };
        match kind {
            "object" => self.object(schema, root, depth),
            "array" if schema["prefixItems"].is_array() => {
                let items = schema["prefixItems"].as_array().into_iter().flatten();
                items
                    .take(16)
                    .map(|item| self.value(item, root, depth + 1))
                    .collect()
            }
            "array" => {
                let least = schema["minItems"].as_u64().unwrap_or(0).clamp(1, 16);
                (0..least)
                    .map(|_| self.value(&schema["items"], root, depth + 1))
                    .collect()
            }
            "integer" | "number" => json!(self.number(schema)),
            "boolean" => json!(self.next().is_multiple_of(2)),
            "null" => Value::Null,
            _ => json!(self.text(schema)),
        }
    }

    /// Only what is required: every other member may do something that nobody asked for.
    fn object(&mut self, schema: &Value, root: &Value, depth: usize) -> Value {
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        let mut members = Map::new();
        for name in required.iter().filter_map(Value::as_str) {
            let value = self.value(&schema["properties"][name], root, depth + 1);
            members.insert(name.to_owned(), value);
        }
        Value::Object(members)
    }

    fn number(&mut self, schema: &Value) -> i64 {
        let bound = |name: &str| schema[name].as_f64().map(|bound| bound as i64);
        let least = bound("minimum")
            .or(bound("exclusiveMinimum").map(|bound| bound + 1))
            .unwrap_or(1);
        let most = bound("maximum")
            .or(bound("exclusiveMaximum").map(|bound| bound - 1))
            .unwrap_or(least.saturating_add(9))
            .max(least);
        let range = most.saturating_sub(least).saturating_add(1).clamp(1, 1000);
        least + i64::try_from(self.next() % range.unsigned_abs()).unwrap_or_default()
    }

    fn text(&mut self, schema: &Value) -> String {
        let text = match schema["format"].as_str() {
            Some("date") => "2026-01-02".to_owned(),
            Some("date-time") => "2026-01-02T03:04:05Z".to_owned(),
            Some("time") => "03:04:05Z".to_owned(),
            Some("email") => "probe@example.com".to_owned(),
            Some("uri" | "url") => "https://example.com/".to_owned(),
            Some("uuid") => "00000000-0000-4000-8000-000000000000".to_owned(),
            _ => format!("probe{}", self.next() % 1000),
        };
        let least = schema["minLength"].as_u64().unwrap_or(0).min(4096) as usize;
        let most = schema["maxLength"].as_u64().unwrap_or(4096) as usize;
        let padded = format!("{text:x<least$}");
        padded.chars().take(most).collect()
    }

    fn pick(&mut self, values: &[Value]) -> Value {
        let index = self.next() as usize % values.len().max(1);
        values.get(index).cloned().unwrap_or_default()
    }

    /// A step of xorshift.
    fn next(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state >> 11
    }
}

/// Arguments that break a schema in one place, and the place; `None` where everything fits.
pub(crate) fn broken(schema: &Value, good: &Value) -> Option<(Value, String)> {
    let properties = schema["properties"].as_object()?;
    for (name, property) in properties {
        // A property that allows several types may come before one that does not.
        let Some(wrong) = wrong(property) else {
            continue;
        };
        let mut arguments = good.clone();
        arguments[name] = wrong;
        return Some((arguments, name.clone()));
    }
    None
}

/// A value that is not of the type that a schema demands, if it demands one.
pub(crate) fn wrong(schema: &Value) -> Option<Value> {
    match schema["type"].as_str()? {
        "string" => Some(json!({"mcp-assay": 1})),
        "integer" | "number" | "boolean" | "array" | "object" => {
            Some(json!("not a value of its type"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_decides_what_is_made() {
        let schema = json!({"type": "object", "required": ["a", "b", "c"], "properties": {
            "a": {"type": "integer", "minimum": 3, "maximum": 5},
            "b": {"enum": ["x", "y"]},
            "c": {"$ref": "#/$defs/c"},
            "d": {"type": "string"}
        }, "$defs": {"c": {"type": "array", "minItems": 2, "items": {"type": "string", "minLength": 12}}}});
        let from = |seed| Generator::new(seed).arguments(&schema);
        assert_eq!(from(7), from(7));
        let made = from(7);
        assert!((3..=5).contains(&made["a"].as_i64().unwrap()));
        assert_eq!(made["c"].as_array().unwrap().len(), 2);
        assert!(made["c"][0].as_str().unwrap().len() >= 12);
        assert!(made.get("d").is_none());
    }

    #[test]
    fn one_place_is_broken() {
        let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
        let (arguments, name) = broken(&schema, &json!({"n": 1})).unwrap();
        assert_eq!(name, "n");
        assert!(arguments["n"].is_string());
        assert!(broken(&json!({"type": "object"}), &json!({})).is_none());
    }
}
