//! The statements that a schema makes, each with its place in the value.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::normal::{ALTERNATIVES, RECURSION, REFERENCE, canonical};

/// A statement about the value at a place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Statement {
    /// A JSON Pointer into the value: `*` is any item, `{}` any other member.
    pub(super) place: String,
    /// A few words.
    pub(super) text: String,
}

/// The statements of a schema in its normal form.
pub(super) fn statements(schema: &Value) -> BTreeSet<Statement> {
    let mut all = BTreeSet::new();
    of_schema(schema, "", &mut all);
    all
}

impl Statement {
    fn new(place: &str, text: String) -> Self {
        Self {
            place: place.to_owned(),
            text,
        }
    }
}

fn of_schema(schema: &Value, place: &str, all: &mut BTreeSet<Statement>) {
    let Value::Object(object) = schema else {
        return;
    };
    if let Some(Value::Array(branches)) = object.get(ALTERNATIVES) {
        for branch in branches {
            let kind = kind_of(branch);
            let is_only = branches.iter().filter(|it| kind_of(it) == kind).count() == 1;
            match branch.as_object() {
                // Keywords of different types do not get in each other's way.
                Some(branch) if is_only || branch.contains_key(REFERENCE) => {
                    of_keywords(branch, place, all);
                }
                _ => {
                    let text = format!("may be {}", canonical(branch));
                    all.insert(Statement::new(place, text));
                }
            }
        }
        return;
    }
    if object.is_empty() {
        all.insert(Statement::new(place, "any value".to_owned()));
    }
    of_keywords(object, place, all);
}

/// The type that a branch describes.
fn kind_of(branch: &Value) -> String {
    let name = branch.get("type").or(branch.get(REFERENCE));
    match (name, branch.get("enum")) {
        (Some(name), _) => canonical(name),
        (None, Some(_)) => "values".to_owned(),
        (None, None) => String::new(),
    }
}

fn of_keywords(object: &Map<String, Value>, place: &str, all: &mut BTreeSet<Statement>) {
    for (key, value) in object {
        let text = match (key.as_str(), value) {
            ("type", Value::String(name)) => format!("type {name}"),
            (REFERENCE, Value::String(name)) => format!("a {name}"),
            (RECURSION, Value::String(name)) => format!("a {name} again"),
            ("required", Value::Array(names)) => {
                let names = names.iter().filter_map(Value::as_str);
                let texts = names.map(|name| format!("requires `{name}`"));
                all.extend(texts.map(|text| Statement::new(place, text)));
                continue;
            }
            ("enum", Value::Array(values)) => {
                let texts = values
                    .iter()
                    .map(|value| format!("value {}", canonical(value)));
                all.extend(texts.map(|text| Statement::new(place, text)));
                continue;
            }
            ("properties", Value::Object(members)) => {
                for (name, schema) in members {
                    all.insert(Statement::new(place, format!("describes `{name}`")));
                    let name = name.replace('~', "~0").replace('/', "~1");
                    of_schema(schema, &format!("{place}/{name}"), all);
                }
                continue;
            }
            ("items", schema) => {
                of_schema(schema, &format!("{place}/*"), all);
                continue;
            }
            ("additionalProperties", schema) => {
                of_schema(schema, &format!("{place}/{{}}"), all);
                continue;
            }
            (key, value) => format!("{key} {}", canonical(value)),
        };
        all.insert(Statement::new(place, text));
    }
}
