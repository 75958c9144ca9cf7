//! A server of 2025-03-26, which is its own authorisation server.

use super::auth::asked_for_resource;
use super::verdict::Verdict;
use crate::requirement::{ERROR, ONLY_2025_03, Requirement};
use crate::serve::oauth::{Errand, Visit};

pub(super) static LEGACY: Requirement = Requirement::of_client(
    "auth/legacy-base-url",
    ERROR,
    ONLY_2025_03,
    "In 2025-03-26 the authorization base is the server origin without path, with metadata \
     first and /authorize, /token, /register as fallback.",
)
.page(
    "basic/authorization#authorization-base-url",
    "The endpoints of 2025-03-26 are at fixed places below the origin; elsewhere nobody \
         answers.",
    "drop the path of the server's URL, ask for the metadata, and fall back to \
         `/authorize`, `/token` and `/register`",
);

/// The server is its own authorisation server, and has metadata at its origin.
pub(super) fn check_metadata(verdict: &mut Verdict<'_>) {
    if let Some(asked) = verdict.on(Errand::Issuer(0)).first() {
        let elsewhere = first_guess(verdict);
        match (verdict.on(Errand::Authorize).first(), elsewhere) {
            (None, Some(guess)) => {
                let message = format!(
                    "the client went to `{}` and not where the metadata of the server says",
                    guess.path
                );
                verdict.fail_at(&LEGACY, message, &[asked, &guess]);
            }
            _ => verdict.pass(&LEGACY),
        }
        return;
    }
    misled(verdict);
}

/// The same without metadata: the endpoints are at the origin.
pub(super) fn check_defaults(verdict: &mut Verdict<'_>) {
    let Some(asked) = verdict.on(Errand::Issuer(0)).into_iter().next() else {
        misled(verdict);
        return;
    };
    let is_endpoint = |visit: &&Visit| matches!(visit.errand, Errand::Register | Errand::Authorize);
    let used = verdict.visits().iter().find(is_endpoint).cloned();
    match (used, first_guess(verdict)) {
        (Some(used), _) if used.at < asked.at => {
            let message =
                "the client used the default endpoints before it had asked for the metadata";
            verdict.fail_at(&LEGACY, message, &[&used, &asked]);
        }
        (Some(_), _) => verdict.pass(&LEGACY),
        (None, Some(guess)) => {
            let message = format!(
                "the client went to `{}`, expected `/authorize`, `/token` and `/register` at the \
                 origin",
                guess.path
            );
            verdict.fail_at(&LEGACY, message, &[&guess]);
        }
        (None, None) if is_later(verdict) => verdict.not_observed(&LEGACY, LATER),
        (None, None) => {
            let message = "the client gave up without metadata, expected `/authorize`, `/token` and \
                 `/register` at the origin";
            verdict.fail_at(&LEGACY, message, &[&asked]);
        }
    }
}

/// The metadata at the origin was not asked for.
fn misled(verdict: &mut Verdict<'_>) {
    let visits = verdict.visits().iter();
    // That of the resource is for later revisions.
    let mut others = visits
        .filter(|visit| visit.is_about_tokens() && !visit.path.contains("protected-resource"));
    match others.next().cloned() {
        Some(visit) => {
            let message = format!(
                "the client asked for `{}`, expected the metadata at the origin first",
                visit.path
            );
            verdict.fail_at(&LEGACY, message, &[&visit]);
        }
        None => verdict.not_observed(&LEGACY, LATER),
    }
}

/// The first attempt to register or to authorise where nobody is.
fn first_guess(verdict: &Verdict<'_>) -> Option<Visit> {
    verdict
        .visits()
        .iter()
        .find(|visit| visit.is_guess())
        .cloned()
}

/// Whether the client does as later revisions say, which know no such server.
fn is_later(verdict: &Verdict<'_>) -> bool {
    !asked_for_resource(verdict).is_empty()
}

const LATER: &str = "the client looks for the metadata of the resource, as later revisions say";
