//! Checks a document by the shape that all tools share, without the schemas of its tool.

use mcp_assay::registry::SchemaRegistry;
use mcp_assay::syntax::{Kind, Node, ScanLimits, Tape};

use super::io::OUTPUT_SCHEMA;
use super::{SCHEMA, ToolId};
use crate::misfit::{Misfit, read_text};
use crate::misfits::misfits;

/// All faults of a document of input or output by the shape that all tools share. A document with
/// an `output` is one of output; every other needs an `input`.
///
/// ```
/// use mcp_assay::registry::SchemaRegistry;
/// use mcp_assay_contract::tool_io::check;
///
/// let registry = SchemaRegistry::default();
/// assert!(check(br#"{"tool":"mcp.tool:search","input":{"query":"x"}}"#, &registry).is_empty());
/// assert!(check(br#"{"tool":"mcp.tool:search","output":[]}"#, &registry).is_empty());
/// let misfits = check(br#"{"tool":"mcp.tool:search"}"#, &registry);
/// assert_eq!(misfits[0].to_string(), "the member `input` is missing");
/// ```
#[must_use]
pub fn check(document: &[u8], registry: &SchemaRegistry) -> Vec<Misfit> {
    run(document, registry, |_| None)
}

/// The same for documents of one tool: those that name another are at fault.
#[must_use]
pub fn check_of(tool: &ToolId, document: &[u8], registry: &SchemaRegistry) -> Vec<Misfit> {
    run(document, registry, |root| {
        let named = root.get("tool")?;
        let other = named.text()?.parse::<ToolId>().ok()?;
        (other != *tool).then(|| Misfit::at(named, "names another tool"))
    })
}

fn run(
    document: &[u8],
    registry: &SchemaRegistry,
    more: impl FnOnce(Node<'_>) -> Option<Misfit>,
) -> Vec<Misfit> {
    let mut tape = Tape::new();
    if let Err(misfit) = read_text(document, &ScanLimits::DEFAULT, &mut tape) {
        return vec![misfit];
    }
    let Some(root) = tape.root(document) else {
        return vec![Misfit::new("", "there is no value")];
    };
    // Readers differ in which of two equal members counts. Inside of these, it is the tool's affair.
    let foreign = ["input", "output", "metadata"].map(|name| root.get(name));
    for &key in tape.repeated_keys() {
        let within = |value: &Node<'_>| (value.index()..value.end()).contains(&key);
        if !foreign.iter().flatten().any(within) {
            let key = tape.node(document, key);
            return vec![Misfit::at(key, "the member is there twice")];
        }
    }
    let is_output = root.kind() == Kind::Object && root.get("output").is_some();
    let schema: &'static str = if is_output { &OUTPUT_SCHEMA } else { SCHEMA };
    match registry.load_static(schema, "of tool I/O") {
        Ok(schema) => {
            let mut found = misfits(&schema, root);
            found.extend(more(root));
            found
        }
        Err(error) => vec![Misfit::new("", error.message)],
    }
}
