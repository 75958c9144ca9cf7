//! A server that never answers.

use mcp_assay::model::Fact;

use super::scenario::{Check, Over, Scenario};
use super::verdict::Verdict;
use crate::requirement::{ALL, ERROR, Requirement, SINCE_2026_07};
use crate::serve::Twist;

static NOTIFICATION: Requirement = Requirement::of_client(
    "cancel/stdio-needs-notification",
    ERROR,
    SINCE_2026_07,
    "On stdio a client abandons a request by sending notifications/cancelled, since there is \
     no stream to close.",
)
.page(
    "basic/transports/stdio#cancellation",
    "The server works on for nobody, and its answer arrives unexpectedly.",
    "send `notifications/cancelled` with the id of the request",
);

pub(super) static SCENARIO: Scenario = Scenario {
    name: "no answer",
    twist: Twist::Silent,
    over: Over::Both,
    revisions: ALL,
    shows: &[&NOTIFICATION],
    check: Check::One(check),
    excuses: &[],
};

fn check(verdict: &mut Verdict<'_>) {
    let scene = verdict.scene;
    if !scene.revision.has(Fact::Stateless) || scene.talks.is_empty() {
        return;
    }
    let Some(twisted) = scene.seen.twisted else {
        return;
    };
    let Some(call) = scene.seen.calls.get(twisted - 1) else {
        return;
    };
    let cancelled = scene
        .seen
        .notices
        .iter()
        .any(|(talk, _, method)| *talk == call.talk && method == "notifications/cancelled");
    let again = scene.seen.calls[twisted..].iter().find(|later| {
        let mut params = (later.params.clone(), call.params.clone());
        for params in [&mut params.0, &mut params.1] {
            if let Some(params) = params.as_object_mut() {
                params.remove("_meta");
            }
        }
        later.talk == call.talk && later.method == call.method && params.0 == params.1
    });
    match (cancelled, again) {
        (true, _) => verdict.pass(&NOTIFICATION),
        (false, Some(again)) => {
            let message = format!(
                "the client gave up on `{}` and sent it again without cancelling it",
                call.method
            );
            verdict.fail(&NOTIFICATION, message, call.talk, &[call.at, again.at]);
        }
        (false, None) => {
            verdict.not_observed(
                &NOTIFICATION,
                "the client did not give up while it was watched",
            );
        }
    }
}
