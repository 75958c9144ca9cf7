//! A request for a method that does not exist.

use serde_json::json;

use super::{Listed, Probe, Step};
use crate::requirement::{ALL, ERROR, Requirement};

pub(crate) static UNKNOWN: Requirement = Requirement::of_both(
    "jsonrpc/unknown-method-reply",
    ERROR,
    ALL,
    "A request for a method the receiver does not implement is answered with \
     method-not-found.",
);

pub(super) static PROBE: Probe = Probe::walk(&[&UNKNOWN], run);

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    if step.wants(&[&UNKNOWN]) {
        let answer = step.ask("mcp-assay/no-such-method", json!({}));
        step.expect_code(&UNKNOWN, &answer, &[-32601], "a method that does not exist");
    }
}
