//! The scopes of the first authorisation request.

use super::verdict::Verdict;
use crate::requirement::{Requirement, SINCE_2025_11, WARNING};
use crate::serve::oauth::{Errand, Guard, OFFLINE_ACCESS, SCOPE, scopes};

pub(super) static SELECTION: Requirement = Requirement::of_client(
    "auth/scope-selection",
    WARNING,
    SINCE_2025_11,
    "The first authorization request has the scopes of the challenge; if it names none, all in \
     scopes_supported of the resource metadata; if there are none, no scope.",
)
.page(
    "basic/authorization/index#scope-selection-strategy",
    "A token without a scope that the challenge names does not open the server; a scope that \
     nobody names asks the user for more than the server needs.",
    "take `scope` from the challenge, else all of `scopes_supported` in the resource metadata, \
     and leave the parameter out where both are missing",
);

/// Scopes that ask for a kind of token, and not for access.
const KINDS_OF_TOKENS: [&str; 2] = [OFFLINE_ACCESS, "openid"];

pub(super) fn check(verdict: &mut Verdict<'_>, guard: Guard) {
    let Some(visit) = verdict.on(Errand::Authorize).into_iter().next() else {
        verdict.not_observed(&SELECTION, "the client does not ask for authorisation");
        return;
    };
    if verdict.refusal().is_empty() || verdict.scene.seen.refused > Some(visit.exchange) {
        let why = "the client asks for authorisation before it is challenged";
        verdict.not_observed(&SELECTION, why);
        return;
    }
    let asked = visit.scopes();
    let (needed, place) = if guard.names_scope() {
        (&[SCOPE][..], "the challenge")
    } else {
        let listed = scopes(guard).unwrap_or_default();
        (listed, "`scopes_supported` of the resource metadata")
    };
    if let Some(lacking) = needed.iter().find(|scope| !asked.contains(scope)) {
        let message = format!("the authorisation request has not the scope `{lacking}` of {place}");
        let mut evidence = verdict.refusal();
        evidence.extend(verdict.exchange(&visit));
        verdict.fail_with(&SELECTION, message, evidence);
    } else if needed.is_empty() && asked.iter().any(|scope| !KINDS_OF_TOKENS.contains(scope)) {
        let message = "the authorisation request has a `scope`, although neither the challenge nor \
                       the resource metadata names one";
        let mut evidence = verdict.refusal();
        evidence.extend(verdict.exchange(&visit));
        verdict.fail_with(&SELECTION, message.to_owned(), evidence);
    } else {
        verdict.pass(&SELECTION);
    }
}
