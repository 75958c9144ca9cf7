//! `probe/answers`: every request is answered, several at once included. Every request of every
//! step is checked for it; the step here sends several without waiting for the first answer.

use serde_json::json;

use super::{Listed, Probe, Step};
use crate::raw_client::Reply;
use crate::requirement::{ALL, ERROR, Requirement};

pub(super) static ANSWERS: Requirement = Requirement::of_server(
    "probe/answers",
    ERROR,
    ALL,
    "Every request is answered within the time that a step may take.",
)
.page(
    "basic#requests",
    "A client waits until its own limit and cannot tell a slow server from a broken one.",
    "answer every request, if need be with an error",
);

pub(super) static PROBE: Probe = Probe::walk(&[&ANSWERS], run);

/// Requests sent at once.
const MANY: usize = 3;

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    if !step.wants(&[&ANSWERS]) {
        return;
    }
    // A server that is gone already was not felled by this.
    if !step.client.is_alive() {
        return;
    }
    let before = step.client.records.len();
    let method = if step.client.is_stateless() {
        "server/discover"
    } else {
        "ping"
    };
    let answers = step.client.request_together(method, MANY);
    let answered = answers
        .iter()
        .filter(|answer| matches!(answer.reply, Reply::Result(_) | Reply::Error(..)))
        .count();
    if answered == MANY {
        step.pass(&ANSWERS);
    } else if !step.client.options.is_over()
        && !step.client.is_garbled_since(before)
        && (answered > 0 || answers_others(step))
    {
        let message = format!(
            "of {MANY} requests that were sent at once, {answered} were answered within {}",
            step.client.options.step_limit()
        );
        let evidence: Vec<usize> = answers
            .into_iter()
            .flat_map(|answer| answer.evidence)
            .collect();
        step.fail(&ANSWERS, message, &evidence);
    }
}

/// Whether the server answers another request: then it is not merely slow.
fn answers_others(step: &mut Step<'_, '_>) -> bool {
    let answer = step.client.request("mcp-assay/no-such-method", json!({}));
    !matches!(answer.reply, Reply::Silence | Reply::Closed)
}
