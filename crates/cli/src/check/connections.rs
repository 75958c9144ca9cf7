//! The connections of one capture: a session each, and the HTTP exchanges that are under way.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::hash::{BuildHasher, RandomState};

use mcp_assay::{Party, Revision, Session};

/// Sessions that keep the buffers that they reuse: those that were used last.
const MAX_WARM: usize = 256;

/// The connections of one capture.
pub(super) struct Connections {
    /// The connection of lines and records that name no session.
    unnamed: Connection,
    /// By the hashes of their names. Connections are boxed, and hold their names themselves: the
    /// table has room for twice as many as it holds.
    named: HashMap<u64, Box<Connection>>,
    /// The connections that keep their buffers, the oldest first.
    warm: VecDeque<u64>,
    /// The seed is random, so that nobody can construct two names that are taken for one.
    seed: RandomState,
    /// The maximum number of named connections.
    limit: usize,
    /// Whether connections were dropped: an unknown name may be one of theirs.
    dropped: bool,
    /// Counts lookups, to find the connection that was idle longest.
    clock: u64,
    /// Counts records that may have belonged to any connection and were lost.
    lost: u64,
    /// Whether the beginning of any connection may not have been recorded.
    has_gap: bool,
}

/// One connection.
#[derive(Default)]
pub(super) struct Connection {
    name: Option<Box<str>>,
    pub(super) session: Session,
    /// Boxed: most connections are idle most of the time.
    #[expect(clippy::box_collection, reason = "a program may hold a million")]
    exchanges: Option<Box<BTreeMap<i64, Revision>>>,
    last_used: u64,
    /// The lost records that the session takes into account.
    lost: u64,
    is_warm: bool,
    /// Whether a record said that it ended.
    is_closed: bool,
}

impl Connections {
    /// No connections yet, and at most this number of named ones.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            unnamed: Connection::default(),
            named: HashMap::new(),
            warm: VecDeque::new(),
            seed: RandomState::new(),
            limit: limit.max(1),
            dropped: false,
            clock: 0,
            lost: 0,
            has_gap: false,
        }
    }

    /// The connection of this name.
    pub(super) fn named(&mut self, name: Option<&str>) -> &mut Connection {
        let Some(name) = name else {
            self.unnamed.lose_track_until(self.lost);
            return &mut self.unnamed;
        };
        self.clock += 1;
        let key = self.seed.hash_one(name);
        if self.named.get(&key).is_none_or(|known| !known.is_warm) {
            self.warm_up(key, name);
        }
        // It was inserted above if it was missing.
        let connection = self.named.get_mut(&key).expect("a connection of this name");
        connection.last_used = self.clock;
        connection.lose_track_until(self.lost);
        connection
    }

    /// Tracks that a record of any connection is lost.
    pub(super) fn lose_track(&mut self) {
        self.lost += 1;
    }

    /// Tracks a gap in the recording: any connection lacks something, those that are seen later
    /// perhaps their beginning.
    pub(super) fn add_gap(&mut self) {
        self.lost += 1;
        self.has_gap = true;
    }

    /// Takes the lost records into account in all sessions.
    pub(super) fn settle(&mut self) {
        self.unnamed.lose_track_until(self.lost);
        for connection in self.named.values_mut() {
            connection.lose_track_until(self.lost);
        }
    }

    /// The sessions that are still tracked, in the order of their names.
    pub(super) fn sessions(&self) -> impl Iterator<Item = (Option<&str>, &Session)> {
        let mut all: Vec<&Connection> = self.named.values().map(|named| &**named).collect();
        all.push(&self.unnamed);
        all.sort_unstable_by_key(|connection| connection.name.as_deref());
        all.into_iter()
            .map(|connection| (connection.name.as_deref(), &connection.session))
    }

    /// Adds a connection, or lets an idle one keep its buffers from now on; the one that has kept
    /// them longest releases them.
    fn warm_up(&mut self, key: u64, name: &str) {
        if !self.named.contains_key(&key) {
            let connection = self.new_connection(name);
            self.named.insert(key, connection);
        }
        if let Some(connection) = self.named.get_mut(&key) {
            connection.is_warm = true;
        }
        self.warm.push_back(key);
        if self.warm.len() > MAX_WARM
            && let Some(oldest) = self.warm.pop_front()
            && let Some(connection) = self.named.get_mut(&oldest)
        {
            connection.is_warm = false;
            connection.session.release_buffers();
            connection.exchanges.take_if(|open| open.is_empty());
        }
    }

    /// A connection with a new name; at the limit others are dropped for it. Then a new name may be
    /// that of a dropped connection, so nothing is concluded from a missing message.
    fn new_connection(&mut self, name: &str) -> Box<Connection> {
        let mut connection = Box::new(Connection {
            name: Some(name.into()),
            lost: self.lost,
            ..Connection::default()
        });
        if self.named.len() >= self.limit {
            self.drop_idle();
            if !self.dropped {
                connection.session.report_dropped_sessions();
            }
            self.dropped = true;
        }
        if self.dropped || self.has_gap {
            connection.session.lose_track();
        }
        connection
    }

    /// Drops the half that was idle longest, so that this happens seldom.
    fn drop_idle(&mut self) {
        let mut times: Vec<_> = self
            .named
            .values()
            .map(|connection| connection.last_used)
            .collect();
        let middle = times.len() / 2;
        let (_, &mut median, _) = times.select_nth_unstable(middle);
        self.named
            .retain(|_, connection| connection.last_used > median);
        self.warm.retain(|key| self.named.contains_key(key));
    }
}

