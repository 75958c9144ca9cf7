//! Finds a value that one schema accepts and another does not: a proof if the `jsonschema` crate
//! cannot decide.
//!
//! Values are made from the schema that should accept fewer, around the numbers that both schemas
//! name, and checked by validators of both. Finding no value proves nothing.

use std::collections::BTreeSet;

use jsonschema::Validator;
use serde_json::{Map, Value, json};

/// Bounds of the search: schemas come from strangers.
const MAX_DEPTH: usize = 5;
const MAX_VALUES: usize = 48;
const MAX_LENGTH: usize = 64;

/// A value that `narrow` accepts and `wide` does not, whether `format` is asserted or not.
pub(super) fn find(wide: &Value, narrow: &Value) -> Option<Value> {
    let validator = |schema, asserts_formats| -> Option<Validator> {
        let options = jsonschema::options().should_validate_formats(asserts_formats);
        options.build(schema).ok()
    };
    let (refuses, accepts) = (validator(wide, false)?, validator(narrow, true)?);
    let mut numbers = BTreeSet::from([0, 1]);
    gather_numbers(wide, &mut numbers);
    gather_numbers(narrow, &mut numbers);
    let search = Search {
        root: narrow,
        numbers,
    };
    let mut values = search.values(narrow, 0).into_iter();
    values.find(|value| accepts.is_valid(value) && !refuses.is_valid(value))
}

fn gather_numbers(value: &Value, numbers: &mut BTreeSet<i32>) {
    match value {
        Value::Number(number) => {
            let number = number.as_i64().and_then(|it| i32::try_from(it).ok());
            let around = |it: i32| [it.saturating_sub(1), it, it.saturating_add(1)];
            numbers.extend(number.into_iter().flat_map(around));
        }
        Value::Array(items) => items.iter().for_each(|it| gather_numbers(it, numbers)),
        Value::Object(members) => members.values().for_each(|it| gather_numbers(it, numbers)),
        _ => {}
    }
}

struct Search<'v> {
    root: &'v Value,
    numbers: BTreeSet<i32>,
}

impl Search<'_> {
    /// Values that a schema may accept.
    fn values(&self, schema: &Value, depth: usize) -> Vec<Value> {
        let mut values = Vec::new();
        if depth > MAX_DEPTH {
            return values;
        }
        let reference = schema.get("$ref").and_then(Value::as_str);
        let target = reference.and_then(|it| self.root.pointer(it.strip_prefix('#')?));
        let branches = ["allOf", "anyOf", "oneOf"].map(|key| schema.get(key));
        let branches = branches.into_iter().flatten().filter_map(Value::as_array);
        for branch in target.into_iter().chain(branches.flatten()) {
            values.extend(self.values(branch, depth + 1));
        }
        values.extend(schema.get("const").cloned());
        let listed = schema.get("enum").and_then(Value::as_array);
        values.extend(listed.into_iter().flatten().cloned());
        let is_bare = values.is_empty();
        let has = |name: &str| match schema.get("type") {
            None => is_bare || schema.get("properties").is_some(),
            Some(Value::Array(types)) => types.iter().any(|it| it == name),
            Some(only) => only == name,
        };
        if has("null") {
            values.push(Value::Null);
        }
        if has("boolean") {
            values.extend([json!(true), json!(false)]);
        }
        if has("integer") || has("number") {
            values.extend(self.numbers.iter().map(|number| json!(number)));
        }
        if has("number") {
            values.extend(
                self.numbers
                    .iter()
                    .map(|number| json!(f64::from(*number) + 0.5)),
            );
        }
        if has("string") {
            values.extend(self.lengths().map(|length| json!("a".repeat(length))));
        }
        if has("array") {
            values.extend(self.arrays(schema, depth));
        }
        if has("object") {
            values.extend(self.objects(schema, depth));
        }
        values.truncate(MAX_VALUES);
        values
    }

    fn lengths(&self) -> impl Iterator<Item = usize> {
        let lengths = self.numbers.iter().copied().map(usize::try_from);
        lengths.flatten().filter(|length| *length <= MAX_LENGTH)
    }

    fn arrays(&self, schema: &Value, depth: usize) -> Vec<Value> {
        let any = json!({});
        let items = self.values(schema.get("items").unwrap_or(&any), depth + 1);
        let mut arrays = vec![json!([])];
        for length in self.lengths() {
            arrays.extend(items.iter().take(2).map(|item| json!(vec![item; length])));
        }
        arrays.extend(items.into_iter().map(|item| json!([item])));
        arrays
    }

    /// Objects with the required members and one more, in all its variants.
    fn objects(&self, schema: &Value, depth: usize) -> Vec<Value> {
        let any = json!({});
        let by_name = |key: &str| schema.get(key).and_then(Value::as_object);
        let rest = schema.get("additionalProperties").unwrap_or(&any);
        let mut members: Vec<(String, Vec<Value>)> = Vec::new();
        for (name, schema) in by_name("properties").into_iter().flatten() {
            members.push((name.clone(), self.values(schema, depth + 1)));
        }
        for (pattern, schema) in by_name("patternProperties").into_iter().flatten() {
            let name = pattern.chars().filter(|it| it.is_alphanumeric());
            members.push((name.collect(), self.values(schema, depth + 1)));
        }
        members.push(("another member".to_owned(), self.values(rest, depth + 1)));
        let required = schema.get("required").and_then(Value::as_array);
        let mut base = Map::new();
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            let known = members.iter().find(|(other, _)| other == name);
            let value = known.and_then(|(_, values)| values.first());
            base.insert(name.to_owned(), value.cloned().unwrap_or_default());
        }
        let with = |name: &str, value: Value| {
            let mut object = base.clone();
            object.insert(name.to_owned(), value);
            Value::Object(object)
        };
        let mut objects = vec![Value::Object(base.clone())];
        // Round by round, so that many values of one member do not crowd out another.
        for round in 0..MAX_VALUES {
            let values = members
                .iter()
                .filter_map(|(name, values)| Some(with(name, values.get(round)?.clone())));
            objects.extend(values);
        }
        objects
    }
}
