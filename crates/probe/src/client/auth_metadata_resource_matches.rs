//! Metadata of another resource.

use super::auth::{first_use, refused};
use super::verdict::Verdict;
use crate::requirement::{ERROR, Requirement, SINCE_2025_06};
use crate::serve::oauth::{Errand, Visit};

pub(super) static RESOURCE: Requirement = Requirement::of_client(
    "auth/metadata-resource-matches",
    ERROR,
    SINCE_2025_06,
    "A client refuses metadata whose resource value is not the server it talks to.",
)
.page(
    "basic/authorization/index#canonical-server-uri",
    "Metadata of another resource may send tokens to a party that can misuse them.",
    "stop if `resource` is not the URL of the server",
);

/// The metadata is that of another resource.
pub(super) fn check(verdict: &mut Verdict<'_>) {
    let is_metadata = |visit: &&Visit| matches!(visit.errand, Errand::Resource(_));
    let read = verdict.visits().iter().find(is_metadata).cloned();
    let used = first_use(verdict, &[Errand::Register, Errand::Authorize]);
    let message =
        "the client took metadata whose `resource` is another server than the one it talks to";
    refused(
        verdict,
        &RESOURCE,
        read,
        used,
        verdict.reach.authorizes,
        message,
    );
}
