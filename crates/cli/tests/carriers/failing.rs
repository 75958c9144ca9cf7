//! A message whose check fails. Only a check that is made to fail does that, so the program's own
//! carriers meet it in unit tests, which include this file.

use std::ops::ControlFlow;

use mcp_assay::syntax::Tape;
use mcp_assay::{Definitions, Exchange, Sink};

/// Definitions whose check panics on every message that holds `defect`.
pub(crate) struct Defect;

impl Definitions for Defect {
    fn check(&self, exchange: &Exchange<'_>, _: &Tape, _: &mut dyn Sink) -> ControlFlow<()> {
        let raw = String::from_utf8_lossy(exchange.envelope.root().raw());
        assert!(!raw.contains("defect"), "a defect");
        ControlFlow::Continue(())
    }
}

/// A request whose check fails.
pub(crate) const MESSAGE: &str =
    r#"{"jsonrpc":"2.0","id":"d","method":"prompts/get","params":{"name":"defect"}}"#;

/// The refusal of every carrier.
pub(crate) const REFUSAL: &str = r#"{"jsonrpc":"2.0","id":"d","error":{"code":-32603,"message":"Internal error","data":{"canonical":"INTERNAL_ERROR","httpStatus":500,"message":"the message could not be checked, so it was not forwarded","retryable":true}}}"#;

/// The HTTP status of every carrier that has one.
pub(crate) const STATUS: u16 = 200;
