//! The way a client authenticates at the token endpoint.

use super::verdict::Verdict;
use crate::requirement::{Requirement, SINCE_2025_06, WARNING};
use crate::serve::oauth::{Errand, TokenAuthentication};

pub(super) static AUTHENTICATION: Requirement = Requirement::of_client(
    "auth/token-endpoint-auth",
    WARNING,
    SINCE_2025_06,
    "A client authenticates at the token endpoint in the way that its registration names and the \
     authorization server supports.",
)
.page(
    "basic/authorization/index#standards-compliance",
    "The authorization server refuses the token request. The demand is that of OAuth 2.1 and \
     RFC 7591, which MCP refers to without a MUST of its own, hence a warning.",
    "use `token_endpoint_auth_method` of the registration response, one of \
     `token_endpoint_auth_methods_supported`",
);

pub(super) fn check(verdict: &mut Verdict<'_>, expected: TokenAuthentication) {
    let registered = verdict.on(Errand::Register);
    let tokens = verdict.on(Errand::Token);
    let wrong = tokens.iter().find_map(|visit| {
        let way = visit.wrong_authentication?;
        Some((visit, way))
    });
    if let Some((visit, way)) = wrong {
        let message = format!(
            "the client authenticated {way} at the token endpoint, where it is registered with \
             `{}`",
            expected.name()
        );
        let mut shown: Vec<_> = registered.iter().collect();
        shown.push(visit);
        verdict.fail_at(&AUTHENTICATION, message, &shown);
    } else if registered.is_empty() {
        verdict.not_observed(&AUTHENTICATION, "the client does not register itself");
    } else if tokens.is_empty() {
        verdict.not_observed(&AUTHENTICATION, "the client does not go so far");
    } else {
        verdict.pass(&AUTHENTICATION);
    }
}
