//! Mirrored headers whose names are in lower case.

use super::http_requests::{has_mirrored_headers, simple};
use super::{Listed, Probe, Step};
use crate::raw_client::Reply;
use crate::requirement::{ERROR, Requirement, SINCE_2026_07};

static CASE: Requirement = Requirement::of_server(
    "http/header-name-case",
    ERROR,
    SINCE_2026_07,
    "Header names are matched without regard to case.",
)
.page(
    "basic/transports/streamable-http#case-sensitivity",
    "Clients and proxies write header names in any case.",
    "compare names of headers without regard to case",
);

pub(super) static PROBE: Probe = Probe::http(&[&CASE], run);

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    if !has_mirrored_headers(step) {
        return;
    }
    let answer = simple(step, |_| ());
    match answer.reply {
        Reply::Error(-32020, _) => step.fail(
            &CASE,
            "headers whose names are in lower case were refused",
            &answer.evidence,
        ),
        _ => step.pass(&CASE),
    }
}
