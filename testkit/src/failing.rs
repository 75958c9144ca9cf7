//! A message whose check fails. Only a check that is made to fail does that, so a carrier that
//! takes no validator of its user's meets it in unit tests.

use std::ops::ControlFlow;
use std::sync::Arc;

use mcp_assay::syntax::Tape;
use mcp_assay::{Definitions, Exchange, Sink, Validator};
use mcp_assay_live::guard::{Guard, Mode};

/// Definitions whose check panics on every message that holds `defect`.
pub struct Defect;

impl Definitions for Defect {
    fn check(&self, exchange: &Exchange<'_>, _: &Tape, _: &mut dyn Sink) -> ControlFlow<()> {
        let raw = String::from_utf8_lossy(exchange.envelope.root().raw());
        assert!(!raw.contains("defect"), "a defect");
        ControlFlow::Continue(())
    }
}

/// A request whose check fails.
pub const MESSAGE: &str =
    r#"{"jsonrpc":"2.0","id":"d","method":"prompts/get","params":{"name":"defect"}}"#;

/// The refusal of every carrier.
pub const REFUSAL: &str = r#"{"jsonrpc":"2.0","id":"d","error":{"code":-32603,"message":"Internal error","data":{"canonical":"INTERNAL_ERROR","httpStatus":500,"message":"the message could not be checked, so it was not forwarded","retryable":true}}}"#;

/// The HTTP status of every carrier that has one.
pub const STATUS: u16 = 200;

/// A guard that fails on [`MESSAGE`].
#[must_use]
pub fn guard(mode: Mode) -> Guard {
    let mut validator = Validator::default();
    validator.replace_definitions(Arc::new(Defect));
    Guard::with_validator(validator, mode)
}
