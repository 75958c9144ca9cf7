//! Schemas within a schema that have names of their own (`$id`). The target of a dynamic reference
//! depends on which of them were visited, so each is compiled anew for every path that leads to it;
//! the paths are counted in advance.

use super::fault::{SchemaFault, SchemaFaultKind};
use super::graph::Graph;
use super::keywords::Reach;
use super::limits::SchemaLimits;

/// Refuses a schema whose resources would be compiled too often.
pub(super) fn measure(
    graph: &Graph<'_>,
    resources: &[usize],
    limits: &SchemaLimits,
) -> Result<(), SchemaFault> {
    let count = resources.iter().max().map_or(0, |last| last + 1);
    if count < 2 {
        return Ok(());
    }
    let mut ways = Ways {
        sizes: vec![0; count],
        next: vec![Vec::new(); count],
        left: limits.subschemas,
    };
    for (index, node) in graph.nodes.iter().enumerate() {
        let here = resources[index];
        ways.sizes[here] += 1;
        for edge in &node.edges {
            let there = resources[edge.to];
            if edge.reach != Reach::Nothing && there != here && !ways.next[here].contains(&there) {
                ways.next[here].push(there);
            }
        }
    }
    let mut path = Vec::new();
    if ways.walk(resources[0], &mut path, limits.chain as usize) {
        Ok(())
    } else {
        Err(SchemaFault::new(SchemaFaultKind::TooComplex, ""))
    }
}

struct Ways {
    /// Subschemas of each resource.
    sizes: Vec<usize>,
    /// The resources that each leads to.
    next: Vec<Vec<usize>>,
    /// Subschemas that may still be compiled.
    left: usize,
}

impl Ways {
    /// Takes every path that visits no place twice; returns whether that was possible.
    fn walk(&mut self, resource: usize, path: &mut Vec<usize>, deepest: usize) -> bool {
        let Some(left) = self.left.checked_sub(self.sizes[resource]) else {
            return false;
        };
        if path.len() >= deepest {
            return false;
        }
        self.left = left;
        path.push(resource);
        for position in 0..self.next[resource].len() {
            let next = self.next[resource][position];
            if !path.contains(&next) && !self.walk(next, path, deepest) {
                return false;
            }
        }
        path.pop();
        true
    }
}
