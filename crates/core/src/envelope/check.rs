//! Holds the envelope of somebody else against the schema.

use super::read;
use crate::misfit::Misfit;
use crate::registry::SchemaRegistry;
use crate::syntax::Tape;

/// Everything that is wrong with an envelope; nothing if it keeps the contract.
#[must_use]
pub fn check(bytes: &[u8], registry: &SchemaRegistry) -> Vec<Misfit> {
    let mut tape = Tape::new();
    let root = match read::root(bytes, &mut tape) {
        Ok(root) => root,
        Err(misfit) => return vec![misfit],
    };
    match registry.load_envelope() {
        Ok(schema) => schema.misfits(root),
        Err(error) => vec![Misfit::new("", error.message)],
    }
}
