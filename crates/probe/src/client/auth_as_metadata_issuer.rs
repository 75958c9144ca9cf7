//! Metadata of an authorisation server that names another one.

use super::auth::{first_use, issuer_metadata, refused};
use super::verdict::Verdict;
use crate::requirement::{ERROR, Requirement, SINCE_2026_07};
use crate::serve::oauth::Errand;

pub(super) static ISSUER: Requirement = Requirement::of_client(
    "auth/as-metadata-issuer",
    ERROR,
    SINCE_2026_07,
    "Metadata whose issuer differs from the URL it was fetched for is not used.",
)
.page(
    "basic/authorization/authorization-server-discovery#authorization-server-metadata-discovery",
    "Metadata of another issuer may lead the user's credentials to a server that an \
         attacker runs.",
    "compare `issuer` with the URL that the metadata was fetched for, and stop if they \
         differ",
);

/// The metadata of the authorisation server is that of another.
pub(super) fn check(verdict: &mut Verdict<'_>) {
    let read = issuer_metadata(verdict);
    let used = first_use(verdict, &[Errand::Register, Errand::Authorize]);
    let message = "the client used metadata whose `issuer` is not the one it was fetched for";
    refused(
        verdict,
        &ISSUER,
        read,
        used,
        verdict.reach.authorizes,
        message,
    );
}
