//! The requests that wait for their answers.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher as _;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use foldhash::quality::RandomState;
use mcp_assay::{Carrier, Direction, Revision, Verdict};
use mcp_assay_contract::canonical::CanonicalError;
use mcp_assay_contract::envelope::NonEmpty;
use mcp_assay_contract::tool_io::ToolId;
use mcp_assay_report::Origin;

use super::attempts::{Attempt, Failed, Subject};
use super::ids::ExchangeIds;
use super::outcome::Fault;

/// Requests that are tracked; beyond that the oldest is dropped. Tests use fewer.
const MAX_OPEN: usize = if cfg!(test) { 256 } else { 16_384 };

/// How long a request waits until a repetition means that it has timed out.
const TIMED_OUT: Duration = Duration::from_secs(10);

/// Open requests of the same content that are compared with a repetition.
const MAX_COMPARED: usize = 16;

/// A request that waits for its answer.
#[derive(Clone, Debug)]
pub(super) struct Open {
    pub(super) key: Key,
    pub(super) ids: ExchangeIds,
    pub(super) source: Arc<str>,
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
    /// Whether the HTTP exchange that was to answer it is over.
    pub(super) cut_off: bool,
    /// Whether a further attempt was made.
    pub(super) repeated: bool,
    /// Counts from one.
    pub(super) attempt: NonZeroU32,
    /// The number of its content.
    pub(super) content: u64,
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
    open: BTreeMap<u64, Box<Open>>,
    /// Hashes of keys with the numbers of their requests.
    by_key: BTreeSet<(u64, u64)>,
    hasher: RandomState,
    /// Contents with the numbers of their requests.
    by_content: BTreeSet<(u64, u64)>,
    /// HTTP exchanges with the numbers of their requests.
    by_http: BTreeSet<(i64, u64)>,
    failed: Failed,
    /// Open requests that were cancelled or cut off.
    given_up: usize,
    /// No open request was sent before.
    earliest: Option<Duration>,
    next: u64,
}

impl Key {
    fn is(&self, session: Option<&str>, direction: Option<Direction>, id: &str) -> bool {
        self.session.as_deref() == session && self.direction == direction && self.id == id
    }

    /// The part that a repetition shares.
    fn subject(&self, content: u64) -> Subject {
        Subject {
            session: self.session.clone(),
            direction: self.direction,
            content,
        }
    }
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

    fn next_attempt(&self) -> Attempt {
        Attempt::after(self.attempt, &self.ids.request)
    }

    /// Whether an equal request is a further attempt: this one has timed out, or the other one
    /// takes its id, which a second request must not.
    fn is_repeated_by(&self, key: &Key, now: Option<Duration>) -> bool {
        let has_waited = match (self.time, now) {
            (Some(sent), Some(now)) => now.saturating_sub(sent) >= TIMED_OUT,
            _ => false,
        };
        let is_same_party = self.key.session == key.session && self.key.direction == key.direction;
        let has_timed_out = self.is_given_up() || has_waited || self.key.id == key.id;
        is_same_party && !self.repeated && has_timed_out
    }

