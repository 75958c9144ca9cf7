//! A guard whose check fails, for tests of each carrier.

#[path = "../../tests/carriers/failing.rs"]
pub(crate) mod failing;

use std::sync::Arc;

use mcp_assay::Validator;
use mcp_assay_live::guard::{Guard, Mode};

/// A guard that fails on [`failing::MESSAGE`].
pub(crate) fn defective(mode: Mode) -> Guard {
    let mut validator = Validator::default();
    validator.replace_definitions(Arc::new(failing::Defect));
    Guard::with_validator(validator, mode)
}
