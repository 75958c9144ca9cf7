//! Whether a schema accepts a single value, as far as the common keywords tell.

use serde_json::{Map, Value};

use super::document::{Document, OPAQUE};
use super::narrow::Narrow;
use super::types::Types;

/// Deeper schemas are not looked into.
const DEPTH: usize = 32;

/// Keywords that are looked at here; of the others that assert something nothing is known.
const UNSEEN: [&str; 10] = [
    "properties",
    "required",
    "additionalProperties",
    "minProperties",
    "maxProperties",
    "items",
    "minItems",
    "maxItems",
    "uniqueItems",
    "multipleOf",
];

/// Whether a value is accepted; `None` if that is not known.
pub(super) fn accepts(
    schema: &Value,
    value: &Value,
    document: &Document<'_>,
    depth: usize,
) -> Option<bool> {
    if depth > DEPTH {
        return None;
    }
    let object = match schema {
        Value::Bool(accepts) => return Some(*accepts),
        Value::Object(object) => object,
        _ => return None,
    };
    let mut verdicts = Vec::new();
    if let Some(reference) = object.get("$ref") {
        let target = reference.as_str().and_then(|it| document.resolve(it));
        let verdict = target.and_then(|target| accepts(target, value, document, depth + 1));
        if document.is_old {
            return verdict;
        }
        verdicts.push(verdict);
    }
    verdicts.push(own(object, value));
    let branches = |name| {
        object
            .get(name)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
    };
    for part in branches("allOf") {
        verdicts.push(accepts(part, value, document, depth + 1));
    }
    for (name, is_exclusive) in [("anyOf", false), ("oneOf", true)] {
        if object.contains_key(name) {
            let each: Vec<_> = branches(name)
                .map(|branch| accepts(branch, value, document, depth + 1))
                .collect();
            verdicts.push(chosen(&each, is_exclusive));
        }
    }
    all(&verdicts)
}

/// Whether conditions leave room for a value.
pub(super) fn possible(
    narrow: &Narrow<'_>,
    value: &Value,
    document: &Document<'_>,
) -> Option<bool> {
    let mut verdicts: Vec<_> = narrow.all.iter().map(|object| own(object, value)).collect();
    verdicts.push(Some(narrow.types.has_any(Types::of_value(value))));
    for choice in &narrow.choices {
        let each: Vec<_> = choice
            .branches
            .iter()
            .map(|branch| accepts(branch, value, document, 0))
            .collect();
        verdicts.push(chosen(&each, choice.is_exclusive));
    }
    all(&verdicts)
}

/// What the keywords of one object say, but for those that hold other schemas.
fn own(object: &Map<String, Value>, value: &Value) -> Option<bool> {
    let types = Types::of_schema(object)?;
    if !types.has_any(Types::of_value(value)) {
        return Some(false);
    }
    if object.get("const").is_some_and(|only| !same(only, value)) {
        return Some(false);
    }
    if let Some(Value::Array(values)) = object.get("enum")
        && !values.iter().any(|listed| same(listed, value))
    {
        return Some(false);
    }
    if let Some(number) = value.as_f64() {
        let bound = |name: &str| object.get(name).map(Value::as_f64);
        let is_out = |name: &str, out: fn(f64, f64) -> bool| match bound(name) {
            None => Some(false),
            Some(bound) => bound.map(|bound| out(number, bound)),
        };
        if is_out("minimum", |number, bound| number < bound)?
            || is_out("maximum", |number, bound| number > bound)?
            || is_out("exclusiveMinimum", |number, bound| number <= bound)?
            || is_out("exclusiveMaximum", |number, bound| number >= bound)?
        {
            return Some(false);
        }
    }
    if let Some(text) = value.as_str() {
        let length = text.chars().count() as u64;
        let bound = |name: &str| object.get(name).and_then(Value::as_u64);
        if bound("minLength").is_some_and(|least| length < least)
            || bound("maxLength").is_some_and(|most| length > most)
        {
            return Some(false);
        }
        if object.contains_key("pattern") || object.contains_key("format") {
            return None;
        }
    }
    let concerns = |keyword: &str| match keyword {
        "multipleOf" => value.is_number(),
        _ => value.is_object() || value.is_array(),
    };
    let is_unseen = UNSEEN
        .iter()
        .any(|&keyword| object.contains_key(keyword) && concerns(keyword))
        || OPAQUE.iter().any(|&keyword| object.contains_key(keyword));
    if is_unseen { None } else { Some(true) }
}

/// Equal as JSON Schema has it: numbers by value.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => {
            left == right || left.as_f64() == right.as_f64()
        }
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|(left, right)| same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .all(|(key, left)| right.get(key).is_some_and(|right| same(left, right)))
        }
        _ => left == right,
    }
}

fn all(verdicts: &[Option<bool>]) -> Option<bool> {
    if verdicts.contains(&Some(false)) {
        return Some(false);
    }
    if verdicts.contains(&None) {
        None
    } else {
        Some(true)
    }
}

fn chosen(each: &[Option<bool>], is_exclusive: bool) -> Option<bool> {
    let yes = each
        .iter()
        .filter(|verdict| **verdict == Some(true))
        .count();
    let unknown = each.iter().filter(|verdict| verdict.is_none()).count();
    match (is_exclusive, yes, unknown) {
        (false, 1.., _) | (true, 1, 0) => Some(true),
        (_, 0, 0) | (true, 2.., _) => Some(false),
        _ => None,
    }
}
