//! How far a client goes for a token when nothing is wrong: what it does not do then, it need not
//! refuse later.

use std::collections::BTreeMap;
use std::time::Duration;

use super::fetch::{Document, fetch};
use super::guard::Guard;
use super::visit::{Errand, Visit};

/// Documents fetched.
const MOST_DOCUMENTS: usize = 4;

/// How far a client goes for a token when nothing is wrong.
#[derive(Default)]
pub(crate) struct Reach {
    /// Whether it looks for a token when it is refused for want of one; nothing if it never was.
    looks: Option<bool>,
    pub(crate) authorizes: bool,
    pub(crate) redeems: bool,
    /// The documents by which it made itself known.
    pub(crate) documents: BTreeMap<String, Document>,
}

impl Reach {
    /// Takes in what was seen in a scenario.
    pub(crate) fn extend(&mut self, guard: Guard, visits: &[Visit]) {
        if !guard.is_fair() {
            return;
        }
        let has = |errand| visits.iter().any(|visit| visit.errand == errand);
        let looks = visits.iter().any(Visit::is_about_tokens);
        self.looks = Some(looks || self.looks == Some(true));
        self.authorizes |= has(Errand::Authorize);
        self.redeems |= has(Errand::Token);
    }

    /// Fetches the documents by which the client makes itself known, as an authorisation server
    /// would.
    pub(crate) fn fetch(&mut self, guard: Guard, visits: &[Visit], patience: Duration) {
        let ids = visits
            .iter()
            .filter(|visit| guard.takes_documents() && visit.errand == Errand::Authorize)
            .filter_map(|visit| visit.parameter("client_id"))
            .filter(|id| id.starts_with("https://"));
        for id in ids {
            if self.documents.len() < MOST_DOCUMENTS && !self.documents.contains_key(id) {
                self.documents.insert(id.to_owned(), fetch(id, patience));
            }
        }
    }

    /// Whether it is known to have nothing to do with tokens.
    pub(crate) fn is_hopeless(&self) -> bool {
        self.looks == Some(false)
    }
}
