//! Which session an exchange belongs to: by the session id, or for the older transport by the address that its stream names.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use foldhash::quality::RandomState;

/// What a session is known by.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Key {
    upstream: usize,
    kind: Kind,
    text: Arc<str>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Kind {
    Id,
    Path,
}

impl Key {
    /// The value of `Mcp-Session-Id`.
    pub(super) fn id(upstream: usize, id: &str) -> Self {
        Self {
            upstream,
            kind: Kind::Id,
            text: id.into(),
        }
    }

    /// The path to post to, with its query.
    pub(super) fn path(upstream: usize, path: &str) -> Self {
        Self {
            upstream,
            kind: Kind::Path,
            text: path.into(),
        }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

/// The sessions that are known. Their number is bounded, and those that are idle are forgotten.
pub(super) struct Sessions {
    known: HashMap<Key, Entry, RandomState>,
    /// How many of them are known by a path: mostly none.
    paths: usize,
    limit: usize,
    idle: Duration,
    forgotten: u64,
}

struct Entry {
    session: u64,
    last_used: Instant,
    /// Streams that are open: it is not idle.
    streams: u32,
}

impl Sessions {
    pub(super) fn new(limit: usize, idle: Duration) -> Self {
        Self {
            known: HashMap::default(),
            paths: 0,
            limit: limit.max(1),
            idle,
            forgotten: 0,
        }
    }

    /// The session of this key, which is in use now.
    pub(super) fn find(&mut self, key: &Key) -> Option<u64> {
        let entry = self.known.get_mut(key)?;
        entry.last_used = Instant::now();
        Some(entry.session)
    }

    /// Takes note of a session. Answers with those that had to be forgotten for it.
    pub(super) fn insert(&mut self, key: Key, session: u64) -> Vec<u64> {
        let forgotten = if self.known.len() >= self.limit {
            self.make_room()
        } else {
            Vec::new()
        };
        let entry = Entry {
            session,
            last_used: Instant::now(),
            streams: 0,
        };
        let is_path = key.kind == Kind::Path;
        let before = self.known.insert(key, entry);
        if is_path && before.is_none() {
            self.paths += 1;
        }
        forgotten
            .into_iter()
            .chain(before.map(|before| before.session))
            .collect()
    }

    /// A session is over.
    pub(super) fn remove(&mut self, key: &Key) -> Option<u64> {
        let removed = self.known.remove(key)?;
        if key.kind == Kind::Path {
            self.paths -= 1;
        }
        Some(removed.session)
    }

    /// A stream of this session begins.
    pub(super) fn open_stream(&mut self, key: &Key) {
        if let Some(entry) = self.known.get_mut(key) {
            entry.streams += 1;
        }
    }

    /// A stream of this session is over.
    pub(super) fn close_stream(&mut self, key: &Key) {
        if let Some(entry) = self.known.get_mut(key) {
            entry.streams = entry.streams.saturating_sub(1);
            entry.last_used = Instant::now();
        }
    }

    /// Forgets the sessions that were idle too long.
    pub(super) fn expire(&mut self) -> Vec<u64> {
        let Some(since) = Instant::now().checked_sub(self.idle) else {
            return Vec::new();
        };
        let mut expired = Vec::new();
        self.known.retain(|key, entry| {
            let stays = entry.streams > 0 || entry.last_used >= since;
            if !stays {
                expired.push(entry.session);
                self.paths -= usize::from(key.kind == Kind::Path);
            }
            stays
        });
        expired
    }

    /// All sessions; none is left.
    pub(super) fn take(&mut self) -> Vec<u64> {
        let mut sessions: Vec<u64> = self.known.drain().map(|(_, entry)| entry.session).collect();
        sessions.sort_unstable();
        self.paths = 0;
        sessions
    }

    /// Whether any is known by a path.
    pub(super) fn has_paths(&self) -> bool {
        self.paths > 0
    }

    pub(super) fn count(&self) -> usize {
        self.known.len()
    }

    /// How many were forgotten to make room.
    pub(super) fn forgotten(&self) -> u64 {
        self.forgotten
    }

    /// Forgets a sixteenth, those that were idle longest, so that this happens seldom.
    fn make_room(&mut self) -> Vec<u64> {
        let order = |entry: &Entry| (entry.streams > 0, entry.last_used);
        let mut entries: Vec<_> = self
            .known
            .iter()
            .map(|(key, entry)| (order(entry), key.clone()))
            .collect();
        let count = (entries.len() / 16).max(1);
        entries.select_nth_unstable_by_key(count - 1, |(order, _)| *order);
        entries.truncate(count);
        self.forgotten += count as u64;
        entries
            .iter()
            .filter_map(|(_, key)| self.remove(key))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_bounded_and_the_idle_go_first() {
        let mut sessions = Sessions::new(32, Duration::from_secs(60));
        let busy = Key::id(0, "busy");
        sessions.insert(busy.clone(), 0);
        sessions.open_stream(&busy);
        let mut forgotten = Vec::new();
        for number in 1..100 {
            forgotten.extend(sessions.insert(Key::id(0, &number.to_string()), number));
        }
        assert!(sessions.count() <= 32);
        assert_eq!(sessions.forgotten(), forgotten.len() as u64);
        assert_eq!(forgotten[..4], [1, 2, 3, 4]);
        assert_eq!(sessions.find(&busy), Some(0));
        assert_eq!(sessions.find(&Key::id(1, "busy")), None);
        assert_eq!(sessions.find(&Key::path(0, "busy")), None);
    }

    #[test]
    fn open_streams_keep_a_session() {
        let mut sessions = Sessions::new(32, Duration::ZERO);
        let (idle, busy) = (Key::id(0, "idle"), Key::id(0, "busy"));
        sessions.insert(idle, 1);
        sessions.insert(busy.clone(), 2);
        sessions.open_stream(&busy);
        std::thread::sleep(Duration::from_millis(2));
        assert_eq!(sessions.expire(), [1]);
        sessions.close_stream(&busy);
        std::thread::sleep(Duration::from_millis(2));
        assert_eq!(sessions.expire(), [2]);
        assert_eq!(sessions.count(), 0);
    }

    #[test]
    fn paths_are_counted() {
        let mut sessions = Sessions::new(32, Duration::ZERO);
        let path = |number: u64| Key::path(0, &number.to_string());
        sessions.insert(Key::id(0, "id"), 0);
        assert!(!sessions.has_paths());
        sessions.insert(path(1), 1);
        sessions.insert(path(1), 2);
        assert!(sessions.has_paths());
        sessions.remove(&path(1));
        assert!(!sessions.has_paths());
        sessions.insert(path(3), 3);
        std::thread::sleep(Duration::from_millis(2));
        sessions.expire();
        assert!(!sessions.has_paths());
        for number in 0..100 {
            sessions.insert(path(number), number);
        }
        assert!(sessions.has_paths());
        sessions.take();
        assert!(!sessions.has_paths());
    }
}
