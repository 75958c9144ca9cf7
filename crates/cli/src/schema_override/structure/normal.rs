//! A normal form of schemas, in which two ways to write the same definition are equal.

use std::collections::BTreeSet;

use serde_json::{Map, Number, Value, json};

/// Keywords that say nothing about values.
const ANNOTATIONS: [&str; 12] = [
    "description",
    "title",
    "default",
    "examples",
    "$comment",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$schema",
    "$id",
    "$anchor",
    "contentMediaType",
];

/// The key of a reference to a definition that both sides have.
pub(super) const REFERENCE: &str = "definition";
/// The key of a definition that contains itself.
pub(super) const RECURSION: &str = "recursion";
/// The key of alternatives.
pub(super) const ALTERNATIVES: &str = "alternatives";

/// The definitions of a document.
#[derive(Clone, Copy)]
pub(super) struct Definitions<'v>(pub(super) &'v Map<String, Value>);

impl<'v> Definitions<'v> {
    /// `None` if the document has none.
    pub(super) fn of(document: &'v Value) -> Option<Self> {
        let found = ["$defs", "definitions"].iter().find_map(|key| {
            let definitions = document.get(*key)?.as_object()?;
            (!definitions.is_empty()).then_some(definitions)
        });
        found.map(Self)
    }

    /// The names that references within it have.
    pub(super) fn referenced(self) -> BTreeSet<&'v str> {
        let mut names = BTreeSet::new();
        for schema in self.0.values() {
            gather(schema, &mut names);
        }
        names
    }
}

fn gather<'v>(value: &'v Value, names: &mut BTreeSet<&'v str>) {
    match value {
        Value::Object(members) => {
            names.extend(members.get("$ref").and_then(target));
            members.values().for_each(|it| gather(it, names));
        }
        Value::Array(items) => items.iter().for_each(|it| gather(it, names)),
        _ => {}
    }
}

fn target(reference: &Value) -> Option<&str> {
    reference.as_str()?.rsplit('/').next()
}

/// The document that a schema is from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    Model,
    Document,
}

/// Both documents, as far as references need them.
pub(super) struct Reader<'v> {
    model: Definitions<'v>,
    document: Definitions<'v>,
    /// Names that the model refers to and the document has: such a reference stays one.
    kept: BTreeSet<&'v str>,
}

impl<'v> Reader<'v> {
    pub(super) fn new(model: Definitions<'v>, document: Definitions<'v>) -> Self {
        let kept = model.referenced();
        let kept = kept.into_iter().filter(|it| document.0.contains_key(*it));
        Self {
            kept: kept.collect(),
            model,
            document,
        }
    }

    /// The normal form of a definition. It is not a reference itself.
    pub(super) fn definition(&self, origin: Origin, name: &'v str) -> Value {
        let definitions = self.definitions(origin);
        let mut open = vec![name];
        let mut schema = self.normal(origin, &definitions.0[name], &mut open);
        while let Some(inner) = schema.get(REFERENCE).and_then(Value::as_str) {
            let Some((inner, found)) = definitions.0.get_key_value(inner) else {
                break;
            };
            if open.contains(&inner.as_str()) {
                break;
            }
            open.push(inner);
            schema = self.normal(origin, found, &mut open);
        }
        schema
    }

