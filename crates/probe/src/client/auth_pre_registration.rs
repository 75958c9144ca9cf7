//! Credentials that a client has before it starts.

use super::verdict::Verdict;
use crate::requirement::{Requirement, SINCE_2025_11, WARNING};
use crate::serve::oauth::{Authentication, Errand, Visit};

pub(super) static CREDENTIALS_USED: Requirement = Requirement::of_client(
    "auth/pre-registration",
    WARNING,
    SINCE_2025_11,
    "A client that was given its id and secret uses both, and does not register where the \
     authorization server offers no registration.",
)
.page(
    "basic/authorization/client-registration#pre-registration",
    "Authorization servers without open registration cannot be used.",
    "offer a setting for id and secret, prefer them to registration, and authenticate with both \
     at the token endpoint",
);

pub(super) fn check(verdict: &mut Verdict<'_>) {
    let given = verdict.scene.seen.given_client.clone();
    let is_given = |id: Option<&str>| id.is_some() && id == given.as_deref();
    let mut visits = verdict.visits().iter();
    let is_registration = |visit: &&Visit| {
        visit.errand == Errand::Register || visit.is_guess() && visit.path.ends_with("/register")
    };
    let registered = visits.find(is_registration).cloned();
    let tokens = verdict.on(Errand::Token);
    let wrong = tokens.iter().find_map(|visit| {
        let way = visit.wrong_authentication?;
        Some((visit, way))
    });
    let authorizations = verdict.on(Errand::Authorize);
    let mut named = authorizations.iter();
    let is_named = named.any(|visit| is_given(visit.parameter("client_id")));
    let mut by_secret = tokens.iter();
    let is_authenticated = by_secret.any(|visit| {
        let Authentication::Basic(id, _) = visit.authentication() else {
            return false;
        };
        is_given(Some(&id)) && visit.wrong_authentication.is_none()
    });
    if let Some(visit) = &registered {
        let message = "the client tried to register, although the metadata of the authorisation \
                       server has no `registration_endpoint`";
        verdict.fail_at(&CREDENTIALS_USED, message, &[visit]);
    } else if !is_named {
        let why = "the client does not use the id in `MCP_ASSAY_CLIENT_ID`";
        verdict.not_observed(&CREDENTIALS_USED, why);
    } else if let Some((visit, way)) = wrong {
        let message = format!(
            "the client authenticated {way} at the token endpoint, although it was given a secret \
             and `client_secret_basic` is the only way"
        );
        verdict.fail_at(&CREDENTIALS_USED, message, &[visit]);
    } else if is_authenticated {
        verdict.pass(&CREDENTIALS_USED);
    } else {
        verdict.not_observed(&CREDENTIALS_USED, "the client does not go so far");
    }
}
