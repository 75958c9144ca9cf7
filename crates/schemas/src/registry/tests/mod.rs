//! Tests of the registry: meaning, faults, cost and sharing of schemas.

mod agreement;
mod cache;
mod dialects;
mod faults;
#[cfg(feature = "files")]
mod folders;
mod headers;
mod hostile;
mod mismatches;
mod named;
mod quick_check;
mod simple;
mod unchecked;

use std::sync::Arc;

use mcp_assay_json::{Node, ScanLimits, Tape, scan};

use super::{Compiled, Dialect, Fit, SchemaFault, SchemaRegistry};

/// A document and its tape.
struct Scanned {
    bytes: Vec<u8>,
    tape: Tape,
}

impl Scanned {
    fn new(text: impl Into<String>) -> Self {
        let bytes = text.into().into_bytes();
        let mut tape = Tape::new();
        let limits = ScanLimits {
            depth: 100_000,
            ..ScanLimits::DEFAULT
        };
        scan(&bytes, &limits, &mut tape).expect("the document is JSON");
        Self { bytes, tape }
    }

    fn root(&self) -> Node<'_> {
        self.tape.root(&self.bytes).expect("a document has a root")
    }
}

fn load(schema: &str) -> Result<Arc<Compiled>, Arc<SchemaFault>> {
    let schema = Scanned::new(schema);
    SchemaRegistry::default().load(schema.root(), Dialect::Draft202012)
}

fn judge(schema: &str, value: &str) -> Fit {
    let value = Scanned::new(value);
    let compiled = load(schema).expect("the schema is fine");
    let fit = compiled.judge(value.root());
    let mut told = 0;
    assert_eq!(compiled.check(value.root(), &mut |_| told += 1), fit);
    assert_eq!(
        told > 0,
        fit == Fit::Misfits,
        "{schema} {value:?}",
        value = value.bytes
    );
    fit
}

/// All values fit the schema.
fn fits(schema: &str, values: &[&str]) {
    for value in values {
        assert_eq!(
            judge(schema, value),
            Fit::Fits,
            "{value} should fit {schema}"
        );
    }
}

/// None of the values fits the schema.
fn misfits(schema: &str, values: &[&str]) {
    for value in values {
        assert_eq!(
            judge(schema, value),
            Fit::Misfits,
            "{value} should not fit {schema}"
        );
    }
}
