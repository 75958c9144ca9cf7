//! A guard whose check fails, for tests of each carrier.

use std::ops::ControlFlow;
use std::sync::Arc;

use mcp_assay::syntax::Tape;
use mcp_assay::{Definitions, Exchange, Sink, Validator};
use mcp_assay_live::guard::{Guard, Mode};

/// A guard that fails on every message that holds `defect`.
pub(crate) fn defective(mode: Mode) -> Guard {
    let mut validator = Validator::default();
    validator.replace_definitions(Arc::new(Defect));
    Guard::with_validator(validator, mode)
}

struct Defect;

impl Definitions for Defect {
    fn check(&self, exchange: &Exchange<'_>, _: &Tape, _: &mut dyn Sink) -> ControlFlow<()> {
        let raw = String::from_utf8_lossy(exchange.envelope.root().raw());
        assert!(!raw.contains("defect"), "a defect");
        ControlFlow::Continue(())
    }
}
