//! Bounds the work on one value: composition and references multiply, and a check cannot know
//! before it is done.
//!
//! Counts the paths from a subschema to others that concern the same value. Steps into the value
//! are not counted: a check pays for those one by one.

use serde_json::Value;

use super::fault::{SchemaFault, SchemaFaultKind};
use super::graph::Graph;
use super::keywords::{Reach, applicator};
use super::limits::SchemaLimits;

/// The work of a schema on one value, at most.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Work {
    /// Subschemas that do not read the value, so that no step pays for them.
    pub(super) unpaid: u64,
    /// Subschemas that check the name of a member.
    pub(super) name: u64,
}

/// Measures a schema, unless it goes beyond the limits.
pub(super) fn measure(graph: &Graph<'_>, limits: &SchemaLimits) -> Result<Work, SchemaFault> {
    let same: Vec<Vec<usize>> = graph
        .nodes
        .iter()
        .map(|node| {
            let edges = node.edges.iter();
            let here = edges.filter(|edge| edge.reach == Reach::Same);
            here.map(|edge| edge.to).collect()
        })
        .collect();
    let mut judges_names = vec![false; graph.nodes.len()];
    for edge in graph.nodes.iter().flat_map(|node| &node.edges) {
        judges_names[edge.to] |= edge.keyword == "propertyNames";
    }
    let mut measured = Measured {
        graph,
        limits,
        parents: turn(&same),
        same,
        costs: vec![None; graph.nodes.len()],
        judges_names,
        paths: 0,
    };
    measured.settle((0..graph.nodes.len()).collect());
    measured.settle_cycles()?;
    measured.judge()
}

/// The cost of a subschema.
#[derive(Clone, Copy)]
struct Cost {
    /// The subschemas it leads to, itself included.
    branches: u64,
    /// Those of them that do not read the value.
    unpaid: u64,
    /// The longest path.
    chain: u32,
}

struct Measured<'g, 'v> {
    graph: &'g Graph<'v>,
    limits: &'g SchemaLimits,
    /// The subschemas that concern the same value, and the reverse.
    same: Vec<Vec<usize>>,
    parents: Vec<Vec<usize>>,
    costs: Vec<Option<Cost>>,
    /// Those that `propertyNames` holds.
    judges_names: Vec<bool>,
    /// Paths around cycles that were walked.
    paths: u64,
}

impl Measured<'_, '_> {
    /// Settles the subschemas that depend on settled ones only, starting with these.
    fn settle(&mut self, mut ready: Vec<usize>) {
        while let Some(index) = ready.pop() {
            if self.costs[index].is_some() {
                continue;
            }
            let Some(cost) = self.sum(index) else {
                continue;
            };
            self.costs[index] = Some(cost);
            ready.extend_from_slice(&self.parents[index]);
        }
    }

    fn sum(&self, index: usize) -> Option<Cost> {
        let mut total = self.own(index);
        for &to in &self.same[index] {
            self.add(index, &mut total, self.costs[to]?);
        }
        Some(total)
    }

    /// The cost of a subschema without those it leads to.
    fn own(&self, index: usize) -> Cost {
        let looks = |index: usize| looks_at_value(self.graph.nodes[index].value);
        // Subschemas that lead to several others are paid for by them, and a step to one that reads
        // the value is small.
        let is_unpaid = !looks(index)
            && match self.same[index].as_slice() {
                [] => true,
                [only] => !looks(*only),
                _ => false,
            };
        Cost {
            branches: 1,
            unpaid: u64::from(is_unpaid),
            chain: 1,
        }
    }

    fn add(&self, index: usize, total: &mut Cost, cost: Cost) {
        let factor = self.factor(index);
        let add = |sum: u64, more: u64| sum.saturating_add(more.saturating_mul(factor));
        total.branches = add(total.branches, cost.branches);
        total.unpaid = add(total.unpaid, cost.unpaid);
        total.chain = total.chain.max(cost.chain.saturating_add(1));
    }

    /// To compute the rest, the others are visited again.
    fn factor(&self, index: usize) -> u64 {
        let value = self.graph.nodes[index].value;
        let asks = ["unevaluatedProperties", "unevaluatedItems"];
        if asks.iter().any(|keyword| value.get(keyword).is_some()) {
            2
        } else {
            1
        }
    }

