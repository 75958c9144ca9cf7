//! Cancellations of requests that do not exist, are finished, or are not named.

use serde_json::json;

use super::{Listed, Probe, Step};
use crate::requirement::{ALL, Requirement, WARNING};

pub(crate) static IGNORED: Requirement = Requirement::of_both(
    "cancel/invalid-ignored",
    WARNING,
    ALL,
    "A cancellation for an unknown or finished request, or a malformed one, is ignored.",
)
.page(
    "basic/patterns/cancellation#error-handling",
    "Cancellations cross with answers; a server that minds them fails at random.",
    "ignore a cancellation whose request is not open",
);

pub(super) static PROBE: Probe = Probe::walk(&[&IGNORED], run);

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    if !step.wants(&[&IGNORED]) {
        return;
    }
    let before = step.client.records.len();
    // An id that was never used, one that was answered, and none.
    for params in [
        json!({"requestId": 987_654_321, "reason": "probe"}),
        json!({"requestId": 1}),
        json!({"reason": "probe"}),
    ] {
        let params = if step.client.is_stateless() && step.client.is_http() {
            // Over HTTP a stateless client closes the stream instead.
            return step.not_applicable(&IGNORED, "over HTTP a closed stream cancels");
        } else {
            params
        };
        step.client.notify("notifications/cancelled", params);
    }
    if !step.client.is_alive() {
        let message = "the server no longer answers after cancellations that it should ignore";
        step.fail(&IGNORED, message, &[before, before + 1, before + 2]);
        return;
    }
    let strange = step.client.since(before).find_map(|(at, record)| {
        let message = record.message()?;
        let is_ours = message["id"] == json!(step.client.last_id());
        (!is_ours).then_some(())?;
        message.get("error").is_some().then_some(at)
    });
    match strange {
        Some(at) => step.fail(
            &IGNORED,
            "a cancellation of nothing was answered with an error, expected silence",
            &[before, before + 1, before + 2, at],
        ),
        None => step.pass(&IGNORED),
    }
}
