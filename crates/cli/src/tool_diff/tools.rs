//! The tools of a server, as they are compared.

use std::collections::BTreeMap;

use mcp_assay::Limits;
use mcp_assay::registry::Fingerprint;
use mcp_assay::syntax::{Tape, scan};
use serde_json::Value;

/// The parts of a tool that are compared, in the order of reports.
pub(super) const PARTS: [&str; 5] = [
    "inputSchema",
    "outputSchema",
    "title",
    "description",
    "annotations",
];

/// The tools of a server by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tools {
    pub(super) by_name: BTreeMap<String, Tool>,
    /// Whether there was a complete list, so that a tool that is not in it does not exist.
    pub(crate) is_complete: bool,
}

/// A tool.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Tool {
    /// The fingerprint of each part that it has.
    pub(super) fingerprints: BTreeMap<String, String>,
    pub(super) input: Option<Value>,
    pub(super) output: Option<Value>,
}

impl Tools {
    /// No tools yet, of a list that is complete or not.
    pub(crate) fn of_list(is_complete: bool) -> Self {
        Self {
            is_complete,
            ..Self::default()
        }
    }

    /// The number of tools.
    pub(crate) fn len(&self) -> usize {
        self.by_name.len()
    }

    /// Adds a later list. A complete list replaces all before it; a part of one adds tools only if
    /// there is no complete list.
    pub(crate) fn merge(&mut self, later: Self) {
        if later.is_complete {
            *self = later;
        } else if !self.is_complete {
            self.by_name.extend(later.by_name);
        }
    }

    /// Adds a tool as it was published. A tool without a name cannot be compared; rules report it.
    pub(crate) fn add(&mut self, published: &Value) {
        let Some(name) = published.get("name").and_then(Value::as_str) else {
            return;
        };
        let mut tool = Tool::default();
        for part in PARTS {
            // Some servers write `null` for a missing value.
            let Some(value) = published.get(part).filter(|value| !value.is_null()) else {
                continue;
            };
            if let Some(print) = fingerprint(value) {
                tool.fingerprints.insert(part.to_owned(), print);
            }
        }
        let schema = |part: &str| published.get(part).filter(|it| !it.is_null()).cloned();
        tool.input = schema("inputSchema");
        tool.output = schema("outputSchema");
        self.by_name.insert(name.to_owned(), tool);
    }
}

/// The fingerprint of a value, as the registry of schemas has it.
pub(super) fn fingerprint(value: &Value) -> Option<String> {
    let text = value.to_string();
    let mut tape = Tape::new();
    // It was read from a text within limits of its own, so it cannot fail again here.
    let mut limits = Limits::DEFAULT;
    limits.bytes = i32::MAX as usize;
    limits.tokens = i32::MAX as usize;
    scan(text.as_bytes(), &limits.for_scan(), &mut tape).ok()?;
    let root = tape.root(text.as_bytes())?;
    Some(Fingerprint::of(root).to_string())
}
