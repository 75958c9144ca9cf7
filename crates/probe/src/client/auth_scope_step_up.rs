//! The authorisation request after a call was refused for want of a scope.

use super::verdict::Verdict;
use crate::requirement::{Requirement, SINCE_2025_11, SINCE_2026_07, WARNING};
use crate::serve::oauth::{Errand, SCOPE_TO_WRITE, Visit};

pub(super) static STEP_UP: Requirement = Requirement::of_client(
    "auth/scope-step-up",
    WARNING,
    SINCE_2025_11,
    "A client that acts for a user answers insufficient_scope with a new authorization request \
     that has the scopes of the challenge.",
)
.page(
    "basic/authorization/index#step-up-authorization-flow",
    "Operations that need a further scope cannot be used at all.",
    "ask for authorization again with the scopes of the 403 challenge, then repeat the request",
);

pub(super) static ACCUMULATED: Requirement = Requirement::of_client(
    "auth/scope-accumulated",
    WARNING,
    SINCE_2026_07,
    "A new authorization request after insufficient_scope repeats the scopes that were requested \
     before.",
)
.page(
    "basic/authorization/index#step-up-authorization-flow",
    "The new token no longer allows what the old one did, and the client is refused for that next.",
    "ask for the union of the scopes requested so far and those of the challenge",
);

pub(super) fn check(verdict: &mut Verdict<'_>) {
    let Some(refusal) = verdict.scene.seen.refusals.first().cloned() else {
        for requirement in [&STEP_UP, &ACCUMULATED] {
            verdict.not_observed(requirement, "the client calls no tool with its token");
        }
        return;
    };
    let authorizations = verdict.on(Errand::Authorize);
    let (before, after): (Vec<Visit>, Vec<Visit>) = authorizations
        .into_iter()
        .partition(|visit| visit.exchange < refusal.exchange);
    let mut evidence = verdict.records(refusal.exchange);
    let Some(again) = after.first() else {
        let message = format!(
            "the client did not ask for the scope `{SCOPE_TO_WRITE}` after a call was refused with \
             `insufficient_scope`"
        );
        verdict.fail_with(&STEP_UP, message, evidence);
        verdict.not_observed(&ACCUMULATED, "the client asks for no further scope");
        return;
    };
    let asked = again.scopes();
    evidence.extend(verdict.exchange(again));
    if asked.contains(&SCOPE_TO_WRITE) {
        verdict.pass(&STEP_UP);
    } else {
        let message = format!(
            "the authorisation request after `insufficient_scope` has not the scope \
             `{SCOPE_TO_WRITE}` of the challenge"
        );
        verdict.fail_with(&STEP_UP, message, evidence);
        verdict.not_observed(&ACCUMULATED, "the client asks for no further scope");
        return;
    }
    let mut earlier = before.iter().flat_map(Visit::scopes);
    if before.iter().all(|visit| visit.scopes().is_empty()) {
        verdict.not_observed(&ACCUMULATED, "the client asked for no scope before");
    } else if let Some(lost) = earlier.find(|scope| !asked.contains(scope)) {
        let message = format!(
            "the authorisation request after `insufficient_scope` has not the scope `{lost}`, \
             which the client requested before"
        );
        verdict.fail_with(&ACCUMULATED, message, evidence);
    } else {
        verdict.pass(&ACCUMULATED);
    }
}
