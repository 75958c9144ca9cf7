//! A ping before the handshake.

use serde_json::Value;

use super::Probe;
use super::Step;
use crate::requirement::{ERROR, Requirement, UNTIL_2025_11};

pub(crate) static ANY_PHASE: Requirement = Requirement::of_both(
    "ping/any-phase",
    ERROR,
    UNTIL_2025_11,
    "ping is answered before initialization is complete as well.",
)
.page(
    "basic/lifecycle#initialization",
    "A client that checks the connection before the handshake takes the server for dead.",
    "answer `ping` before `initialize`, too",
);

pub(super) static PROBE: Probe = Probe::between(&[&ANY_PHASE]);

pub(super) fn early_ping(step: &mut Step<'_, '_>) {
    if !step.wants(&[&ANY_PHASE]) {
        return;
    }
    if step.client.is_http() {
        step.not_observed(
            &ANY_PHASE,
            "over HTTP there is no session before `initialize`",
        );
        return;
    }
    let answer = step.client.request("ping", Value::Null);
    if answer.result().is_some() {
        step.pass(&ANY_PHASE);
    } else {
        let message = format!(
            "`ping` before `initialize` was answered with {}, expected a result",
            answer.in_words()
        );
        step.fail(&ANY_PHASE, message, &answer.evidence);
    }
}
