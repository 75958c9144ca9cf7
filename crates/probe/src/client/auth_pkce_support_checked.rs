//! Metadata of an authorisation server that does not mention PKCE.

use super::auth::{first_use, issuer_metadata, refused};
use super::verdict::Verdict;
use crate::requirement::{ERROR, Requirement, SINCE_2025_11};
use crate::serve::oauth::Errand;

pub(super) static SUPPORT: Requirement = Requirement::of_client(
    "auth/pkce-support-checked",
    ERROR,
    SINCE_2025_11,
    "A client refuses an authorization server whose metadata has no \
     code_challenge_methods_supported.",
)
.page(
    "basic/authorization/security-considerations#authorization-code-protection",
    "A server that ignores the challenge gives no protection, and the client would not \
         notice.",
    "stop if `code_challenge_methods_supported` is missing in the metadata",
);

/// The metadata of the authorisation server does not speak of PKCE.
pub(super) fn check(verdict: &mut Verdict<'_>) {
    let read = issuer_metadata(verdict);
    let used = first_use(verdict, &[Errand::Authorize]);
    let message =
        "the client went on although the metadata has no `code_challenge_methods_supported`";
    refused(
        verdict,
        &SUPPORT,
        read,
        used,
        verdict.reach.authorizes,
        message,
    );
}
