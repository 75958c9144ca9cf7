//! A request for a method that does not exist.

use serde_json::json;

use super::{Listed, Probe, Step};
use crate::requirement::{ALL, Requirement, WARNING};

pub(crate) static UNKNOWN: Requirement = Requirement::of_both(
    "jsonrpc/unknown-method-reply",
    WARNING,
    ALL,
    "A request for a method the receiver does not implement is answered with \
     method-not-found.",
)
.page(
    "schema#methodnotfounderror",
    "A client cannot tell a missing method from a fault of its call. JSON-RPC defines the \
         code; MCP itself does not demand it, so it is a warning.",
    "answer with error -32601",
);

pub(super) static PROBE: Probe = Probe::walk(&[&UNKNOWN], run);

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    if step.wants(&[&UNKNOWN]) {
        let answer = step.ask("mcp-assay/no-such-method", json!({}));
        step.expect_code(&UNKNOWN, &answer, &[-32601], "a method that does not exist");
    }
}
