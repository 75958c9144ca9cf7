//! What a client must not go along with.

use crate::serve::oauth::{Errand, Guard, Visit};
use crate::serve::verdicts::Verdict;

impl Verdict<'_> {
    /// The metadata is that of another resource.
    pub(super) fn other_resource(&mut self) {
        const ID: &str = "auth/metadata-resource-matches";
        let is_metadata = |visit: &&Visit| matches!(visit.errand, Errand::Resource(_));
        let read = self.visits().iter().find(is_metadata).cloned();
        let used = self.first_use(&[Errand::Register, Errand::Authorize]);
        let message =
            "the client took metadata whose `resource` is another server than the one it talks to";
        self.refused(ID, read, used, self.reach.authorizes, message);
    }

    /// The metadata of the authorisation server is that of another.
    pub(super) fn other_issuer(&mut self) {
        const ID: &str = "auth/as-metadata-issuer";
        let read = self.issuer_metadata();
        let used = self.first_use(&[Errand::Register, Errand::Authorize]);
        let message = "the client used metadata whose `issuer` is not the one it was fetched for";
        self.refused(ID, read, used, self.reach.authorizes, message);
    }

    /// The metadata of the authorisation server does not speak of PKCE.
    pub(super) fn no_pkce(&mut self) {
        const ID: &str = "auth/pkce-support-checked";
        let read = self.issuer_metadata();
        let used = self.first_use(&[Errand::Authorize]);
        let message =
            "the client went on although the metadata has no `code_challenge_methods_supported`";
        self.refused(ID, read, used, self.reach.authorizes, message);
    }

    /// The redirect does not name the issuer, or another.
    pub(super) fn iss(&mut self, guard: Guard) {
        const ID: &str = "auth/iss-checked";
        let message = match guard {
            Guard::IssMissing => {
                "the client redeemed a code that came without `iss`, although the metadata promises one"
            }
            Guard::IssAltered => {
                "the client redeemed a code that came with an `iss` that differs from the issuer by a slash"
            }
            _ => "the client redeemed a code that came with the `iss` of another issuer",
        };
        let read = self.on(Errand::Authorize).into_iter().next();
        let used = self.first_use(&[Errand::Token]);
        self.refused(ID, read, used, self.reach.redeems, message);
    }

    /// Another authorisation server is in charge.
    pub(super) fn changed(&mut self) {
        const ID: &str = "auth/credentials-per-issuer";
        let old: Vec<&str> = self
            .scene
            .seen
            .clients
            .iter()
            .filter(|(door, _)| *door == 1)
            .map(|(_, id)| id.as_str())
            .collect();
        let sends_old = |visit: &&Visit| {
            let id = visit.parameter("client_id");
            visit.door == 2 && id.is_some_and(|id| old.contains(&id))
        };
        let at_new = |errand: Errand| {
            let visits = self.visits().iter();
            visits.filter(move |visit| visit.door == 2 && visit.errand == errand)
        };
        let registered = self
            .visits()
            .iter()
            .find(|visit| visit.door == 1 && visit.errand == Errand::Register)
            .cloned();
        if let Some(sent) = self.visits().iter().find(sends_old).cloned() {
            let message = "the client sent the `client_id` of one authorisation server to another";
            let shown: Vec<&Visit> = registered.iter().chain([&sent]).collect();
            self.fail_at(ID, message, &shown);
        } else if at_new(Errand::Register).next().is_some() {
            self.pass(ID);
        } else if let Some(visit) = at_new(Errand::Authorize).next() {
            let id = visit.parameter("client_id").unwrap_or_default();
            if id.starts_with("https://") {
                self.not_applicable(
                    ID,
                    "the client has a document that all authorisation servers can read",
                );
            } else {
                self.not_observed(ID, "the client does not register itself");
            }
        } else {
            self.not_observed(
                ID,
                "the client did not turn to the new authorisation server",
            );
        }
    }

    /// What was read must not be followed by what was used. It counts only for clients that would otherwise go so far.
    fn refused(
        &mut self,
        id: &'static str,
        read: Option<Visit>,
        used: Option<Visit>,
        usual: bool,
        message: &str,
    ) {
        match (read, used) {
            (Some(read), Some(used)) => self.fail_at(id, message, &[&read, &used]),
            (Some(_), None) if usual => self.pass(id),
            _ => self.not_observed(id, "the client does not go so far"),
        }
    }

    fn issuer_metadata(&self) -> Option<Visit> {
        let is_metadata = |visit: &&Visit| matches!(visit.errand, Errand::Issuer(_));
        self.visits().iter().find(is_metadata).cloned()
    }

    /// The first visit of these kinds to the authorisation server.
    fn first_use(&self, errands: &[Errand]) -> Option<Visit> {
        let visits = self.visits().iter();
        let mut used = visits.filter(|visit| visit.door > 0 && errands.contains(&visit.errand));
        used.next().cloned()
    }
}
