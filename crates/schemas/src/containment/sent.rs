//! The members that are sent: those that the schema of the sender names, unless it describes all
//! others.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// Keywords whose subschemas concern the same value: all of them, or one of them.
const IN_PLACE: [&str; 3] = ["allOf", "anyOf", "oneOf"];
/// Keywords whose subschemas concern another value, each its own.
const PARTS: [&str; 4] = ["items", "additionalProperties", "contains", "prefixItems"];
/// Keywords that hold subschemas by name.
const BY_NAME: [&str; 4] = ["properties", "patternProperties", "$defs", "definitions"];
/// Keywords that describe members without a name, or whole schemas by conditions.
const OPEN: [&str; 9] = [
    "additionalProperties",
    "patternProperties",
    "unevaluatedProperties",
    "dependentSchemas",
    "dependencies",
    "not",
    "if",
    "$dynamicRef",
    "$recursiveRef",
];
/// Keywords with schemas for a value that other schemas describe, too.
const CONDITIONS: [&str; 11] = [
    "anyOf",
    "oneOf",
    "$ref",
    "$dynamicRef",
    "properties",
    "patternProperties",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "dependencies",
];

/// The schema of a sender that leaves out members which only `other` names.
pub(super) fn without_unnamed(schema: &Value, other: &Value) -> Value {
    let mut names = BTreeSet::new();
    visit(other, &mut |object| names.extend(named(object)));
    let mut closed = schema.clone();
    close(&mut closed, schema, &names, Place::Value);
    closed
}

/// Whether members that a subschema does not name are named nowhere else.
pub(super) fn is_certain(schema: &Value) -> bool {
    let mut is_certain = true;
    // A part with an id of its own is a base for references, which are not followed there.
    let mut ids = 0;
    visit(schema, &mut |object| {
        ids += usize::from(object.get("$id").is_some_and(Value::is_string));
        let several = object.get("allOf").and_then(Value::as_array);
        let several = several.into_iter().flatten().filter(|it| describes(it));
        let conditions = CONDITIONS
            .iter()
            .filter(|key| match (**key, object.get(**key)) {
                (_, None) => false,
                ("properties" | "patternProperties", Some(members)) => {
                    let members = members.as_object().into_iter().flat_map(Map::values);
                    members.into_iter().any(may_be_object)
                }
                (_, Some(condition)) => describes(condition),
            });
        is_certain &= several.count() + conditions.count() < 2;
        // Items that are contained are described as items, too.
        is_certain &= !object.get("contains").is_some_and(describes);
    });
    is_certain && ids == usize::from(schema.get("$id").is_some_and(Value::is_string))
}

/// Whether a keyword describes members, or refers to schemas that may.
fn describes(value: &Value) -> bool {
    let mut describes = value.is_string();
    visit(value, &mut |object| {
        let keys = ["properties", "patternProperties", "$ref", "$dynamicRef"];
        describes |= keys.iter().any(|key| object.contains_key(*key));
    });
    describes
}

/// The place of a subschema.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// It alone describes a value.
    Value,
    /// Others may describe the same value.
    Shared,
}

fn close(schema: &mut Value, root: &Value, names: &BTreeSet<String>, place: Place) {
    let missing = match place {
        Place::Value => unnamed(schema, root, names),
        Place::Shared => Vec::new(),
    };
    let Value::Object(object) = schema else {
        return;
    };
    for (key, value) in object.iter_mut() {
        match (&**key, value) {
            (key, Value::Object(schemas)) if BY_NAME.contains(&key) => {
                let place = match key {
                    "$defs" | "definitions" => Place::Shared,
                    _ => Place::Value,
                };
                for schema in schemas.values_mut() {
                    close(schema, root, names, place);
                }
            }
            (key, Value::Array(schemas)) if IN_PLACE.contains(&key) => {
                for schema in schemas {
                    close(schema, root, names, Place::Shared);
                }
            }
            (key, Value::Array(schemas)) if PARTS.contains(&key) => {
                for schema in schemas {
                    close(schema, root, names, Place::Value);
                }
            }
            (key, value) if PARTS.contains(&key) => close(value, root, names, Place::Value),
            _ => {}
        }
    }
    if missing.is_empty() {
        return;
    }
    // Older drafts ignore the keywords beside a reference.
    if let Some(reference) = object.remove("$ref") {
        let all = object.entry("allOf").or_insert_with(|| json!([]));
        if let Value::Array(all) = all {
            all.push(json!({ "$ref": reference }));
        }
    }
    let properties = object.entry("properties").or_insert_with(|| json!({}));
    if let Value::Object(properties) = properties {
        properties.extend(missing.into_iter().map(|name| (name, Value::Bool(false))));
    }
}

/// The names that a schema does not have, or none if it describes all members.
fn unnamed(schema: &Value, root: &Value, names: &BTreeSet<String>) -> Vec<String> {
    let mut known = BTreeSet::new();
    if may_be_object(schema) && gather(schema, root, &mut known, &mut Vec::new()).is_some() {
        names.difference(&known).cloned().collect()
    } else {
        Vec::new()
    }
}

fn may_be_object(schema: &Value) -> bool {
    match schema.get("type") {
        None => schema.is_object(),
        Some(Value::Array(types)) => types.iter().any(|it| it == "object"),
        Some(name) => name == "object",
    }
}

/// Gathers the names that a schema gives to members of its value. `None` if it describes members
/// without a name.
fn gather<'v>(
    schema: &'v Value,
    root: &'v Value,
    names: &mut BTreeSet<String>,
    open: &mut Vec<&'v str>,
) -> Option<()> {
    let Value::Object(object) = schema else {
        return Some(());
    };
    if OPEN.iter().any(|key| object.contains_key(*key)) {
        return None;
    }
    names.extend(named(object));
    let required = object.get("required").and_then(Value::as_array);
    let required = required.into_iter().flatten().filter_map(Value::as_str);
    names.extend(required.map(str::to_owned));
    if let Some(reference) = object.get("$ref") {
        let reference = reference.as_str()?;
        if !open.contains(&reference) {
            open.push(reference);
            gather(
                root.pointer(reference.strip_prefix('#')?)?,
                root,
                names,
                open,
            )?;
        }
    }
    for key in IN_PLACE {
        for schema in object
            .get(key)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            gather(schema, root, names, open)?;
        }
    }
    Some(())
}

fn named(object: &Map<String, Value>) -> impl Iterator<Item = String> {
    let properties = object.get("properties").and_then(Value::as_object);
    properties.into_iter().flat_map(Map::keys).cloned()
}

/// Visits every object of a document: values that are no schemas do no harm here. Depth is bounded
/// by that of the parser.
fn visit(value: &Value, act: &mut impl FnMut(&Map<String, Value>)) {
    match value {
        Value::Object(object) => {
            act(object);
            object.values().for_each(|value| visit(value, act));
        }
        Value::Array(items) => items.iter().for_each(|value| visit(value, act)),
        _ => {}
    }
}
