//! Tokens for programs, with a secret or with a signed assertion.

use super::verdict::Verdict;
use crate::requirement::{ERROR, Requirement, SINCE_2025_11};
use crate::serve::oauth::{Errand, Visit};

pub(super) static CLIENT_CREDENTIALS: Requirement = Requirement::of_client(
    "ext-auth/client-credentials",
    ERROR,
    SINCE_2025_11,
    "A token request with the grant client_credentials authenticates with the secret of the client, \
     or with a JWT that its key signed.",
)
.page(
    "extensions/auth/oauth-client-credentials#client-authentication-methods",
    "The authorization server refuses the request, or gives a token to a program that it does not \
     know. The extension is optional; a client that uses the grant has adopted it.",
    "send id and secret, or `client_assertion` with `iss` and `sub` of the client, `aud` of the \
     authorization server and `exp`",
);

pub(super) fn check(verdict: &mut Verdict<'_>) {
    let tokens = verdict.on(Errand::Token);
    let is_grant = |visit: &&Visit| visit.parameter("grant_type") == Some("client_credentials");
    let tokens: Vec<&Visit> = tokens.iter().filter(is_grant).collect();
    let wrong = tokens.iter().find_map(|visit| {
        let way = visit.wrong_authentication?;
        Some((*visit, way))
    });
    if let Some((visit, way)) = wrong {
        let message = format!("the client asked for a token with `client_credentials` {way}");
        verdict.fail_at(&CLIENT_CREDENTIALS, message, &[visit]);
    } else if tokens.is_empty() {
        let why = "the client does not use the grant `client_credentials`";
        verdict.not_observed(&CLIENT_CREDENTIALS, why);
    } else {
        verdict.pass(&CLIENT_CREDENTIALS);
    }
}
