//! The sessions of a layer by their ids: so many, and for so long.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mcp_assay::Session;

/// An id that is longer is not remembered.
const LONG: usize = 1024;

/// Sessions by their ids.
pub(crate) struct Sessions {
    known: HashMap<Box<str>, Known>,
    capacity: usize,
    idle: Duration,
}

struct Known {
    session: Arc<Mutex<Session>>,
    used: Instant,
}

impl Sessions {
    pub(crate) fn new(capacity: usize, idle: Duration) -> Self {
        Self {
            known: HashMap::new(),
            capacity,
            idle,
        }
    }

    /// The session of this id, if it is remembered.
    pub(crate) fn get(&mut self, id: &str, now: Instant) -> Option<Arc<Mutex<Session>>> {
        let known = self.known.get_mut(id)?;
        if now.duration_since(known.used) > self.idle {
            self.known.remove(id);
            return None;
        }
        known.used = now;
        Some(Arc::clone(&known.session))
    }

    /// Remembers a session, unless there is one of this id.
    pub(crate) fn remember(&mut self, id: &str, session: &Arc<Mutex<Session>>, now: Instant) {
        if id.len() > LONG || self.capacity == 0 || self.known.contains_key(id) {
            return;
        }
        if self.known.len() >= self.capacity {
            self.make_room(now);
        }
        let session = Arc::clone(session);
        self.known.insert(id.into(), Known { session, used: now });
    }

    /// Forgets a session that is over.
    pub(crate) fn forget(&mut self, id: &str) {
        self.known.remove(id);
    }

    /// Forgets what is too old, or else the part that was idle longest, so that this happens seldom.
    fn make_room(&mut self, now: Instant) {
        let idle = self.idle;
        self.known
            .retain(|_, known| now.duration_since(known.used) <= idle);
        if self.known.len() < self.capacity {
            return;
        }
        let mut times: Vec<_> = self.known.values().map(|known| known.used).collect();
        let (_, &mut bound, _) = times.select_nth_unstable(self.capacity / 16);
        self.known.retain(|_, known| known.used > bound);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_bounded_and_the_idle_go_first() {
        let begun = Instant::now();
        let mut sessions = Sessions::new(32, Duration::from_secs(1000));
        for number in 0..100 {
            let now = begun + Duration::from_secs(number);
            sessions.remember("busy", &Arc::default(), now);
            assert!(sessions.get("busy", now).is_some());
            sessions.remember(&number.to_string(), &Arc::default(), now);
            assert!(sessions.known.len() <= 32);
        }
        let now = begun + Duration::from_secs(100);
        assert!(sessions.get("busy", now).is_some());
        assert!(sessions.get("99", now).is_some());
        assert!(sessions.get("0", now).is_none());
        sessions.remember(&"x".repeat(LONG + 1), &Arc::default(), now);
        assert!(sessions.get(&"x".repeat(LONG + 1), now).is_none());
    }

    #[test]
    fn what_is_idle_too_long_is_forgotten() {
        let begun = Instant::now();
        let mut sessions = Sessions::new(2, Duration::from_secs(10));
        sessions.remember("a", &Arc::default(), begun);
        assert!(sessions.get("a", begun + Duration::from_secs(10)).is_some());
        assert!(sessions.get("a", begun + Duration::from_secs(21)).is_none());
        sessions.remember("a", &Arc::default(), begun);
        sessions.forget("a");
        assert!(sessions.get("a", begun).is_none());
    }
}
