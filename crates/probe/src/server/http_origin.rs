//! A request from a page of another origin. One request shows both requirements.

use super::http_requests::{set, simple, status};
use super::{Listed, Probe, Step};
use crate::requirement::{ALL, ERROR, Requirement, SINCE_2025_11};

static ORIGIN: Requirement = Requirement::of_server(
    "http/origin-validated",
    ERROR,
    ALL,
    "A server checks the Origin header of every connection against DNS rebinding.",
)
.page(
    "basic/transports#security-warning",
    "A web page can talk to a server on the user's machine by DNS rebinding.",
    "compare `Origin` with a list of allowed ones, and refuse others",
);

static ORIGIN_403: Requirement = Requirement::of_server(
    "http/origin-403",
    ERROR,
    SINCE_2025_11,
    "An invalid Origin is answered with 403.",
)
.page(
    "basic/transports#security-warning",
    "A client cannot tell why it was refused.",
    "answer with status 403",
);

pub(super) static PROBE: Probe = Probe::http(&[&ORIGIN, &ORIGIN_403], run);

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    if !step.wants(&[&ORIGIN, &ORIGIN_403]) {
        return;
    }
    let answer = simple(step, |headers| {
        set(headers, "origin", "http://evil.example");
    });
    match status(step, &answer) {
        Some(403) => {
            step.pass(&ORIGIN);
            step.pass(&ORIGIN_403);
        }
        Some(status @ 400..) => {
            step.pass(&ORIGIN);
            let message = format!("a bad `Origin` was answered with status {status}, expected 403");
            step.fail(&ORIGIN_403, message, &answer.evidence);
        }
        Some(status) => {
            let message = format!(
                "a request with `Origin: http://evil.example` was answered with status {status}, \
                 expected a refusal"
            );
            step.fail(&ORIGIN, message, &answer.evidence);
        }
        None => step.not_observed(&ORIGIN, "no answer"),
    }
}
