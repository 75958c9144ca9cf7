//! The places where a client looks for the metadata of an authorisation server.

use super::verdict::Verdict;
use crate::requirement::{ERROR, Requirement, SINCE_2025_11};
use crate::serve::oauth::{Errand, Guard, Visit};

pub(super) static ISSUER_ORDER: Requirement = Requirement::of_client(
    "auth/as-metadata-order",
    ERROR,
    SINCE_2025_11,
    "Authorization server metadata is looked for in the fixed order of OAuth and OpenID \
     well-known URIs.",
)
.page(
    "basic/authorization/authorization-server-discovery#authorization-server-metadata-discovery",
    "Servers publish their metadata at one of these places; a client that skips one \
         cannot log in there.",
    "try the OAuth and then the OpenID well-known URIs, with the path of the issuer \
         inserted first",
);

/// The places of the metadata of an issuer have an order.
pub(super) fn check(verdict: &mut Verdict<'_>, guard: Guard) {
    // Only the first issuer: the second may well be known.
    let asked: Vec<(usize, Visit)> = verdict
        .visits()
        .iter()
        .filter(|visit| visit.door == 1)
        .filter_map(|visit| match visit.errand {
            Errand::Issuer(place) => Some((place, visit.clone())),
            _ => None,
        })
        .collect();
    if asked.is_empty() {
        return;
    }
    let mut next = 0;
    for (place, visit) in &asked {
        if *place > next {
            let message = format!(
                "the client asked for `{}` before the places that come first",
                visit.path
            );
            verdict.fail_at(&ISSUER_ORDER, message, &[visit]);
            return;
        }
        next = next.max(place + 1);
    }
    let served = guard.first_served().unwrap_or_default();
    if next > served {
        verdict.pass(&ISSUER_ORDER);
        return;
    }
    let all: Vec<&Visit> = asked.iter().map(|(_, visit)| visit).collect();
    let message = "the client gave up before it had looked for the metadata of the authorisation server at \
         all places";
    verdict.fail_at(&ISSUER_ORDER, message, &all);
}
