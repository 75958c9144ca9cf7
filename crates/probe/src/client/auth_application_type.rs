//! The application type in a dynamic registration.

use super::verdict::Verdict;
use crate::requirement::{ERROR, Requirement, SINCE_2026_07};
use crate::serve::oauth::{Errand, Visit};

pub(super) static TYPE: Requirement = Requirement::of_client(
    "auth/application-type",
    ERROR,
    SINCE_2026_07,
    "Dynamic registration states an application_type.",
)
.page(
    "basic/authorization/client-registration#application-type-and-redirect-uri-constraints",
    "An authorization server applies the redirect rules of web applications to a client \
         that does not say what it is, and refuses the redirect of a native one.",
    "send `application_type` in the registration, `native` for a program on the user's \
         machine",
);

pub(super) fn check(verdict: &mut Verdict<'_>) {
    let registered = verdict.on(Errand::Register);
    let lacks = |visit: &&Visit| !visit.body["application_type"].is_string();
    if let Some(visit) = registered.iter().find(lacks) {
        verdict.fail_at(
            &TYPE,
            "the registration has no `application_type`",
            &[visit],
        );
    } else if registered.is_empty() {
        verdict.not_observed(&TYPE, "the client does not register itself");
    } else {
        verdict.pass(&TYPE);
    }
}
