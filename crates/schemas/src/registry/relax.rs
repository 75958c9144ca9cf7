//! Leaves out keywords that cannot be checked, so that the rest refuses nothing that the whole
//! schema would accept.
//!
//! A pattern that is not checked makes its subschema laxer. Under `not`, `oneOf`, `if` or
//! `contains` that could make the schema stricter, so the keyword is left out there, too. A
//! subschema with omissions no longer shows which members it has evaluated, so
//! `unevaluatedProperties` and `unevaluatedItems` are then left out as well.

use std::collections::BTreeSet;

use serde_json::Value;

use super::graph::{Graph, escape};

/// The omissions: pointers of subschemas, and the keyword or, of `patternProperties`, the key.
#[derive(Default)]
pub(super) struct Omissions {
    places: BTreeSet<(String, &'static str, Option<String>)>,
}

impl Omissions {
    /// The omissions that follow from leaving out these patterns.
    pub(super) fn plan(graph: &Graph<'_>, patterns: &[(usize, Option<String>)]) -> Self {
        let mut plan = Plan {
            graph,
            lax: vec![false; graph.nodes.len()],
            omitted: BTreeSet::new(),
            unevaluated: false,
        };
        for (index, key) in patterns {
            match key {
                None => plan.omit(*index, "pattern", None),
                Some(key) => {
                    plan.omit(*index, "patternProperties", Some(key.clone()));
                    // It would count these members as its own.
                    plan.omit(*index, "additionalProperties", None);
                    plan.omit_unevaluated();
                }
            }
        }
        while plan.spread() {}
        let mut places = BTreeSet::new();
        for (index, keyword, key) in plan.omitted {
            places.insert((graph.pointer(index), keyword, key));
        }
        Self { places }
    }

    /// The pointers of the omissions.
    pub(super) fn pointers(&self) -> Vec<String> {
        let places = self.places.iter();
        let pointers = places.map(|(pointer, keyword, key)| match key {
            Some(key) => format!("{pointer}/{keyword}/{}", escape(key)),
            None => format!("{pointer}/{keyword}"),
        });
        let mut pointers: Vec<_> = pointers.collect();
        pointers.sort_unstable();
        pointers
    }

    /// Applies the omissions.
    pub(super) fn apply(&self, schema: &mut Value) {
        for (pointer, keyword, key) in &self.places {
            let Some(Value::Object(members)) = schema.pointer_mut(pointer) else {
                continue;
            };
            match key {
                None => drop(members.remove(*keyword)),
                Some(key) => {
                    if let Some(Value::Object(keys)) = members.get_mut(*keyword) {
                        keys.remove(key);
                    }
                }
            }
        }
    }
}

struct Plan<'g, 'v> {
    graph: &'g Graph<'v>,
    /// Subschemas that accept more than they should.
    lax: Vec<bool>,
    omitted: BTreeSet<(usize, &'static str, Option<String>)>,
    /// Whether the keywords on unevaluated members and items are omitted.
    unevaluated: bool,
}

impl Plan<'_, '_> {
    fn omit(&mut self, index: usize, keyword: &'static str, key: Option<String>) {
        if self.graph.nodes[index].value.get(keyword).is_some() {
            self.omitted.insert((index, keyword, key));
            self.lax[index] = true;
        }
    }

    fn omit_unevaluated(&mut self) {
        if core::mem::replace(&mut self.unevaluated, true) {
            return;
        }
        for index in 0..self.lax.len() {
            self.omit(index, "unevaluatedProperties", None);
            self.omit(index, "unevaluatedItems", None);
        }
    }

    /// Takes one step outwards; returns whether there was one.
    fn spread(&mut self) -> bool {
        let (lax, omitted) = (self.lax.clone(), self.omitted.len());
        // Inner subschemas mostly come after outer ones.
        for index in (0..self.lax.len()).rev() {
            for edge in &self.graph.nodes[index].edges {
                if !self.lax[edge.to] {
                    continue;
                }
                if edge.monotone {
                    self.lax[index] = true;
                    continue;
                }
                let together: &[&'static str] = match edge.keyword {
                    "if" => &["if", "then", "else"],
                    "contains" => &["contains", "minContains", "maxContains"],
                    keyword => &[keyword],
                };
                for keyword in together {
                    self.omit(index, keyword, None);
                }
                self.omit_unevaluated();
            }
        }
        lax != self.lax || omitted != self.omitted.len()
    }
}
