//! The schema that is to be contained, as a list of conditions that all hold.

use serde_json::{Map, Value};

use super::document::{Document, OPAQUE, asserts};
use super::types::Types;

type Object = Map<String, Value>;

/// Conditions that all hold for a value.
#[derive(Clone, Debug)]
pub(super) struct Narrow<'v> {
    /// Objects of keywords, without references and `allOf`, which are resolved.
    pub(super) all: Vec<&'v Object>,
    /// Lists of schemas of which one holds, or exactly one.
    pub(super) choices: Vec<Choice<'v>>,
    /// The types that are left.
    pub(super) types: Types,
    /// Nothing is accepted.
    pub(super) is_never: bool,
    /// Whether the conditions say all that there is.
    pub(super) is_exact: bool,
}

/// Schemas of which one holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice<'v> {
    pub(super) branches: &'v [Value],
    /// Whether no other may hold.
    pub(super) is_exclusive: bool,
}

impl<'v> Narrow<'v> {
    /// No condition.
    pub(super) const ANY: Self = Self {
        all: Vec::new(),
        choices: Vec::new(),
        types: Types::ALL,
        is_never: false,
        is_exact: true,
    };

    /// The conditions of a schema; `None` if a reference leads nowhere.
    pub(super) fn of(schema: &'v Value, document: &Document<'v>) -> Option<Self> {
        let mut narrow = Self::ANY;
        narrow.add(schema, document)?;
        Some(narrow)
    }

    /// Adds the conditions of a schema.
    pub(super) fn add(&mut self, schema: &'v Value, document: &Document<'v>) -> Option<()> {
        let mut met = Vec::new();
        let mut waiting = vec![schema];
        while let Some(schema) = waiting.pop() {
            let object = match schema {
                Value::Bool(true) => continue,
                Value::Bool(false) => {
                    self.is_never = true;
                    continue;
                }
                Value::Object(object) => object,
                _ => {
                    self.is_exact = false;
                    continue;
                }
            };
            // References may lead in circles.
            if met.iter().any(|&other| std::ptr::eq(other, object)) {
                continue;
            }
            met.push(object);
            if let Some(reference) = object.get("$ref") {
                waiting.push(document.resolve(reference.as_str()?)?);
                // Before 2019-09 nothing beside a reference counts.
                if document.is_old {
                    continue;
                }
            }
            self.add_object(object, &mut waiting);
        }
        Some(())
    }

    fn add_object(&mut self, object: &'v Object, waiting: &mut Vec<&'v Value>) {
        if !asserts(object) {
            return;
        }
        if let Some(Value::Array(parts)) = object.get("allOf") {
            waiting.extend(parts);
        }
        for (name, is_exclusive) in [("anyOf", false), ("oneOf", true)] {
            match object.get(name) {
                Some(Value::Array(branches)) => self.choices.push(Choice {
                    branches,
                    is_exclusive,
                }),
                Some(_) => self.is_exact = false,
                None => {}
            }
        }
        if OPAQUE.iter().any(|&keyword| object.contains_key(keyword)) {
            self.is_exact = false;
        }
        match Types::of_schema(object) {
            Some(types) => self.types = self.types.and(types),
            None => self.is_exact = false,
        }
        self.all.push(object);
    }

    /// The values of one keyword, wherever it is said.
    pub(super) fn keyword(&self, name: &str) -> impl Iterator<Item = &'v Value> {
        self.all.iter().filter_map(move |object| object.get(name))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.keyword(name).next().is_some()
    }

    /// The largest number of a keyword.
    pub(super) fn largest(&self, name: &str) -> Option<f64> {
        self.keyword(name)
            .filter_map(Value::as_f64)
            .reduce(f64::max)
    }

    /// The smallest number of a keyword.
    pub(super) fn smallest(&self, name: &str) -> Option<f64> {
        self.keyword(name)
            .filter_map(Value::as_f64)
            .reduce(f64::min)
    }

    /// Whether a member must be there.
    pub(super) fn requires(&self, name: &str) -> bool {
        self.keyword("required")
            .filter_map(Value::as_array)
            .flatten()
            .any(|required| required.as_str() == Some(name))
    }

    /// The values, if they are listed.
    pub(super) fn values(&self) -> Option<Vec<&'v Value>> {
        for object in &self.all {
            if let Some(value) = object.get("const") {
                return Some(vec![value]);
            }
            if let Some(Value::Array(values)) = object.get("enum") {
                return Some(values.iter().collect());
            }
        }
        None
    }
}
