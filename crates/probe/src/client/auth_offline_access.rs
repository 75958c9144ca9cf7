//! The scope by which a client asks for refresh tokens.

use super::verdict::Verdict;
use crate::requirement::{Requirement, SINCE_2026_07, WARNING};
use crate::serve::oauth::{Errand, Guard, OFFLINE_ACCESS, Visit};

pub(super) static OFFLINE: Requirement = Requirement::of_client(
    "auth/offline-access",
    WARNING,
    SINCE_2026_07,
    "A client asks for offline_access only where scopes_supported of the authorization server \
     lists it.",
)
.page(
    "basic/authorization/index#refresh-tokens",
    "An authorization server that does not know the scope refuses the request. The text allows \
     the scope under this condition, without a MUST for other cases, hence a warning.",
    "add `offline_access` to the scopes only if the metadata of the authorization server has it \
     in `scopes_supported`",
);

pub(super) static REFRESH_GRANT: Requirement = Requirement::of_client(
    "auth/refresh-token-grant",
    WARNING,
    SINCE_2026_07,
    "A client that asks for refresh tokens has refresh_token in the grant_types of its metadata.",
)
.page(
    "basic/authorization/index#refresh-tokens",
    "An authorization server issues no refresh token to a client that is not registered for the \
     grant, and the user has to log in again and again.",
    "register with `refresh_token` beside `authorization_code` in `grant_types`",
);

pub(super) fn check(verdict: &mut Verdict<'_>, guard: Guard) {
    let authorizations = verdict.on(Errand::Authorize);
    let asks = |visit: &&Visit| visit.scopes().contains(&OFFLINE_ACCESS);
    let asking = authorizations.iter().find(asks);
    if guard == Guard::OfflineAccess {
        check_grant(verdict, asking.is_some());
    }
    match asking {
        _ if authorizations.is_empty() => {}
        Some(visit) if guard != Guard::OfflineAccess => {
            let message = "the client asks for `offline_access`, which `scopes_supported` of the \
                           authorisation server does not list";
            verdict.fail_at(&OFFLINE, message, &[visit]);
        }
        _ => verdict.pass(&OFFLINE),
    }
}

fn check_grant(verdict: &mut Verdict<'_>, asks: bool) {
    let registered = verdict.on(Errand::Register);
    let has_grant = |visit: &Visit| {
        let grants = visit.body["grant_types"].as_array();
        grants.is_some_and(|grants| grants.iter().any(|grant| grant == "refresh_token"))
    };
    match registered.first() {
        _ if !asks => {
            let why = "the client does not ask for refresh tokens";
            verdict.not_applicable(&REFRESH_GRANT, why);
        }
        None => verdict.not_observed(&REFRESH_GRANT, "the client does not register itself"),
        Some(visit) if has_grant(visit) => verdict.pass(&REFRESH_GRANT),
        Some(visit) => {
            let message = "the client asks for `offline_access`, but registered without \
                           `refresh_token` in `grant_types`";
            verdict.fail_at(&REFRESH_GRANT, message, &[visit]);
        }
    }
}
