//! What a client does for a token.

mod discovery;
mod refusals;
mod requests;

use super::Verdict;
use crate::record::Record;
use crate::serve::oauth::{Errand, Guard, Visit};

/// The requirements that a client without authorisation shows nothing about.
const ALL: [&str; 13] = [
    "auth/metadata-resource-matches",
    "auth/discovery-order",
    "auth/as-metadata-order",
    "auth/as-metadata-issuer",
    "auth/legacy-base-url",
    "auth/pkce",
    "auth/pkce-support-checked",
    "auth/resource-parameter",
    "auth/redirect-uri",
    "auth/iss-checked",
    "auth/client-metadata-document",
    "auth/application-type",
    "auth/credentials-per-issuer",
];

impl Verdict<'_> {
    pub(super) fn guarded(&mut self, guard: Guard) {
        if self.reach.is_hopeless() {
            for id in ALL {
                self.not_observed(
                    id,
                    "the client asks for no token when it is refused with 401",
                );
            }
            return;
        }
        match guard {
            Guard::Told => self.told(),
            Guard::Untold => self.untold(),
            Guard::PathIssuer | Guard::OpenId => {}
            Guard::Old => self.old(),
            Guard::OldDefaults => self.old_defaults(),
            Guard::Changed => self.changed(),
            Guard::OtherResource => self.other_resource(),
            Guard::OtherIssuer => self.other_issuer(),
            Guard::NoPkce => self.no_pkce(),
            Guard::IssMissing | Guard::IssAltered | Guard::IssUnasked => self.iss(guard),
        }
        if !guard.is_old() {
            self.issuer_order(guard);
        }
        self.registration();
        self.redirects();
        if guard != Guard::NoPkce {
            self.pkce();
        }
        if guard != Guard::OtherResource {
            self.resource();
        }
        if guard.takes_documents() {
            self.documents();
        }
    }

    fn visits(&self) -> &[Visit] {
        &self.scene.seen.visits
    }

    /// The visits of one kind.
    fn on(&self, errand: Errand) -> Vec<Visit> {
        let visits = self.visits().iter();
        let visits = visits.filter(|visit| visit.errand == errand);
        visits.cloned().collect()
    }

    /// A visit, and how it was answered.
    fn exchange(&self, visit: &Visit) -> Vec<Record> {
        self.records(visit.exchange)
    }

    /// The first refusal.
    fn refusal(&self) -> Vec<Record> {
        let refused = self.scene.seen.refused;
        refused.map_or_else(Vec::new, |exchange| self.records(exchange))
    }

    fn records(&self, exchange: i64) -> Vec<Record> {
        let records = self.scene.talks.first().map(|talk| talk.records.iter());
        let of_it = |record: &&Record| record.exchange() == Some(exchange);
        records
            .into_iter()
            .flatten()
            .filter(of_it)
            .cloned()
            .collect()
    }

    /// What was said in these visits shows it.
    fn fail_at(&mut self, id: &'static str, message: impl Into<String>, visits: &[&Visit]) {
        let evidence = visits.iter().flat_map(|visit| self.exchange(visit));
        let evidence = evidence.collect();
        self.fail_with(id, message.into(), evidence);
    }
}
