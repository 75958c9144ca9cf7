//! Cancellations of requests that do not exist, are finished, or are not named.

use serde_json::{Value, json};

use super::{Listed, Probe, Step};
use crate::raw_client::Reply;
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
    let answer = if step.client.is_stateless() {
        step.client.request("server/discover", json!({}))
    } else {
        step.client.request("ping", Value::Null)
    };
    match answer.reply {
        Reply::Result(_) => {}
        Reply::Error(-32601, _) => {
            return step.not_observed(&IGNORED, "the next request is of a method that is missing");
        }
        Reply::Error(..) => {
            let message = format!(
                "after cancellations that a server should ignore, the next request was answered \
                 with {}",
                answer.in_words()
            );
            let evidence = [vec![before, before + 1, before + 2], answer.evidence].concat();
            return step.fail(&IGNORED, message, &evidence);
        }
        _ => {
            step.survives("cancellations that it should ignore", before);
            return step.not_observed(&IGNORED, "the next request was not answered");
        }
    }
    // An answer to a notification has a rule of its own.
    if !step.client.is_garbled_since(before) {
        step.pass(&IGNORED);
    }
}
