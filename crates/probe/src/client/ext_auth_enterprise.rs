//! Tokens for users whom an identity provider of their organisation sends.

use super::verdict::Verdict;
use crate::requirement::{ERROR, Requirement, SINCE_2025_11, WARNING};
use crate::serve::oauth::{Errand, Visit};

pub(super) static EXCHANGE: Requirement = Requirement::of_client(
    "ext-auth/identity-exchange",
    ERROR,
    SINCE_2025_11,
    "A token exchange for an ID-JAG has the issuer of the authorization server as its audience and, \
     if it names a resource, the MCP server.",
)
.page(
    "extensions/auth/enterprise-managed-authorization#token-exchange",
    "The grant is not valid at the authorization server of the MCP server, or is valid for another \
     server. The extension is optional; a client that exchanges an identity has adopted it.",
    "send `audience` with the issuer of the authorization server, and `resource` with the URI of \
     the MCP server",
);

pub(super) static PRESENTED: Requirement = Requirement::of_client(
    "ext-auth/identity-grant",
    WARNING,
    SINCE_2025_11,
    "The ID-JAG is redeemed with the grant jwt-bearer, by a client that authenticates as it is \
     registered.",
)
.page(
    "extensions/auth/enterprise-managed-authorization#access-token-request",
    "The authorization server refuses the request. The text describes the request without a MUST, \
     hence a warning.",
    "send the ID-JAG as `assertion`, with the credentials of the client at the authorization server",
);

pub(super) fn check(verdict: &mut Verdict<'_>) {
    let tokens = verdict.on(Errand::Token);
    let (provider, server): (Vec<&Visit>, Vec<&Visit>) =
        tokens.iter().partition(|visit| visit.door == 2);
    if provider.is_empty() {
        let why = "the client exchanges no identity";
        verdict.not_observed(&EXCHANGE, why);
        verdict.not_observed(&PRESENTED, why);
        return;
    }
    let wrong = provider
        .iter()
        .find_map(|visit| Some((*visit, visit.wrong_grant?)));
    match wrong {
        Some((visit, fault)) => {
            let message = format!("the token exchange {fault}");
            verdict.fail_at(&EXCHANGE, message, &[visit]);
        }
        None => verdict.pass(&EXCHANGE),
    }
    let wrong = server.iter().find_map(|visit| {
        let way = visit.wrong_authentication;
        let way = way.map(|way| format!("the client redeems the ID-JAG {way}"));
        let fault = visit.wrong_grant;
        let fault = fault.map(|fault| format!("the token request with the ID-JAG {fault}"));
        Some((*visit, way.or(fault)?))
    });
    if let Some((visit, message)) = wrong {
        verdict.fail_at(&PRESENTED, message, &[visit]);
    } else if server.is_empty() {
        verdict.not_observed(&PRESENTED, "the client does not go so far");
    } else {
        verdict.pass(&PRESENTED);
    }
}
