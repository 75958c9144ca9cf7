//! Mirrored headers that are missing or differ from the body.

use mcp_assay::rules;

use super::http_requests::{has_mirrored_headers, remove, set, simple, status};
use super::{Listed, Probe, Step};
use crate::requirement::{ERROR, Requirement, SINCE_2026_07};

static MISMATCH: Requirement = Requirement::of_server(
    rules::http::HEADER_MISMATCH_REPLY.name,
    ERROR,
    SINCE_2026_07,
    "Missing, malformed or differing headers are refused with 400 and -32020.",
)
.page(
    "basic/transports/streamable-http#server-validation",
    "Intermediaries act on the header and the server on the body: each does something \
         else.",
    "compare the headers with the body, and answer 400 with error -32020",
);

pub(super) static PROBE: Probe = Probe::http(&[&MISMATCH], run);

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    if has_mirrored_headers(step) && step.wants(&[&MISMATCH]) {
        for (value, what) in [
            (
                Some("prompts/get"),
                "a request whose `Mcp-Method` is of another method",
            ),
            (None, "a request without `Mcp-Method`"),
        ] {
            let answer = simple(step, |headers| match value {
                Some(value) => set(headers, "mcp-method", value),
                None => remove(headers, "mcp-method"),
            });
            let found = status(step, &answer);
            if found != Some(400) && answer.code() == Some(-32020) {
                // The status has a rule of its own, which reads every answer.
                step.pass(&MISMATCH);
            } else if !step.expect_code(&MISMATCH, &answer, &[-32020], what) {
                break;
            }
        }
    }
}