    /// Whether the requester waits no longer, or nothing can come any more.
    fn is_given_up(&self) -> bool {
        self.cancelled || self.cut_off
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
    pub(super) fn begin(&mut self, number: u64, open: Box<Open>) -> Option<Box<Open>> {
        let evicted = if self.open.len() >= MAX_OPEN {
            let oldest = self.open.keys().next().copied();
            oldest.and_then(|number| self.remove(number))
        } else {
            None
        };
        if self.open.is_empty() {
            self.earliest = None;
        }
        self.earliest = [self.earliest, open.time].into_iter().flatten().min();
        self.by_key.insert((self.hash(&open.key), number));
        self.by_content.insert((open.content, number));
        if let Some(http) = open.http {
            self.by_http.insert((http, number));
        }
        self.open.insert(number, open);
        evicted
    }

    /// The place of a request among the attempts of its exchange. It is a further attempt if an
    /// equal one of the same party in the same session has failed in a way that may pass, or is
    /// still open and has timed out.
    pub(super) fn attempt(&mut self, key: &Key, content: u64, now: Option<Duration>) -> Attempt {
        let is_repeated =
            |failed: &Subject| failed.session == key.session && failed.direction == key.direction;
        if let Some(attempt) = self.failed.take(content, is_repeated) {
            return attempt;
        }
        // Unless one has timed out, only a request with the same id can be a further attempt.
        let (candidates, wanted) = if self.has_timed_out(now) {
            (&self.by_content, content)
        } else {
            (&self.by_key, self.hash(key))
        };
        let equal = candidates.range((wanted, 0)..=(wanted, u64::MAX)).rev();
        for (_, number) in equal.take(MAX_COMPARED) {
            let open = self.open.get_mut(number);
            let open = open.filter(|open| open.content == content);
            if let Some(open) = open.filter(|open| open.is_repeated_by(key, now)) {
                open.repeated = true;
                return open.next_attempt();
            }
        }
        Attempt::FIRST
    }

    /// Whether an open request was given up, or may have waited too long.
    fn has_timed_out(&self, now: Option<Duration>) -> bool {
        let has_waited = match (self.earliest, now) {
            (Some(earliest), Some(now)) => now.saturating_sub(earliest) >= TIMED_OUT,
            _ => false,
        };
        self.given_up > 0 || has_waited
    }

    /// Tracks an exchange that failed with this error, if it may be repeated.
    pub(super) fn failed(&mut self, open: &Open, error: CanonicalError) {
        if !open.repeated && error.is_retryable() {
            self.failed
                .add(open.key.subject(open.content), open.next_attempt());
        }
    }

    /// Marks the requests of an HTTP exchange that is over: no answer comes there any more.
    pub(super) fn cut_off(&mut self, session: Option<&str>, http: i64) {
        for (_, number) in self.by_http.range((http, 0)..=(http, u64::MAX)) {
            let open = self.open.get_mut(number);
            if let Some(open) = open.filter(|open| open.key.session.as_deref() == session) {
                self.given_up += usize::from(!open.is_given_up());
                open.cut_off = true;
            }
        }
    }

    /// Ends sessions, and takes their requests.
    pub(super) fn end(&mut self, pick: impl Fn(Option<&str>) -> bool) -> Vec<Open> {
        self.failed.end(&pick);
        self.take(|open| pick(open.key.session.as_deref()))
    }

    /// Takes the request that an answer belongs to; of several with the same id the first.
    pub(super) fn answer(
        &mut self,
        session: Option<&str>,
        answered_by: Option<Direction>,
        id: &str,
    ) -> Option<Box<Open>> {
        let number = self.find(session, answered_by.map(Direction::reverse), id)?;
        self.remove(number)
    }

    /// Marks a request as cancelled.
    pub(super) fn cancel(&mut self, session: Option<&str>, asked_by: Option<Direction>, id: &str) {
        let found = self.find(session, asked_by, id);
        if let Some(open) = found.and_then(|number| self.open.get_mut(&number)) {
            self.given_up += usize::from(!open.is_given_up());
            open.cancelled = true;
        }
    }

    /// Takes the requests of an HTTP exchange that ends without answers.
    pub(super) fn refuse(&mut self, session: Option<&str>, http: i64) -> Vec<Open> {
        let of_exchange = self.by_http.range((http, 0)..=(http, u64::MAX));
        let numbers: Vec<_> = of_exchange
            .map(|(_, number)| *number)
            .filter(|number| {
                let open = self.open.get(number);
                open.is_some_and(|open| open.key.session.as_deref() == session)
            })
            .collect();
        numbers
            .into_iter()
            .filter_map(|number| Some(*self.remove(number)?))
            .collect()
    }

    /// Takes the matching ones, in the order in which they came.
    fn take(&mut self, pick: impl Fn(&Open) -> bool) -> Vec<Open> {
        let picked = self.open.iter().filter(|(_, open)| pick(open));
        let numbers: Vec<_> = picked.map(|(number, _)| *number).collect();
        numbers
            .into_iter()
            .filter_map(|number| Some(*self.remove(number)?))
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
            let hash = self.hash_of(session, *direction, id);
            let equal = self.by_key.range((hash, 0)..=(hash, u64::MAX));
            let is_it = |number: &u64| {
                let open = self.open.get(number);
                open.is_some_and(|open| open.key.is(session, *direction, id))
            };
            let mut numbers = equal.map(|(_, number)| *number);
            numbers.find(is_it)
        })
    }

    fn remove(&mut self, number: u64) -> Option<Box<Open>> {
        let open = self.open.remove(&number)?;
        self.by_content.remove(&(open.content, number));
        self.by_key.remove(&(self.hash(&open.key), number));
        if let Some(http) = open.http {
            self.by_http.remove(&(http, number));
        }
        self.given_up -= usize::from(open.is_given_up());
        Some(open)
    }

    fn hash(&self, key: &Key) -> u64 {
        self.hash_of(key.session.as_deref(), key.direction, &key.id)
    }

    fn hash_of(&self, session: Option<&str>, direction: Option<Direction>, id: &str) -> u64 {
        self.hasher.hash_one((session, direction, id))
    }
}