    fn definitions(&self, origin: Origin) -> Definitions<'v> {
        match origin {
            Origin::Model => self.model,
            Origin::Document => self.document,
        }
    }

    fn normal(&self, origin: Origin, schema: &'v Value, open: &mut Vec<&'v str>) -> Value {
        let mut branches = self.branches(origin, schema, open);
        if branches.iter().any(|it| *it == json!({})) {
            return json!({});
        }
        branches.sort_by_cached_key(canonical);
        branches.dedup();
        match branches.len() {
            0 => json!({"never": true}),
            1 => branches.remove(0),
            // A reference to alternatives is the same as these alternatives.
            _ => {
                let mut all = Vec::new();
                for branch in branches {
                    self.flatten(origin, branch, open, &mut all);
                }
                all.sort_by_cached_key(canonical);
                all.dedup();
                json!({ALTERNATIVES: all})
            }
        }
    }

    fn flatten(
        &self,
        origin: Origin,
        branch: Value,
        open: &mut Vec<&'v str>,
        all: &mut Vec<Value>,
    ) {
        let definitions = self.definitions(origin);
        let name = branch.get(REFERENCE).and_then(Value::as_str);
        let found = name.and_then(|name| definitions.0.get_key_value(name));
        if let Some((name, schema)) = found
            && !open.contains(&name.as_str())
        {
            open.push(name);
            let mut target = self.normal(origin, schema, open);
            open.pop();
            if let Some(Value::Array(inner)) = target.get_mut(ALTERNATIVES) {
                all.append(inner);
                return;
            }
        }
        all.push(branch);
    }

    /// The alternatives of a schema; none if it accepts nothing.
    fn branches(&self, origin: Origin, schema: &'v Value, open: &mut Vec<&'v str>) -> Vec<Value> {
        let object = match schema {
            Value::Bool(false) => return Vec::new(),
            Value::Object(object) => object,
            _ => return vec![json!({})],
        };
        let keywords: Vec<(&str, &Value)> = object
            .iter()
            .map(|(key, value)| (key.as_str(), value))
            .filter(|(key, _)| !ANNOTATIONS.contains(key))
            .collect();
        if let Some(reference) = object.get("$ref") {
            let others = keywords.len() > 1;
            let referred = self.reference(reference, open);
            if !others {
                return referred;
            }
            let mut rest = object.clone();
            rest.remove("$ref");
            return vec![json!({"allOf": [referred, canonical(&Value::Object(rest))]})];
        }
        if let [("anyOf" | "oneOf", Value::Array(parts))] = keywords.as_slice() {
            let parts = parts.iter().flat_map(|it| self.branches(origin, it, open));
            return parts.collect();
        }
        if let [("allOf", Value::Array(parts))] = keywords.as_slice() {
            let mut whole = self.all_of(origin, parts, open);
            return match whole.get_mut(ALTERNATIVES) {
                Some(Value::Array(branches)) => std::mem::take(branches),
                _ => vec![whole],
            };
        }
        if let Some(Value::Array(types)) = object.get("type") {
            let each = types.iter().map(|name| {
                let mut object = self.object(origin, &keywords, open);
                object.insert("type".to_owned(), name.clone());
                Value::Object(restricted(object))
            });
            return each.collect();
        }
        vec![Value::Object(restricted(
            self.object(origin, &keywords, open),
        ))]
    }

    fn reference(&self, reference: &'v Value, open: &mut Vec<&'v str>) -> Vec<Value> {
        let Some(name) = target(reference) else {
            return vec![json!({"$ref": reference})];
        };
        if self.kept.contains(name) {
            return vec![json!({REFERENCE: name})];
        }
        if open.contains(&name) {
            return vec![json!({RECURSION: name})];
        }
        // Messages and results of extensions are told by their names.
        let ends = ["Request", "Notification", "Result"];
        if !self.document.0.contains_key(name) && ends.iter().any(|end| name.ends_with(end)) {
            return vec![json!({REFERENCE: name})];
        }
        // A name of the model stands for the model's meaning: its own definition is compared too.
        let sides = [
            (Origin::Model, self.model),
            (Origin::Document, self.document),
        ];
        for (side, definitions) in sides {
            if let Some(schema) = definitions.0.get(name) {
                open.push(name);
                let branches = self.branches(side, schema, open);
                open.pop();
                return branches;
            }
        }
        vec![json!({"$ref": reference})]
    }

    /// Objects that must all fit become one, if that is simple. The model writes the branch of a
    /// union with its tag that way: there the tag says nothing new.
    fn all_of(&self, origin: Origin, parts: &'v [Value], open: &mut Vec<&'v str>) -> Value {
        let is_tag = |it: &Value| {
            let plain = ["type", "properties", "required", "not"];
            let keys = it.as_object().map(|it| it.keys().collect::<Vec<_>>());
            keys.is_some_and(|keys| keys.iter().all(|key| plain.contains(&key.as_str())))
        };
        if origin == Origin::Model
            && let [tag, schema] = parts
            && is_tag(tag)
        {
            return self.normal(origin, schema, open);
        }
        let mut merged = Map::new();
        let mut texts = Vec::new();
        for part in parts {
            let mut normal = self.normal(origin, part, open);
            if let Some(name) = normal.get(REFERENCE).and_then(Value::as_str) {
                let definitions = self.definitions(origin);
                if let Some((name, schema)) = definitions.0.get_key_value(name)
                    && !open.contains(&name.as_str())
                {
                    open.push(name);
                    normal = self.normal(origin, schema, open);
                    open.pop();
                }
            }
            texts.push(normal);
        }
        for part in &texts {
            if !part
                .as_object()
                .is_some_and(|part| merge(&mut merged, part))
            {
                return json!({"allOf": texts});
            }
        }
        Value::Object(restricted(merged))
    }

    fn object(
        &self,
        origin: Origin,
        keywords: &[(&str, &'v Value)],
        open: &mut Vec<&'v str>,
    ) -> Map<String, Value> {
        let mut object = Map::new();
        for (key, value) in keywords.iter().copied() {
            let normal = match (key, value) {
                ("properties", Value::Object(members)) => {
                    let mut all = Map::new();
                    for (name, schema) in members {
                        // The model says of each kind of message what makes another kind.
                        if origin == Origin::Model && *schema == Value::Bool(false) {
                            continue;
                        }
                        let schema = self.normal(origin, schema, open);
                        // A member that may be anything is no condition.
                        if schema != json!({}) {
                            all.insert(name.clone(), schema);
                        }
                    }
                    Value::Object(all)
                }
                ("items" | "additionalProperties", schema) => self.normal(origin, schema, open),
                ("required", Value::Array(names)) => sorted(names),
                ("enum", Value::Array(values)) => sorted(values),
                ("const", value) => {
                    object.insert("enum".to_owned(), json!([number(value)]));
                    continue;
                }
                (_, value) => number(value),
            };
            object.insert(key.to_owned(), normal);
        }
        object
    }
}

/// Removes keywords that add nothing to others.
fn restricted(mut object: Map<String, Value>) -> Map<String, Value> {
    for (key, nothing) in [
        ("properties", json!({})),
        ("required", json!([])),
        ("additionalProperties", json!({})),
        ("items", json!({})),
    ] {
        if object.get(key) == Some(&nothing) {
            object.remove(key);
        }
    }
    if let (Some(Value::String(name)), Some(Value::Array(values))) =
        (object.get("type"), object.get("enum"))
        && values.iter().all(|value| is_of_type(value, name))
    {
        object.remove("type");
    }
    object
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::Number(number) => {
            name == "number"
                || (name == "integer" && number.as_f64().is_some_and(|it| it.fract() == 0.0))
        }
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
    }
}

