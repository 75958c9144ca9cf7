//! A schema as a document: where references lead, and which keywords mean something.

use serde_json::{Map, Value};

/// A schema as a document.
#[derive(Debug)]
pub(super) struct Document<'v> {
    root: &'v Value,
    is_plain: bool,
    pub(super) is_old: bool,
}

/// Keywords that assert something and are not modelled: alike on both sides, or nothing is known.
pub(super) const OPAQUE: [&str; 18] = [
    "not",
    "if",
    "then",
    "else",
    "patternProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "unevaluatedProperties",
    "contains",
    "minContains",
    "maxContains",
    "prefixItems",
    "additionalItems",
    "unevaluatedItems",
    "$dynamicRef",
    "$recursiveRef",
];

/// The others that assert something.
const MODELLED: [&str; 25] = [
    "$ref",
    "allOf",
    "anyOf",
    "oneOf",
    "type",
    "enum",
    "const",
    "properties",
    "required",
    "additionalProperties",
    "minProperties",
    "maxProperties",
    "items",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "format",
];

impl<'v> Document<'v> {
    pub(super) fn new(root: &'v Value) -> Self {
        let dialect = root.get("$schema").and_then(Value::as_str);
        Self {
            root,
            is_plain: is_plain(root, root),
            is_old: dialect.is_some_and(|dialect| dialect.contains("/draft-0")),
        }
    }

    /// Whether every reference begins at the root of the document.
    pub(super) fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// What a reference leads to.
    pub(super) fn resolve(&self, reference: &str) -> Option<&'v Value> {
        let pointer = reference.strip_prefix('#')?;
        // Percent signs are for URIs; hardly a name of a definition needs them.
        if pointer.contains('%') {
            return None;
        }
        self.root.pointer(pointer)
    }
}

/// Whether a schema asserts anything.
pub(super) fn asserts(schema: &Map<String, Value>) -> bool {
    schema
        .keys()
        .any(|key| MODELLED.contains(&key.as_str()) || OPAQUE.contains(&key.as_str()))
}

/// Whether two parts of schemas are alike and mean the same wherever they stand.
pub(super) fn is_same(left: &Value, right: &Value) -> bool {
    left == right && !has_reference(left)
}

/// Depth is bounded by that of the parser.
fn has_reference(value: &Value) -> bool {
    match value {
        Value::Object(members) => members.iter().any(|(key, value)| {
            matches!(key.as_str(), "$ref" | "$dynamicRef" | "$recursiveRef") || has_reference(value)
        }),
        Value::Array(items) => items.iter().any(has_reference),
        _ => false,
    }
}

/// Depth is bounded by that of the parser.
fn is_plain(value: &Value, root: &Value) -> bool {
    match value {
        Value::Object(members) => members.iter().all(|(key, value)| match (&**key, value) {
            ("$ref", Value::String(reference)) => reference == "#" || reference.starts_with("#/"),
            // It would be a base of its own for references.
            ("$id", Value::String(_)) if !std::ptr::eq(members, root_members(root)) => false,
            (_, value) => is_plain(value, root),
        }),
        Value::Array(items) => items.iter().all(|item| is_plain(item, root)),
        _ => true,
    }
}

fn root_members(root: &Value) -> *const Map<String, Value> {
    root.as_object()
        .map_or(std::ptr::null(), std::ptr::from_ref)
}
