//! The requests that wait for their answers.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use mcp_assay::{Carrier, Direction, Revision, Verdict};
use mcp_assay_contract::envelope::NonEmpty;
use mcp_assay_contract::tool_io::ToolId;
use mcp_assay_report::Origin;

use super::ids::ExchangeIds;
use super::outcome::Fault;

/// Requests that are tracked; beyond that the oldest is dropped. Tests use fewer.
const MAX_OPEN: usize = if cfg!(test) { 256 } else { 16_384 };

/// A request that waits for its answer.
#[derive(Clone, Debug)]
pub(super) struct Open {
    pub(super) key: Key,
    pub(super) ids: ExchangeIds,
    pub(super) source: Box<str>,
    pub(super) line: u64,
    pub(super) carrier: Carrier,
    /// The number of the HTTP exchange.
    pub(super) http: Option<i64>,
    pub(super) route: Option<String>,
    pub(super) method: Option<String>,
    pub(super) tool: Option<ToolId>,
    pub(super) prompt: Option<NonEmpty>,
    pub(super) revision: Option<Revision>,
    pub(super) time: Option<Duration>,
    pub(super) bytes: usize,
    /// The result of the request, and later of the exchange.
    pub(super) verdict: Verdict,
    /// Its first errors.
    pub(super) faults: Vec<Fault>,
    /// Whether the requester has cancelled it.
    pub(super) cancelled: bool,
}

/// The key of a request: session, requester, and the id as JSON.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Key {
    pub(super) session: Option<Box<str>>,
    pub(super) direction: Option<Direction>,
    pub(super) id: String,
}

/// The requests that wait for their answers, by number in the order in which they came.
#[derive(Default, Debug)]
pub(super) struct Exchanges {
    open: BTreeMap<u64, Open>,
    by_key: HashMap<Key, Vec<u64>>,
    next: u64,
}

impl Open {
    /// The origin of the request.
    pub(super) fn origin(&self) -> Origin<'_> {
        Origin {
            source: &self.source,
            line: self.line,
            session: self.key.session.as_deref(),
            ..Origin::default()
        }
    }

    /// The requester.
    pub(super) fn direction(&self) -> Option<Direction> {
        self.key.direction
    }

    /// The id as JSON.
    pub(super) fn id(&self) -> &str {
        &self.key.id
    }
}

impl Exchanges {
    /// A number for the next exchange.
    pub(super) fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// Adds a request. Returns the one that is dropped for it.
    pub(super) fn begin(&mut self, number: u64, open: Open) -> Option<Open> {
        let evicted = if self.open.len() >= MAX_OPEN {
            let oldest = self.open.keys().next().copied();
            oldest.and_then(|number| self.remove(number))
        } else {
            None
        };
        self.by_key
            .entry(open.key.clone())
            .or_default()
            .push(number);
        self.open.insert(number, open);
        evicted
    }

    /// Takes the request that an answer belongs to; of several with the same id the first.
    pub(super) fn answer(
        &mut self,
        session: Option<&str>,
        answered_by: Option<Direction>,
        id: &str,
    ) -> Option<Open> {
        let number = self.find(session, answered_by.map(Direction::reverse), id)?;
        self.remove(number)
    }

    /// Marks a request as cancelled.
    pub(super) fn cancel(&mut self, session: Option<&str>, asked_by: Option<Direction>, id: &str) {
        let found = self.find(session, asked_by, id);
        if let Some(open) = found.and_then(|number| self.open.get_mut(&number)) {
            open.cancelled = true;
        }
    }

    /// Takes the requests of an HTTP exchange that ends without answers.
    pub(super) fn refuse(&mut self, session: Option<&str>, http: i64) -> Vec<Open> {
        self.take(|open| open.http == Some(http) && open.key.session.as_deref() == session)
    }

    /// Takes the matching ones, in the order in which they came.
    pub(super) fn take(&mut self, pick: impl Fn(&Open) -> bool) -> Vec<Open> {
        let picked = self.open.iter().filter(|(_, open)| pick(open));
        let numbers: Vec<_> = picked.map(|(number, _)| *number).collect();
        numbers
            .into_iter()
            .filter_map(|number| self.remove(number))
            .collect()
    }

    /// Drops everything, and counts from the beginning.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// A carrier that does not name the sender leaves the requester open.
    fn find(&self, session: Option<&str>, asked_by: Option<Direction>, id: &str) -> Option<u64> {
        let both = [Direction::ClientToServer, Direction::ServerToClient].map(Some);
        let directions: &[_] = match asked_by {
            Some(_) => &[asked_by, None],
            None => &[None, both[0], both[1]],
        };
        directions.iter().find_map(|direction| {
            let key = Key {
                session: session.map(Box::from),
                direction: *direction,
                id: id.to_owned(),
            };
            self.by_key.get(&key)?.first().copied()
        })
    }

    fn remove(&mut self, number: u64) -> Option<Open> {
        let open = self.open.remove(&number)?;
        if let Some(numbers) = self.by_key.get_mut(&open.key) {
            numbers.retain(|other| *other != number);
            if numbers.is_empty() {
                self.by_key.remove(&open.key);
            }
        }
        Some(open)
    }
}
