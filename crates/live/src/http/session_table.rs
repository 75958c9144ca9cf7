//! Finds the session of an exchange: by its session id, or, for the older transport, by the path
//! that its stream names. It knows no clock: `now` is the time since the table was made.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use foldhash::quality::RandomState;

/// The longest id or path that is tracked, in bytes: memory is bounded.
const MAX_KEY: usize = 1024;

/// The name of a session.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SessionKey {
    upstream: usize,
    kind: Kind,
    text: Arc<str>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Kind {
    Id,
    Path,
}

impl SessionKey {
    /// The value of `Mcp-Session-Id`, at one of several servers; `None` if it is too long to be
    /// tracked.
    #[must_use]
    pub fn id(upstream: usize, id: &str) -> Option<Self> {
        Self::new(upstream, Kind::Id, id)
    }

    /// The path to post to, with its query; `None` if it is too long to be tracked.
    #[must_use]
    pub fn path(upstream: usize, path: &str) -> Option<Self> {
        Self::new(upstream, Kind::Path, path)
    }

    /// Whether it is a path.
    #[must_use]
    pub fn is_path(&self) -> bool {
        self.kind == Kind::Path
    }

    /// The id or the path.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    fn new(upstream: usize, kind: Kind, text: &str) -> Option<Self> {
        (text.len() <= MAX_KEY).then(|| Self {
            upstream,
            kind,
            text: text.into(),
        })
    }
}

/// The tracked sessions, as handles of the adapter. Their number is bounded, and idle ones expire.
pub struct SessionTable<S> {
    entries: HashMap<SessionKey, Entry<S>, RandomState>,
    /// How many of them have a path as their key: mostly none.
    paths: usize,
    capacity: usize,
    idle: Duration,
    evicted: u64,
}

struct Entry<S> {
    session: S,
    last_used: Duration,
    /// Streams that are open: the session is not idle.
    streams: u32,
}

impl<S: Clone> SessionTable<S> {
    /// Tracks at most `capacity` sessions, each until nothing came of it for `idle`.
    #[must_use]
    pub fn new(capacity: usize, idle: Duration) -> Self {
        Self {
            entries: HashMap::default(),
            paths: 0,
            capacity,
            idle,
            evicted: 0,
        }
    }

    /// The session of this key, which is in use now. One that has expired is not found.
    pub fn find(&mut self, key: &SessionKey, now: Duration) -> Option<S> {
        let idle = self.idle;
        let entry = self.entries.get_mut(key)?;
        if entry.is_idle(now, idle) {
            return None;
        }
        entry.last_used = now;
        Some(entry.session.clone())
    }

    /// Tracks a session. Returns the sessions that are no longer tracked because of it; with a
    /// capacity of zero that is the session itself.
    pub fn insert(&mut self, key: SessionKey, session: S, now: Duration) -> Vec<S> {
        if self.capacity == 0 {
            return vec![session];
        }
        let is_full = self.entries.len() >= self.capacity && !self.entries.contains_key(&key);
        let mut evicted = if is_full { self.evict() } else { Vec::new() };
        let entry = Entry {
            session,
            last_used: now,
            streams: 0,
        };
        let is_path = key.kind == Kind::Path;
        match self.entries.insert(key, entry) {
            Some(before) => evicted.push(before.session),
            None => self.paths += usize::from(is_path),
        }
        evicted
    }

    /// Removes a session that is over.
    pub fn remove(&mut self, key: &SessionKey) -> Option<S> {
        let removed = self.entries.remove(key)?;
        self.paths -= usize::from(key.kind == Kind::Path);
        Some(removed.session)
    }

    /// Counts a stream that begins.
    pub fn open_stream(&mut self, key: &SessionKey) {
        if let Some(entry) = self.entries.get_mut(key) {
            entry.streams += 1;
        }
    }

    /// Counts a stream that is over.
    pub fn close_stream(&mut self, key: &SessionKey, now: Duration) {
        if let Some(entry) = self.entries.get_mut(key) {
            entry.streams = entry.streams.saturating_sub(1);
            entry.last_used = now;
        }
    }

    /// Removes the sessions that have expired.
    pub fn expire(&mut self, now: Duration) -> Vec<S> {
        let mut expired = Vec::new();
        self.entries.retain(|key, entry| {
            let is_idle = entry.is_idle(now, self.idle);
            if is_idle {
                expired.push(entry.session.clone());
                self.paths -= usize::from(key.kind == Kind::Path);
            }
            !is_idle
        });
        expired
    }

    /// Removes all sessions.
    pub fn take(&mut self) -> Vec<S> {
        self.paths = 0;
        self.entries
            .drain()
            .map(|(_, entry)| entry.session)
            .collect()
    }

    /// Whether any key is a path.
    #[must_use]
    pub fn has_paths(&self) -> bool {
        self.paths > 0
    }