    /// Counts the subschemas on a cycle, which come back to themselves about the same value. A
    /// check goes around once, on every path.
    fn settle_cycles(&mut self) -> Result<(), SchemaFault> {
        let mut on_cycle: Vec<bool> = self.costs.iter().map(Option::is_none).collect();
        // Subschemas that only lead to cycles are not on one.
        let mut entered: Vec<usize> = self
            .parents
            .iter()
            .map(|parents| parents.iter().filter(|&&parent| on_cycle[parent]).count())
            .collect();
        let nodes = 0..on_cycle.len();
        let mut outside: Vec<usize> = nodes
            .clone()
            .filter(|&index| on_cycle[index] && entered[index] == 0)
            .collect();
        while let Some(index) = outside.pop() {
            on_cycle[index] = false;
            for &to in &self.same[index] {
                entered[to] -= 1;
                if on_cycle[to] && entered[to] == 0 {
                    outside.push(to);
                }
            }
        }
        let left: Vec<usize> = nodes.filter(|&index| on_cycle[index]).collect();
        let mut found = Vec::new();
        for &index in &left {
            let budget = self.paths.saturating_add(self.limits.branches);
            found.push((index, self.walk(index, budget, &mut Vec::new())?));
        }
        for (index, cost) in found {
            self.costs[index] = Some(cost);
        }
        let above = left.iter().flat_map(|&index| self.parents[index].clone());
        let above: Vec<_> = above.collect();
        self.settle(above);
        Ok(())
    }

    /// Every path from a subschema that does not visit a place twice.
    fn walk(
        &mut self,
        index: usize,
        budget: u64,
        path: &mut Vec<usize>,
    ) -> Result<Cost, SchemaFault> {
        self.paths += 1;
        if self.paths > budget.min(self.most_in_all()) {
            return Err(self.fault(SchemaFaultKind::TooComplex, index));
        }
        if path.len() >= self.limits.chain as usize {
            return Err(self.fault(SchemaFaultKind::TooDeep, index));
        }
        path.push(index);
        let mut total = self.own(index);
        for position in 0..self.same[index].len() {
            let to = self.same[index][position];
            let cost = match self.costs[to] {
                Some(cost) => cost,
                None if path.contains(&to) => self.own(to),
                None => self.walk(to, budget, path)?,
            };
            self.add(index, &mut total, cost);
        }
        path.pop();
        Ok(total)
    }

    fn judge(&self) -> Result<Work, SchemaFault> {
        let mut most = Work::default();
        let mut all: u64 = 0;
        for (index, cost) in self.costs.iter().enumerate() {
            // All are settled by now: the rest follows from the cycles.
            let Some(cost) = cost else { continue };
            most.unpaid = most.unpaid.max(cost.unpaid);
            if self.judges_names[index] {
                most.name = most.name.max(cost.branches);
            }
            all = all.saturating_add(cost.branches);
            if cost.branches > self.limits.branches {
                return Err(self.fault(SchemaFaultKind::TooComplex, index));
            }
            if cost.chain > self.limits.chain {
                return Err(self.fault(SchemaFaultKind::TooDeep, index));
            }
        }
        // Compiling takes the same paths from every subschema.
        if all > self.most_in_all() {
            return Err(self.fault(SchemaFaultKind::TooComplex, 0));
        }
        Ok(most)
    }

    /// The limit for all subschemas together.
    fn most_in_all(&self) -> u64 {
        self.limits.branches.saturating_mul(100)
    }

    fn fault(&self, kind: SchemaFaultKind, index: usize) -> SchemaFault {
        SchemaFault::new(kind, self.graph.pointer(index))
    }
}

/// Whether a subschema has a keyword that reads the value.
fn looks_at_value(schema: &Value) -> bool {
    schema.as_object().is_some_and(|members| {
        members.keys().any(|name| match applicator(name) {
            Some(keyword) => keyword.reach == Reach::Below,
            None => ASSERTIONS.contains(&name.as_str()),
        })
    })
}

/// The keywords that hold no schemas and read the value.
const ASSERTIONS: [&str; 16] = [
    "const",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
    "required",
    "type",
];

/// The edges the other way round.
fn turn(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut turned = vec![Vec::new(); edges.len()];
    for (from, targets) in edges.iter().enumerate() {
        for &to in targets {
            turned[to].push(from);
        }
    }
    turned
}
