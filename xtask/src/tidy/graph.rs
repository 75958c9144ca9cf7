//! The graph of the modules of a crate.

use std::collections::BTreeSet;

/// A module that imports another.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Edge {
    pub(super) from: String,
    pub(super) to: String,
    /// A file that has the import.
    pub(super) file: String,
}

/// The edges of one cycle, in order, if there is any.
pub(super) fn cycle(edges: &[Edge]) -> Option<Vec<&Edge>> {
    let starts: BTreeSet<&str> = edges.iter().map(|edge| edge.from.as_str()).collect();
    starts.into_iter().find_map(|start| path(edges, start))
}

/// The edges of a path from a module back to itself.
fn path<'e>(edges: &'e [Edge], start: &str) -> Option<Vec<&'e Edge>> {
    let mut seen = BTreeSet::new();
    let mut ways: Vec<Vec<&Edge>> = vec![vec![]];
    while let Some(way) = ways.pop() {
        let at = way.last().map_or(start, |edge| edge.to.as_str());
        if at == start && !way.is_empty() {
            return Some(way);
        }
        if !seen.insert(at) {
            continue;
        }
        for edge in edges.iter().filter(|edge| edge.from == at).rev() {
            let mut longer = way.clone();
            longer.push(edge);
            ways.push(longer);
        }
    }
    None
}
