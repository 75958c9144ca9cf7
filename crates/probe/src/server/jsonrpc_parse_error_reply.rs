//! Text that is not JSON.

use super::malformed::expect_refusal;
use super::{Listed, Probe, Step};
use crate::requirement::{ALL, Requirement, WARNING};

pub(crate) static PARSE: Requirement = Requirement::of_both(
    "jsonrpc/parse-error-reply",
    WARNING,
    ALL,
    "Input that is not JSON is answered with the parse-error code rather than with silence or \
     a crash.",
)
.page(
    "schema#parseerror",
    "A client whose message was damaged waits until its own limit. JSON-RPC defines the \
         code; MCP itself does not demand it, so it is a warning.",
    "answer with error -32700; over HTTP status 400 is enough",
);

pub(super) static PROBE: Probe = Probe::walk(&[&PARSE], run);

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    for (sent, what) in [
        ("{oops", "text that is not JSON"),
        (r#"{"jsonrpc":"2.0","id":1,"#, "a message that breaks off"),
    ] {
        if step.is_over() || !step.wants(&[&PARSE]) {
            break;
        }
        if !expect_refusal(step, &PARSE, sent.as_bytes().to_vec(), -32700, what) {
            break;
        }
    }
}
