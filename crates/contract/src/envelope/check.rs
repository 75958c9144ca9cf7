//! Checks the envelope of another program against the schema.

use std::sync::Arc;

use mcp_assay::registry::{Compiled, LoadError, SchemaRegistry};
use mcp_assay::syntax::Tape;

use super::{SCHEMA, read};
use crate::misfit::Misfit;
use crate::misfits::misfits;

/// All faults of an envelope; none if it keeps the contract.
#[must_use]
pub fn check(bytes: &[u8], registry: &SchemaRegistry) -> Vec<Misfit> {
    let mut tape = Tape::new();
    let root = match read::root(bytes, &mut tape) {
        Ok(root) => root,
        Err(misfit) => return vec![misfit],
    };
    match load_schema(registry) {
        Ok(schema) => misfits(&schema, root),
        Err(error) => vec![Misfit::new("", error.message)],
    }
}

/// The schema of the envelope, compiled.
///
/// # Errors
///
/// None, unless the limits of the registry are too low for it.
pub fn load_schema(registry: &SchemaRegistry) -> Result<Arc<Compiled>, LoadError> {
    registry.load_static(SCHEMA, "of the envelope")
}
