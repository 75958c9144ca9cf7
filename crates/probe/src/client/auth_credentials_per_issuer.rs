//! Another authorisation server in charge of the same resource.

use super::verdict::Verdict;
use crate::requirement::{ERROR, Requirement, SINCE_2026_07};
use crate::serve::oauth::{Errand, Visit};

pub(super) static CREDENTIALS: Requirement = Requirement::of_client(
    "auth/credentials-per-issuer",
    ERROR,
    SINCE_2026_07,
    "Client credentials are not reused with another authorization server; the client \
     registers again.",
)
.page(
    "basic/authorization/client-registration#authorization-server-binding",
    "Credentials of one authorization server are worthless at another, and reveal \
         themselves to it.",
    "keep credentials by issuer, and register anew when the issuer changes",
);

/// Another authorisation server is in charge.
pub(super) fn check(verdict: &mut Verdict<'_>) {
    let old: Vec<&str> = verdict
        .scene
        .seen
        .clients
        .iter()
        .filter(|(door, _)| *door == 1)
        .map(|(_, id)| id.as_str())
        .collect();
    let sends_old = |visit: &&Visit| {
        let id = visit.parameter("client_id");
        visit.door == 2 && id.is_some_and(|id| old.contains(&id))
    };
    let at_new = |errand: Errand| {
        let visits = verdict.visits().iter();
        visits.filter(move |visit| visit.door == 2 && visit.errand == errand)
    };
    let registered = verdict
        .visits()
        .iter()
        .find(|visit| visit.door == 1 && visit.errand == Errand::Register)
        .cloned();
    if let Some(sent) = verdict.visits().iter().find(sends_old).cloned() {
        let message = "the client sent the `client_id` of one authorisation server to another";
        let shown: Vec<&Visit> = registered.iter().chain([&sent]).collect();
        verdict.fail_at(&CREDENTIALS, message, &shown);
    } else if at_new(Errand::Register).next().is_some() {
        verdict.pass(&CREDENTIALS);
    } else if let Some(visit) = at_new(Errand::Authorize).next() {
        let id = visit.parameter("client_id").unwrap_or_default();
        if id.starts_with("https://") {
            verdict.not_applicable(
                &CREDENTIALS,
                "the client has a document that all authorisation servers can read",
            );
        } else {
            verdict.not_observed(&CREDENTIALS, "the client does not register itself");
        }
    } else {
        verdict.not_observed(
            &CREDENTIALS,
            "the client did not turn to the new authorisation server",
        );
    }
}
