//! Follows the references of a schema. They lead to places in it, or to a meta-schema; every other
//! document is foreign.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use jsonschema::{ReferencingError, Registry, Retrieve, Uri, uri};
use serde_json::Value;

use super::dialect::Dialect;
use super::fault::{SchemaFault, SchemaFaultKind};
use super::graph::{Edge, Graph, Origin};

/// The name under which a schema refers to itself.
const BASE: &str = "mcp-assay:///schema.json";

/// The documents that a schema refers to and does not have. Each is answered by `true`, so that all
/// references can be checked.
#[derive(Clone, Default)]
pub(super) struct Foreign(Arc<Mutex<BTreeSet<String>>>);

impl Foreign {
    fn contains(&self, uri: &str) -> bool {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.contains(uri)
    }
}

impl Retrieve for Foreign {
    fn retrieve(
        &self,
        uri: &Uri<String>,
    ) -> Result<Value, Box<dyn core::error::Error + Send + Sync>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(uri.as_str().to_owned());
        Ok(Value::Bool(true))
    }
}

/// Refuses names and references that are not written as URIs.
pub(super) fn check_names(graph: &Graph<'_>, dialect: Dialect) -> Result<(), SchemaFault> {
    let base = uri::from_str(BASE).map_err(|error| not_a_schema(&error, String::new()))?;
    let is_uri = |text: &str| uri::resolve_against(&base.borrow(), text);
    for index in 0..graph.nodes.len() {
        let id = dialect.draft().id_keyword();
        if let Some(Err(error)) = graph.text(index, id).map(is_uri) {
            let pointer = format!("{}/{id}", graph.pointer(index));
            return Err(not_a_schema(&error, pointer));
        }
        for keyword in references(dialect) {
            if let Some(reference) = graph.text(index, keyword)
                && is_uri(reference).is_err()
            {
                return Err(dangling(graph, index, keyword, reference));
            }
        }
    }
    Ok(())
}

/// The schema with its names and anchors.
pub(super) fn prepare<'v>(
    root: &'v Value,
    dialect: Dialect,
    foreign: &Foreign,
) -> Result<Registry<'v>, SchemaFault> {
    Registry::new()
        .draft(dialect.draft())
        .retriever(foreign.clone())
        .add(BASE, root)
        .and_then(jsonschema::RegistryBuilder::prepare)
        .map_err(|error| not_a_schema(&error, String::new()))
}

/// Adds an edge for each reference; returns the resource that each subschema is part of.
pub(super) fn follow<'v>(
    graph: &mut Graph<'v>,
    registry: &'v Registry<'v>,
    dialect: Dialect,
    foreign: &Foreign,
) -> Result<Vec<usize>, SchemaFault> {
    let base = uri::from_str(BASE).map_err(|error| not_a_schema(&error, String::new()))?;
    let draft = dialect.draft();
    // The starting points of references in subschemas that are not within others, and then in each.
    let mut starts = vec![(0, registry.resolver(base))];
    let mut resolvers = Vec::new();
    let mut known: Vec<Arc<Uri<String>>> = Vec::new();
    let mut resources = Vec::new();
    let mut index = 0;
    while index < graph.nodes.len() {
        let start = starts.iter().position(|(of, _)| *of == index);
        let around = match (start, &graph.nodes[index].origin) {
            (Some(start), _) => starts.swap_remove(start).1,
            (None, Origin::Within(parent, _)) => Clone::clone(&resolvers[*parent]),
            // A subschema that is not within another has a start.
            (None, Origin::Root | Origin::Referred) => break,
        };
        let resource = draft.create_resource_ref(graph.nodes[index].value);
        let here = around
            .in_subresource(resource)
            .map_err(|error| not_a_schema(&error, graph.pointer(index)))?;
        for keyword in references(dialect) {
            let Some(reference) = graph.text(index, keyword) else {
                continue;
            };
            let resolved = match here.lookup(reference) {
                Ok(resolved) => resolved,
                Err(error) => {
                    let document = reference.split('#').next().unwrap_or_default();
                    let missing = matches!(error, ReferencingError::Unretrievable { .. })
                        || here.lookup(document).is_ok_and(|document| {
                            foreign.contains(document.resolver().base_uri().as_str())
                        });
                    return Err(if missing {
                        external(graph, index, keyword, reference)
                    } else {
                        dangling(graph, index, keyword, reference)
                    });
                }
            };
            if foreign.contains(resolved.resolver().base_uri().as_str()) {
                return Err(external(graph, index, keyword, reference));
            }
            let (target, around, _) = resolved.into_inner();
            let to = match graph.find(target) {
                Some(known) => known,
                None if matches!(target, Value::Object(_) | Value::Bool(_)) => {
                    let added = graph.add(target, Origin::Referred)?;
                    starts.push((added, around));
                    added
                }
                None => return Err(dangling(graph, index, keyword, reference)),
            };
            graph.nodes[index].edges.push(Edge::reference(to, keyword));
        }
        let uri = here.base_uri();
        let resource = known.iter().position(|known| *known == uri);
        resources.push(resource.unwrap_or_else(|| {
            known.push(uri);
            known.len() - 1
        }));
        resolvers.push(here);
        index += 1;
    }
    Ok(resources)
}

