//! Where a client looks for an authorisation server, and in which order.

use crate::serve::oauth::{Errand, Guard, Place, Visit};
use crate::serve::verdicts::Verdict;

const ORDER: &str = "auth/discovery-order";
const LEGACY: &str = "auth/legacy-base-url";

impl Verdict<'_> {
    /// The challenge says where the metadata is.
    pub(super) fn told(&mut self) {
        // Who looks around before it is refused has no challenge to go by.
        let refused = self.scene.seen.refused.unwrap_or(i64::MAX);
        let visits = self.visits().iter().filter(|visit| visit.is_about_tokens());
        let (after, before): (Vec<Visit>, Vec<Visit>) =
            visits.cloned().partition(|visit| visit.exchange > refused);
        let of_resource = |visit: &&Visit| matches!(visit.errand, Errand::Resource(_));
        let instead = after.first().filter(|_| before.is_empty());
        match after.iter().find(of_resource).or(instead) {
            None => self.not_observed(
                ORDER,
                "the client does not look for metadata once it is refused",
            ),
            Some(visit) if visit.errand == Errand::Resource(Place::Told) => self.pass(ORDER),
            Some(visit) => {
                let message = format!(
                    "the client asked for `{}` although the challenge says where the metadata is",
                    visit.path
                );
                self.fail_refused(ORDER, message, visit);
            }
        }
    }

    /// It does not, and only the last of the places has it.
    pub(super) fn untold(&mut self) {
        let asked = self.asked_for_resource();
        let place = |place: Place| {
            let wanted = Errand::Resource(place);
            asked.iter().position(|visit| visit.errand == wanted)
        };
        match (place(Place::WithPath), place(Place::Root)) {
            (Some(path), Some(root)) if path < root => self.pass(ORDER),
            (_, Some(root)) => {
                let message = "the client asked for the metadata at the root before the well-known URI with the path of the endpoint";
                self.fail_refused(ORDER, message.to_owned(), &asked[root]);
            }
            (Some(path), None) => {
                let message = "the client did not look for the metadata at the root when it was not below the path of the endpoint";
                self.fail_refused(ORDER, message.to_owned(), &asked[path]);
            }
            (None, None) => {
                let message = "the client does not look for the metadata at a well-known URI when the challenge does not say where it is";
                let evidence = self.refusal();
                self.fail_with(ORDER, message.to_owned(), evidence);
            }
        }
    }

    /// The places of the metadata of an issuer have an order.
    pub(super) fn issuer_order(&mut self, guard: Guard) {
        const ID: &str = "auth/as-metadata-order";
        // Only the first issuer: the second may well be known.
        let asked: Vec<(usize, Visit)> = self
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
                self.fail_at(ID, message, &[visit]);
                return;
            }
            next = next.max(place + 1);
        }
        let served = guard.first_served().unwrap_or_default();
        if next > served {
            self.pass(ID);
            return;
        }
        let all: Vec<&Visit> = asked.iter().map(|(_, visit)| visit).collect();
        let message = "the client gave up before it had looked for the metadata of the authorisation server at all places";
        self.fail_at(ID, message, &all);
    }

    /// The server is its own authorisation server, and has metadata at its origin.
    pub(super) fn old(&mut self) {
        if let Some(asked) = self.on(Errand::Issuer(0)).first() {
            let elsewhere = self.first_guess();
            match (self.on(Errand::Authorize).first(), elsewhere) {
                (None, Some(guess)) => {
                    let message = format!(
                        "the client went to `{}` and not where the metadata of the server says",
                        guess.path
                    );
                    self.fail_at(LEGACY, message, &[asked, &guess]);
                }
                _ => self.pass(LEGACY),
            }
            return;
        }
        self.misled();
    }

    /// The same without metadata: the endpoints are at the origin.
    pub(super) fn old_defaults(&mut self) {
        let Some(asked) = self.on(Errand::Issuer(0)).into_iter().next() else {
            self.misled();
            return;
        };
        let is_endpoint =
            |visit: &&Visit| matches!(visit.errand, Errand::Register | Errand::Authorize);
        let used = self.visits().iter().find(is_endpoint).cloned();
        match (used, self.first_guess()) {
            (Some(used), _) if used.at < asked.at => {
                let message =
                    "the client used the default endpoints before it had asked for the metadata";
                self.fail_at(LEGACY, message, &[&used, &asked]);
            }
            (Some(_), _) => self.pass(LEGACY),
            (None, Some(guess)) => {
                let message = format!(
                    "the client went to `{}`, expected `/authorize`, `/token` and `/register` at the origin",
                    guess.path
                );
                self.fail_at(LEGACY, message, &[&guess]);
            }
            (None, None) if self.is_later() => self.not_observed(LEGACY, LATER),
            (None, None) => {
                let message = "the client gave up without metadata, expected `/authorize`, `/token` and `/register` at the origin";
                self.fail_at(LEGACY, message, &[&asked]);
            }
        }
    }

    /// The metadata at the origin was not asked for.
    fn misled(&mut self) {
        let visits = self.visits().iter();
        // That of the resource is for later revisions.
        let mut others = visits
            .filter(|visit| visit.is_about_tokens() && !visit.path.contains("protected-resource"));
        match others.next().cloned() {
            Some(visit) => {
                let message = format!(
                    "the client asked for `{}`, expected the metadata at the origin first",
                    visit.path
                );
                self.fail_at(LEGACY, message, &[&visit]);
            }
            None => self.not_observed(LEGACY, LATER),
        }
    }

    /// The first attempt to register or to authorise where nobody is.
    fn first_guess(&self) -> Option<Visit> {
        self.visits().iter().find(|visit| visit.is_guess()).cloned()
    }

    /// Whether the client does as later revisions say, which know no such server.
    fn is_later(&self) -> bool {
        !self.asked_for_resource().is_empty()
    }

    fn asked_for_resource(&self) -> Vec<Visit> {
        let visits = self.visits().iter();
        let visits = visits.filter(|visit| matches!(visit.errand, Errand::Resource(_)));
        visits.cloned().collect()
    }

    fn fail_refused(&mut self, id: &'static str, message: String, visit: &Visit) {
        let mut evidence = self.refusal();
        evidence.extend(self.exchange(visit));
        self.fail_with(id, message, evidence);
    }
}

const LATER: &str = "the client looks for the metadata of the resource, as later revisions say";
