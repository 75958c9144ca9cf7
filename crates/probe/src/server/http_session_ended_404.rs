//! A request in a session that the client ended. It is the last step: nothing can follow it.

use mcp_assay::model::Fact;

use super::http_requests::{check_status, simple};
use super::{Listed, Probe, Step};
use crate::requirement::{ERROR, FROM_2025_03_TO_2025_11, Requirement};

static ENDED: Requirement = Requirement::of_server(
    "http/session-ended-404",
    ERROR,
    FROM_2025_03_TO_2025_11,
    "Requests for a terminated session are answered with 404.",
)
.page(
    "basic/transports#session-management",
    "A client does not learn that it has to begin a new session.",
    "answer requests with the id of an ended session with 404",
);

pub(super) static PROBE: Probe = Probe::http(&[&ENDED], run);

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    if step.revision().is_none_or(|revision| {
        !revision.has(Fact::HttpSessions) || revision.has(Fact::HttpTwoEndpoints)
    }) {
        return;
    }
    if step.client.session.is_none() {
        step.not_applicable(&ENDED, "the server has no session ids");
        return;
    }
    if !step.wants(&[&ENDED]) {
        return;
    }
    let mut headers = Vec::new();
    step.client.push_session(&mut headers);
    let (sent, exchange) = step.client.http("DELETE", headers, Vec::new());
    match step.client.status(exchange) {
        Some(200..=299) => {
            let mut answer = simple(step, |_| ());
            answer.evidence.insert(0, sent);
            answer.evidence.insert(1, sent + 1);
            let found = answer
                .evidence
                .get(2)
                .and_then(|at| step.client.records[*at].exchange());
            let found = step.client.status(found);
            check_status(
                step,
                &ENDED,
                &answer,
                found,
                404,
                "a request in a session that was ended",
            );
        }
        _ => step.not_observed(&ENDED, "the server does not let clients end a session"),
    }
}
