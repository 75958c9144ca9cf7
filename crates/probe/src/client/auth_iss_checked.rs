//! Redirects that do not name the issuer, or another one.

use super::auth::{first_use, refused};
use super::verdict::Verdict;
use crate::requirement::{ERROR, Requirement, SINCE_2026_07};
use crate::serve::oauth::{Errand, Guard};

pub(super) static ISS: Requirement = Requirement::of_client(
    "auth/iss-checked",
    ERROR,
    SINCE_2026_07,
    "An iss in the authorization response equals the recorded issuer character by character, \
     and is required when the server advertises it.",
)
.page(
    "basic/authorization/index#authorization-response-validation",
    "Without the comparison an attacker can mix up two authorization servers and collect \
         the code.",
    "compare `iss` with the recorded issuer character by character before the code is \
         used",
);

/// The redirect does not name the issuer, or another.
pub(super) fn check(verdict: &mut Verdict<'_>, guard: Guard) {
    let message = match guard {
        Guard::IssMissing => {
            "the client redeemed a code that came without `iss`, although the metadata promises one"
        }
        Guard::IssAltered => {
            "the client redeemed a code that came with an `iss` that differs from the issuer by a \
             slash"
        }
        _ => "the client redeemed a code that came with the `iss` of another issuer",
    };
    let read = verdict.on(Errand::Authorize).into_iter().next();
    let used = first_use(verdict, &[Errand::Token]);
    refused(verdict, &ISS, read, used, verdict.reach.redeems, message);
}

/// The redirect does not name the issuer, and nothing promised that.
pub(super) fn check_unpromised(verdict: &mut Verdict<'_>) {
    let authorized = verdict.on(Errand::Authorize).into_iter().next();
    let is_redeemed = !verdict.on(Errand::Token).is_empty();
    match authorized {
        Some(_) if is_redeemed => verdict.pass(&ISS),
        Some(visit) if verdict.reach.redeems => {
            let message = "the client did not redeem a code that came without `iss`, which the \
                           metadata does not promise";
            verdict.fail_at(&ISS, message, &[&visit]);
        }
        _ => verdict.not_observed(&ISS, "the client does not go so far"),
    }
}
