//! The schemas of both documents that concern one place of a value.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::side::{Side, keywords, step};

/// Schemas of one place.
const MAX_PARTS: usize = 96;

/// The document that a schema belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Owner {
    /// The value must fit it.
    Narrow,
    /// The value must not fit it.
    Wide,
}

/// Whether a value at a place must fit a schema, or the schema is part of a condition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Force {
    Binding,
    Hint,
}

/// A schema by its place in its document.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Part {
    pub(super) owner: Owner,
    pub(super) force: Force,
    pub(super) pointer: String,
}

/// The schemas of one place of a value.
#[derive(Clone, Default, Debug)]
pub(super) struct Place {
    /// The schemas as their parents name them.
    pub(super) own: Vec<Part>,
    /// The same, and all schemas that they apply to the same value.
    pub(super) all: Vec<Part>,
}

/// Both documents.
pub(super) struct Sides<'v> {
    pub(super) narrow: Side<'v>,
    pub(super) wide: Side<'v>,
}

impl<'v> Sides<'v> {
    pub(super) fn of(&self, owner: Owner) -> &Side<'v> {
        match owner {
            Owner::Narrow => &self.narrow,
            Owner::Wide => &self.wide,
        }
    }

    /// The keywords of a part; `None` for `true` and `false`.
    pub(super) fn keywords(&self, part: &Part) -> Option<&'v Map<String, Value>> {
        keywords(self.of(part.owner).root, &part.pointer)
    }

    /// The keywords of all parts of a place.
    pub(super) fn all_keywords(&self, place: &Place) -> Vec<&'v Map<String, Value>> {
        let parts = place.all.iter();
        parts.filter_map(|part| self.keywords(part)).collect()
    }

    /// The place of the whole value.
    pub(super) fn root(&self) -> Place {
        let part = |owner| Part {
            owner,
            force: Force::Binding,
            pointer: String::new(),
        };
        self.place(vec![part(Owner::Narrow), part(Owner::Wide)])
    }

    /// The place of a member.
    pub(super) fn member(&self, place: &Place, name: &str) -> Place {
        let mut own = Vec::new();
        for (part, schema) in self.objects(place) {
            let mut is_described = false;
            if by_name(schema, "properties").is_some_and(|it| it.contains_key(name)) {
                is_described = true;
                own.push(part.below(&["properties", name]));
            }
            for pattern in by_name(schema, "patternProperties")
                .into_iter()
                .flat_map(Map::keys)
            {
                if self.of(part.owner).matches(pattern, name) {
                    is_described = true;
                    own.push(part.below(&["patternProperties", pattern]));
                }
            }
            if !is_described && schema.contains_key("additionalProperties") {
                own.push(part.below(&["additionalProperties"]));
            }
            if schema.contains_key("unevaluatedProperties") {
                own.push(part.below(&["unevaluatedProperties"]).hint());
            }
        }
        self.place(own)
    }

    /// The place of the names of members.
    pub(super) fn names(&self, place: &Place) -> Place {
        self.below(place, "propertyNames")
    }

    /// The place of the item at a position.
    pub(super) fn item(&self, place: &Place, index: usize) -> Place {
        let mut own = Vec::new();
        let position = index.to_string();
        for (part, schema) in self.objects(place) {
            let listed = ["prefixItems", "items"]
                .into_iter()
                .find(|key| schema.get(*key).is_some_and(Value::is_array));
            let count = listed
                .and_then(|key| schema[key].as_array())
                .map_or(0, Vec::len);
            match listed {
                Some(key) if index < count => own.push(part.below(&[key, &position])),
                Some("items") if schema.contains_key("additionalItems") => {
                    own.push(part.below(&["additionalItems"]));
                }
                Some("items") => {}
                _ if schema.contains_key("items") => own.push(part.below(&["items"])),
                _ => {}
            }
            for key in ["contains", "unevaluatedItems"] {
                if schema.contains_key(key) {
                    own.push(part.below(&[key]).hint());
                }
            }
        }
        self.place(own)
    }

    /// The place that `contains` describes, for itself.
    pub(super) fn contained(&self, place: &Place) -> Place {
        self.below(place, "contains")
    }

    fn below(&self, place: &Place, key: &str) -> Place {
        let objects = self.objects(place).filter(|(_, it)| it.contains_key(key));
        self.place(objects.map(|(part, _)| part.below(&[key])).collect())
    }

    fn objects<'p>(
        &'p self,
        place: &'p Place,
    ) -> impl Iterator<Item = (&'p Part, &'v Map<String, Value>)> {
        let parts = place.all.iter();
        parts.filter_map(|part| Some((part, self.keywords(part)?)))
    }

    /// Follows references and applicators from schemas to others of the same place.
    fn place(&self, own: Vec<Part>) -> Place {
        let mut all = Vec::new();
        let mut known = BTreeSet::new();
        let mut open: Vec<Part> = own.iter().rev().cloned().collect();
        while let Some(part) = open.pop() {
            if all.len() >= MAX_PARTS || !known.insert((part.owner, part.pointer.clone())) {
                continue;
            }
            if let Some(schema) = self.keywords(&part) {
                let mut applied = self.applied(&part, schema);
                applied.reverse();
                open.extend(applied);
            }
            all.push(part);
        }
        Place { own, all }
    }

    fn applied(&self, part: &Part, schema: &Map<String, Value>) -> Vec<Part> {
        let mut applied = Vec::new();
        for key in ["$ref", "$dynamicRef", "$recursiveRef"] {
            let reference = schema.get(key).and_then(Value::as_str);
            let target = reference.and_then(|it| self.of(part.owner).target(it));
            applied.extend(target.map(|pointer| Part {
                pointer,
                ..part.clone()
            }));
        }
        for (key, value) in schema {
            match (key.as_str(), value) {
                ("allOf" | "anyOf" | "oneOf", Value::Array(branches)) => {
                    for index in 0..branches.len() {
                        let branch = part.below(&[key, &index.to_string()]);
                        applied.push(if key == "allOf" {
                            branch
                        } else {
                            branch.hint()
                        });
                    }
                }
                ("if" | "then" | "else" | "not", _) => applied.push(part.below(&[key]).hint()),
                ("dependentSchemas" | "dependencies", Value::Object(schemas)) => {
                    let names = schemas.iter().filter(|(_, it)| !it.is_array());
                    applied.extend(names.map(|(name, _)| part.below(&[key, name]).hint()));
                }
                _ => {}
            }
        }
        applied
    }
}

impl Part {
    fn below(&self, steps: &[&str]) -> Self {
        let pointer = steps
            .iter()
            .fold(self.pointer.clone(), |at, it| step(&at, it));
        Self {
            pointer,
            ..self.clone()
        }
    }

    fn hint(self) -> Self {
        Self {
            force: Force::Hint,
            ..self
        }
    }
}

/// A keyword that holds schemas or lists by name.
pub(super) fn by_name<'v>(
    schema: &'v Map<String, Value>,
    key: &str,
) -> Option<&'v Map<String, Value>> {
    schema.get(key)?.as_object()
}