    /// The number of tracked sessions.
    #[must_use]
    pub fn count(&self) -> usize {
        self.entries.len()
    }

    /// How many were evicted to make room.
    #[must_use]
    pub fn evicted(&self) -> u64 {
        self.evicted
    }

    /// Evicts a sixteenth, those that were idle longest, so that this happens seldom.
    fn evict(&mut self) -> Vec<S> {
        let order = |entry: &Entry<S>| (entry.streams > 0, entry.last_used);
        let mut entries: Vec<_> = self
            .entries
            .iter()
            .map(|(key, entry)| (order(entry), key.clone()))
            .collect();
        let count = (entries.len() / 16).max(1);
        entries.select_nth_unstable_by_key(count - 1, |(order, _)| *order);
        entries.truncate(count);
        self.evicted += count as u64;
        entries
            .iter()
            .filter_map(|(_, key)| self.remove(key))
            .collect()
    }
}

impl<S> Entry<S> {
    fn is_idle(&self, now: Duration, idle: Duration) -> bool {
        self.streams == 0 && now.saturating_sub(self.last_used) > idle
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn id(text: &str) -> SessionKey {
        SessionKey::id(0, text).unwrap()
    }

    #[test]
    fn memory_is_bounded_and_the_idle_go_first() {
        let mut sessions = SessionTable::new(32, 1000 * SECOND);
        sessions.insert(id("streaming"), 0, Duration::ZERO);
        sessions.open_stream(&id("streaming"));
        sessions.insert(id("busy"), 1000, Duration::ZERO);
        let mut evicted = Vec::new();
        for number in 1..100 {
            let now = SECOND * number;
            assert_eq!(sessions.find(&id("busy"), now), Some(1000));
            evicted.extend(sessions.insert(id(&number.to_string()), number, now));
            assert!(sessions.count() <= 32);
        }
        assert_eq!(sessions.evicted(), evicted.len() as u64);
        assert_eq!(evicted[..4], [1, 2, 3, 4]);
        let now = 100 * SECOND;
        assert_eq!(sessions.find(&id("streaming"), now), Some(0));
        assert_eq!(sessions.find(&id("busy"), now), Some(1000));
        assert_eq!(sessions.find(&id("99"), now), Some(99));
        assert_eq!(
            sessions.find(&SessionKey::id(1, "busy").unwrap(), now),
            None
        );
        assert_eq!(
            sessions.find(&SessionKey::path(0, "busy").unwrap(), now),
            None
        );
        assert_eq!(SessionKey::id(0, &"x".repeat(MAX_KEY + 1)), None);
        let mut none = SessionTable::new(0, SECOND);
        assert_eq!(none.insert(id("a"), 1, now), [1]);
        assert_eq!(none.count(), 0);
    }

    #[test]
    fn idle_sessions_expire_and_open_streams_keep_a_session() {
        let mut sessions = SessionTable::new(32, 10 * SECOND);
        sessions.insert(id("idle"), 1, Duration::ZERO);
        sessions.insert(id("busy"), 2, Duration::ZERO);
        sessions.open_stream(&id("busy"));
        assert_eq!(sessions.find(&id("idle"), 10 * SECOND), Some(1));
        assert_eq!(sessions.find(&id("idle"), 21 * SECOND), None);
        assert_eq!(sessions.expire(21 * SECOND), [1]);
        assert_eq!(sessions.find(&id("busy"), 21 * SECOND), Some(2));
        sessions.close_stream(&id("busy"), 30 * SECOND);
        assert!(sessions.expire(40 * SECOND).is_empty());
        assert_eq!(sessions.expire(41 * SECOND), [2]);
        assert_eq!(sessions.count(), 0);
        sessions.insert(id("over"), 3, 41 * SECOND);
        assert_eq!(sessions.remove(&id("over")), Some(3));
        assert_eq!(sessions.find(&id("over"), 41 * SECOND), None);
    }

    #[test]
    fn paths_are_counted() {
        let mut sessions = SessionTable::new(32, Duration::ZERO);
        let path = |number: u64| SessionKey::path(0, &number.to_string()).unwrap();
        sessions.insert(id("id"), 0, Duration::ZERO);
        assert!(!sessions.has_paths());
        sessions.insert(path(1), 1, Duration::ZERO);
        assert_eq!(sessions.insert(path(1), 2, Duration::ZERO), [1]);
        assert!(sessions.has_paths());
        sessions.remove(&path(1));
        assert!(!sessions.has_paths());
        sessions.insert(path(3), 3, Duration::ZERO);
        sessions.expire(SECOND);
        assert!(!sessions.has_paths());
        for number in 0..100 {
            sessions.insert(path(number), number, SECOND);
        }
        assert!(sessions.has_paths());
        sessions.take();
        assert!(!sessions.has_paths());
    }
}
