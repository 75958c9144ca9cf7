//! The subschemas of a schema and the edges between them.

use std::collections::HashMap;
use std::ptr;

use serde_json::Value;

use super::dialect::Dialect;
use super::fault::{SchemaFault, SchemaFaultKind};
use super::keywords::{Applicator, Holds, Reach, applicator};
use super::limits::SchemaLimits;

/// All subschemas; the first one is the schema itself.
pub(super) struct Graph<'v> {
    pub(super) nodes: Vec<Subschema<'v>>,
    /// Subschemas by their address in memory.
    known: HashMap<*const Value, usize>,
    dialect: Dialect,
    limit: usize,
}

/// A subschema.
pub(super) struct Subschema<'v> {
    pub(super) value: &'v Value,
    pub(super) origin: Origin,
    pub(super) edges: Vec<Edge>,
}

/// The origin of a subschema.
pub(super) enum Origin {
    /// It is the schema itself.
    Root,
    /// Inside another one: its index, and the rest of the pointer.
    Within(usize, String),
    /// By a reference to a place that no keyword holds.
    Referred,
}

/// An edge from a subschema to another.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub(super) to: usize,
    pub(super) keyword: &'static str,
    pub(super) reach: Reach,
    pub(super) monotone: bool,
}

impl Edge {
    /// A reference: the target checks the same value.
    pub(super) fn reference(to: usize, keyword: &'static str) -> Self {
        Self {
            to,
            keyword,
            reach: Reach::Same,
            monotone: true,
        }
    }
}

impl<'v> Graph<'v> {
    /// Reads the schema; references are not followed yet.
    pub(super) fn read(
        root: &'v Value,
        dialect: Dialect,
        limits: &SchemaLimits,
    ) -> Result<Self, SchemaFault> {
        let mut graph = Self {
            nodes: Vec::new(),
            known: HashMap::new(),
            dialect,
            limit: limits.subschemas,
        };
        graph.add(root, Origin::Root)?;
        Ok(graph)
    }

    /// The subschema that a value is, if it is one.
    pub(super) fn find(&self, value: &Value) -> Option<usize> {
        self.known.get(&ptr::from_ref(value)).copied()
    }

    /// Adds a subschema and everything in it.
    pub(super) fn add(&mut self, value: &'v Value, origin: Origin) -> Result<usize, SchemaFault> {
        let first = self.push(value, origin)?;
        let mut next = first;
        while next < self.nodes.len() {
            self.read_members(next)?;
            next += 1;
        }
        Ok(first)
    }

    /// The place of a subschema in the schema.
    pub(super) fn pointer(&self, index: usize) -> String {
        let mut parts = Vec::new();
        let mut here = index;
        loop {
            match &self.nodes[here].origin {
                Origin::Root => break,
                Origin::Within(parent, rest) => {
                    parts.push(rest.as_str());
                    here = *parent;
                }
                Origin::Referred => {
                    let found = search(self.nodes[0].value, self.nodes[here].value);
                    let mut pointer = found.unwrap_or_default();
                    parts.iter().rev().for_each(|part| pointer.push_str(part));
                    return pointer;
                }
            }
        }
        parts.into_iter().rev().collect()
    }

    /// The string that a subschema has for a keyword.
    pub(super) fn text(&self, index: usize, keyword: &str) -> Option<&'v str> {
        self.nodes[index].value.get(keyword)?.as_str()
    }

    fn push(&mut self, value: &'v Value, origin: Origin) -> Result<usize, SchemaFault> {
        let index = self.nodes.len();
        self.nodes.push(Subschema {
            value,
            origin,
            edges: Vec::new(),
        });
        self.known.insert(ptr::from_ref(value), index);
        if index >= self.limit {
            let kind = SchemaFaultKind::TooManySubschemas;
            return Err(SchemaFault::new(kind, self.pointer(index)));
        }
        Ok(index)
    }

    fn read_members(&mut self, index: usize) -> Result<(), SchemaFault> {
        let Value::Object(members) = self.nodes[index].value else {
            return Ok(());
        };
        let alone = self.dialect.reference_is_alone() && members.contains_key("$ref");
        for (name, held) in members {
            let Some(keyword) = applicator(name) else {
                continue;
            };
            match (keyword.holds, held) {
                (Holds::Named, Value::Object(named)) => {
                    for (name, schema) in named {
                        let rest = format!("/{}/{}", keyword.name, escape(name));
                        self.connect(index, keyword, alone, schema, rest)?;
                    }
                }
                (Holds::Many | Holds::OneOrMany, Value::Array(items)) => {
                    for (position, schema) in items.iter().enumerate() {
                        let rest = format!("/{}/{position}", keyword.name);
                        self.connect(index, keyword, alone, schema, rest)?;
                    }
                }
                (Holds::One | Holds::OneOrMany, schema) => {
                    let rest = format!("/{}", keyword.name);
                    self.connect(index, keyword, alone, schema, rest)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn connect(
        &mut self,
        index: usize,
        keyword: &'static Applicator,
        alone: bool,
        schema: &'v Value,
        rest: String,
    ) -> Result<(), SchemaFault> {
        if !matches!(schema, Value::Object(_) | Value::Bool(_)) {
            return Ok(());
        }
        // A reference may have added it before.
        let to = match self.find(schema) {
            Some(known) => known,
            None => self.push(schema, Origin::Within(index, rest))?,
        };
        let reach = if alone { Reach::Nothing } else { keyword.reach };
        self.nodes[index].edges.push(Edge {
            to,
            keyword: keyword.name,
            reach,
            monotone: keyword.monotone,
        });
        Ok(())
    }
}

/// A name as part of a JSON Pointer.
pub(super) fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// The pointer of a value that is somewhere in another.
fn search(root: &Value, wanted: &Value) -> Option<String> {
    let mut open = vec![(String::new(), root)];
    while let Some((pointer, value)) = open.pop() {
        if ptr::eq(value, wanted) {
            return Some(pointer);
        }
        match value {
            Value::Object(members) => open.extend(
                members
                    .iter()
                    .map(|(name, member)| (format!("{pointer}/{}", escape(name)), member)),
            ),
            Value::Array(items) => open.extend(
                items
                    .iter()
                    .enumerate()
                    .map(|(position, item)| (format!("{pointer}/{position}"), item)),
            ),
            _ => {}
        }
    }
    None
}