/// The keywords that refer to a schema in this dialect.
fn references(dialect: Dialect) -> impl Iterator<Item = &'static str> {
    let dynamic = match dialect {
        Dialect::Draft202012 => Some("$dynamicRef"),
        Dialect::Draft201909 => Some("$recursiveRef"),
        _ => None,
    };
    ["$ref"].into_iter().chain(dynamic)
}

/// Adds the targets of a dynamic reference. They depend on the path there, so it is assumed to lead
/// to every place it can.
pub(super) fn add_dynamic(graph: &mut Graph<'_>) {
    let nodes = 0..graph.nodes.len();
    let anchors: Vec<_> = nodes
        .clone()
        .filter_map(|index| Some((graph.text(index, "$dynamicAnchor")?, index)))
        .collect();
    let recursive: Vec<_> = nodes
        .clone()
        .filter(|&index| {
            let anchor = graph.nodes[index].value.get("$recursiveAnchor");
            anchor.and_then(Value::as_bool) == Some(true)
        })
        .collect();
    for index in nodes {
        let mut found = Vec::new();
        if let Some((_, name)) = graph
            .text(index, "$dynamicRef")
            .and_then(|reference| reference.rsplit_once('#'))
        {
            let same = anchors.iter().filter(|(anchor, _)| *anchor == name);
            found.extend(same.map(|&(_, to)| Edge::reference(to, "$dynamicRef")));
        }
        if graph.text(index, "$recursiveRef").is_some() {
            let all = recursive.iter();
            found.extend(all.map(|&to| Edge::reference(to, "$recursiveRef")));
        }
        let edges = &mut graph.nodes[index].edges;
        for edge in found {
            if !edges
                .iter()
                .any(|known| known.to == edge.to && known.keyword == edge.keyword)
            {
                edges.push(edge);
            }
        }
    }
}

fn external(graph: &Graph<'_>, index: usize, keyword: &str, reference: &str) -> SchemaFault {
    let kind = SchemaFaultKind::ExternalReference {
        reference: reference.to_owned(),
    };
    SchemaFault::new(kind, format!("{}/{keyword}", graph.pointer(index)))
}

fn dangling(graph: &Graph<'_>, index: usize, keyword: &str, reference: &str) -> SchemaFault {
    let kind = SchemaFaultKind::DanglingReference {
        reference: reference.to_owned(),
    };
    SchemaFault::new(kind, format!("{}/{keyword}", graph.pointer(index)))
}

fn not_a_schema(error: &ReferencingError, pointer: String) -> SchemaFault {
    let reason = error.to_string();
    SchemaFault::new(SchemaFaultKind::NotASchema { reason }, pointer)
}