/// Adds the keywords of another object schema. Returns whether that says the same as both.
fn merge(into: &mut Map<String, Value>, from: &Map<String, Value>) -> bool {
    for (key, value) in from {
        match (key.as_str(), into.get_mut(key), value) {
            (_, None, _) => {
                if [
                    ALTERNATIVES,
                    REFERENCE,
                    RECURSION,
                    "allOf",
                    "additionalProperties",
                ]
                .contains(&key.as_str())
                {
                    return false;
                }
                into.insert(key.clone(), value.clone());
            }
            (_, Some(known), value) if known == value => {}
            ("required", Some(Value::Array(known)), Value::Array(more)) => {
                known.extend(more.iter().cloned());
                let all = sorted(known);
                into.insert(key.clone(), all);
            }
            ("properties", Some(Value::Object(known)), Value::Object(more)) => {
                for (name, schema) in more {
                    let is_merged = match (known.get_mut(name), schema) {
                        (None, schema) => {
                            known.insert(name.clone(), schema.clone());
                            true
                        }
                        (Some(Value::Object(known)), Value::Object(schema)) => {
                            let is_merged = merge(known, schema);
                            *known = restricted(std::mem::take(known));
                            is_merged
                        }
                        _ => false,
                    };
                    if !is_merged {
                        return false;
                    }
                }
            }
            _ => return false,
        }
    }
    true
}

fn sorted(values: &[Value]) -> Value {
    let mut values: Vec<Value> = values.iter().map(number).collect();
    values.sort_by_cached_key(canonical);
    values.dedup();
    Value::Array(values)
}

/// Whole numbers without a fraction of zero.
fn number(value: &Value) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Number(written) if written.is_f64() => match written.as_f64() {
            Some(float) if float.fract() == 0.0 && float.abs() < EXACT => {
                Value::Number(Number::from(float as i64))
            }
            _ => value.clone(),
        },
        _ => value.clone(),
    }
}

/// The text of a value with sorted keys.
pub(super) fn canonical(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(key, _)| key.as_str());
            let members: Vec<_> = members
                .into_iter()
                .map(|(key, value)| format!("{}:{}", Value::from(key.as_str()), canonical(value)))
                .collect();
            format!("{{{}}}", members.join(","))
        }
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(canonical).collect();
            format!("[{}]", items.join(","))
        }
        other => other.to_string(),
    }
}
