//! The places where a client looks for the metadata of the resource.

use super::auth::asked_for_resource;
use super::verdict::Verdict;
use crate::requirement::{ERROR, Requirement, SINCE_2025_11};
use crate::serve::oauth::{Errand, Place, Visit};

pub(super) static ORDER: Requirement = Requirement::of_client(
    "auth/discovery-order",
    ERROR,
    SINCE_2025_11,
    "A client uses resource_metadata from the challenge if present, else the well-known URI \
     with the endpoint path, else the root one.",
).page(
        "basic/authorization/authorization-server-discovery#protected-resource-metadata-discovery-requirements",
        "The challenge names the metadata that is meant; metadata from elsewhere may belong \
         to another resource.",
        "use `resource_metadata` of the challenge, then the well-known URI with the path, \
         then the one at the root",
    );

/// The challenge says where the metadata is.
pub(super) fn check_told(verdict: &mut Verdict<'_>) {
    // A client that looks around before it is refused has no challenge to go by.
    let refused = verdict.scene.seen.refused.unwrap_or(i64::MAX);
    let visits = verdict
        .visits()
        .iter()
        .filter(|visit| visit.is_about_tokens());
    let (after, before): (Vec<Visit>, Vec<Visit>) =
        visits.cloned().partition(|visit| visit.exchange > refused);
    let of_resource = |visit: &&Visit| matches!(visit.errand, Errand::Resource(_));
    let instead = after.first().filter(|_| before.is_empty());
    match after.iter().find(of_resource).or(instead) {
        None => verdict.not_observed(
            &ORDER,
            "the client does not look for metadata once it is refused",
        ),
        Some(visit) if visit.errand == Errand::Resource(Place::Told) => verdict.pass(&ORDER),
        Some(visit) => {
            let message = format!(
                "the client asked for `{}` although the challenge says where the metadata is",
                visit.path
            );
            fail_refused(verdict, message, visit);
        }
    }
}

/// The challenge does not say where the metadata is, and only the last of the places has it.
pub(super) fn check_untold(verdict: &mut Verdict<'_>) {
    let asked = asked_for_resource(verdict);
    let place = |place: Place| {
        let wanted = Errand::Resource(place);
        asked.iter().position(|visit| visit.errand == wanted)
    };
    match (place(Place::WithPath), place(Place::Root)) {
        (Some(path), Some(root)) if path < root => verdict.pass(&ORDER),
        (_, Some(root)) => {
            let message = "the client asked for the metadata at the root before the well-known URI with the \
                 path of the endpoint";
            fail_refused(verdict, message.to_owned(), &asked[root]);
        }
        (Some(path), None) => {
            let message = "the client did not look for the metadata at the root when it was not below the \
                 path of the endpoint";
            fail_refused(verdict, message.to_owned(), &asked[path]);
        }
        (None, None) => {
            let message = "the client does not look for the metadata at a well-known URI when the challenge \
                 does not say where it is";
            let evidence = verdict.refusal();
            verdict.fail_with(&ORDER, message.to_owned(), evidence);
        }
    }
}

fn fail_refused(verdict: &mut Verdict<'_>, message: String, visit: &Visit) {
    let mut evidence = verdict.refusal();
    evidence.extend(verdict.exchange(visit));
    verdict.fail_with(&ORDER, message, evidence);
}
