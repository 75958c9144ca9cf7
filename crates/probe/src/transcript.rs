//! Everything that passed on a connection, kept for a timeline and judged once more to be shown.

use std::collections::BTreeMap;

use mcp_assay::{Checked, Ending, Revision, Session};

use crate::options::Options;
use crate::record::Record;

/// Everything that passed on a connection.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Connection {
    /// The revision that was agreed on.
    pub revision: Option<Revision>,
    /// Everything that passed, in its order.
    pub records: Vec<Record>,
    /// The record and the rule of each violation that counts. Others are ours, or follow from what
    /// we did.
    pub found: Vec<(usize, &'static str)>,
}

/// Something to show of a connection.
pub enum Seen<'c> {
    /// A record, with its place.
    Record(usize, &'c Record, &'c Checked<'c>),
    /// The findings at its end.
    Ending(&'c Ending),
}

impl Connection {
    /// Shows everything that passed once more, as the rules see it.
    pub fn replay(&self, options: &Options, mut look: impl FnMut(Seen<'_>)) {
        let mut validator = options.validator();
        let mut session = Session::new();
        // The revision in the header of an HTTP request is also that of its answer.
        let mut headers: BTreeMap<i64, Revision> = BTreeMap::new();
        for (at, record) in self.records.iter().enumerate() {
            if let (Some(exchange), Some(revision)) = (record.exchange(), record.header_revision())
            {
                headers.insert(exchange, revision);
            }
            let header = record
                .exchange()
                .and_then(|exchange| headers.get(&exchange).copied());
            record.with_frame(at as u64, header, |frame| {
                let checked = validator.check(&mut session, frame);
                look(Seen::Record(at, record, &checked));
            });
        }
        for ending in validator.end(&session) {
            if self.counts(
                usize::try_from(ending.at).unwrap_or_default(),
                ending.rule.name,
            ) {
                look(Seen::Ending(&ending));
            }
        }
    }

    /// Whether a violation of a rule in a record counts.
    #[must_use]
    pub fn counts(&self, at: usize, rule: &str) -> bool {
        self.found
            .iter()
            .any(|(place, name)| *place == at && *name == rule)
    }
}
