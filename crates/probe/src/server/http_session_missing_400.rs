//! A request without the session id.

use mcp_assay::model::Fact;

use super::http_requests::{expect_status, remove, simple};
use super::{Listed, Probe, Step};
use crate::requirement::{FROM_2025_03_TO_2025_11, Requirement, WARNING};

static NO_SESSION: Requirement = Requirement::of_server(
    "http/session-missing-400",
    WARNING,
    FROM_2025_03_TO_2025_11,
    "A server that needs the session id answers requests without it with 400.",
)
.page(
    "basic/transports#session-management",
    "A client does not learn what it forgot.",
    "answer requests without `Mcp-Session-Id` with 400",
);

pub(super) static PROBE: Probe = Probe::http(&[&NO_SESSION], run);

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    if step.revision().is_none_or(|revision| {
        !revision.has(Fact::HttpSessions) || revision.has(Fact::HttpTwoEndpoints)
    }) {
        return;
    }
    if step.client.session.is_none() {
        step.not_applicable(&NO_SESSION, "the server has no session ids");
        return;
    }
    if step.wants(&[&NO_SESSION]) {
        let answer = simple(step, |headers| remove(headers, "mcp-session-id"));
        expect_status(
            step,
            &NO_SESSION,
            &answer,
            400,
            "a request without session id",
        );
    }
}
