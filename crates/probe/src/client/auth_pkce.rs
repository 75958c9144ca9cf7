//! PKCE in authorisation and token requests.

use mcp_assay::RevisionSet;

use super::verdict::Verdict;
use crate::requirement::{ERROR, Requirement, SINCE_2025_03, SINCE_2025_11};
use crate::serve::oauth::{Errand, Visit};

pub(super) static PKCE: Requirement = Requirement::of_client(
    "auth/pkce",
    ERROR,
    SINCE_2025_03,
    "Authorization requests use PKCE, with S256 where possible since 2025-11-25.",
)
.page(
    "basic/authorization/security-considerations#authorization-code-protection",
    "Without PKCE a stolen authorization code is enough to obtain a token.",
    "send `code_challenge` with the method S256, and `code_verifier` with the code",
);

/// The revisions that demand the better method.
const HASHED: RevisionSet = SINCE_2025_11;

pub(super) fn check(verdict: &mut Verdict<'_>) {
    let (authorizations, tokens) = (verdict.on(Errand::Authorize), verdict.on(Errand::Token));
    for visit in &authorizations {
        let challenge = visit.parameter("code_challenge").unwrap_or_default();
        let method = visit.parameter("code_challenge_method");
        if challenge.is_empty() {
            verdict.fail_at(
                &PKCE,
                "the authorisation request has no `code_challenge`",
                &[visit],
            );
            return;
        }
        if method != Some("S256") && HASHED.contains(verdict.scene.revision) {
            let message = "the authorisation request has not the `code_challenge_method` `S256`";
            verdict.fail_at(&PKCE, message, &[visit]);
            return;
        }
    }
    for visit in tokens
        .iter()
        .filter(|visit| visit.parameter("code").is_some())
    {
        let before = authorizations.iter().rfind(|other| other.at < visit.at);
        let shown: Vec<&Visit> = before.into_iter().chain([visit]).collect();
        if visit.parameter("code_verifier").is_none() {
            verdict.fail_at(&PKCE, "the token request has no `code_verifier`", &shown);
            return;
        }
        if visit.misfit {
            let message = "the `code_verifier` does not fit the `code_challenge`";
            verdict.fail_at(&PKCE, message, &shown);
            return;
        }
    }
    if !authorizations.is_empty() {
        verdict.pass(&PKCE);
    }
}