impl Connection {
    /// Whether a record said that it ended.
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Tracks that it ended, and which party ended it, if that is known.
    pub(super) fn close(&mut self, by: Option<Party>) {
        self.is_closed = true;
        if let Some(party) = by {
            self.session.close(party);
        }
    }

    /// Begins a new connection under the same name; returns the session of the old one.
    pub(super) fn restart(&mut self) -> Session {
        self.is_closed = false;
        self.exchanges = None;
        std::mem::take(&mut self.session)
    }

    /// Marks the session as incomplete if records were lost since it was last used.
    fn lose_track_until(&mut self, lost: u64) {
        if self.lost < lost {
            self.lost = lost;
            self.session.lose_track();
        }
    }

    /// Records the revision that the head of an exchange names; returns the one that is in force
    /// for it.
    pub(super) fn header_revision(
        &mut self,
        exchange: Option<i64>,
        named: Option<Revision>,
        limit: usize,
    ) -> Option<Revision> {
        let Some(exchange) = exchange else {
            return named;
        };
        if let Some(revision) = named {
            let open = self.exchanges.get_or_insert_default();
            open.insert(exchange, revision);
            // The session tracks as many, and reports that there are more.
            if open.len() > limit.max(1) {
                open.pop_first();
            }
        }
        named.or_else(|| self.exchanges.as_ref()?.get(&exchange).copied())
    }

    /// Drops an exchange that is over.
    pub(super) fn end(&mut self, exchange: Option<i64>) {
        if let (Some(exchange), Some(open)) = (exchange, &mut self.exchanges) {
            open.remove(&exchange);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_has_the_revision_of_its_request() {
        let mut connection = Connection::default();
        let revision = Revision::latest();
        assert_eq!(
            connection.header_revision(Some(4), Some(revision), 9),
            Some(revision)
        );
        assert_eq!(connection.header_revision(Some(4), None, 9), Some(revision));
        assert_eq!(connection.header_revision(Some(5), None, 9), None);
        connection.end(Some(4));
        assert_eq!(connection.header_revision(Some(4), None, 9), None);
    }

    #[test]
    fn memory_is_bounded_and_the_idle_go_first() {
        const LIMIT: usize = 2000;
        let mut connections = Connections::new(LIMIT);
        for number in 0..3 * LIMIT {
            connections
                .named(Some("busy"))
                .header_revision(Some(1), Some(Revision::latest()), 9);
            connections.named(Some(&number.to_string()));
            assert!(connections.named.len() <= LIMIT && connections.warm.len() <= MAX_WARM);
            let warm = connections.named.values().filter(|known| known.is_warm);
            assert!(number % 100 > 0 || warm.count() == connections.warm.len());
        }
        assert_eq!(
            connections
                .named(Some("busy"))
                .header_revision(Some(1), None, 9),
            Some(Revision::latest())
        );
        let connection = connections.named(None);
        for number in 0..20 {
            connection.header_revision(Some(number), Some(Revision::latest()), 9);
        }
        assert_eq!(
            connection.exchanges.as_ref().map(|open| open.len()),
            Some(9)
        );
    }

    #[test]
    fn at_the_smallest_limit_there_is_still_room_for_one() {
        let mut connections = Connections::new(0);
        for name in ["a", "b", "a"] {
            connections.named(Some(name));
            assert_eq!(connections.named.len(), 1, "{name}");
        }
    }
}
