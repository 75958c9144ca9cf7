//! A connection of a client, or of a proxy, and the sessions of its messages that name none.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mcp_assay_live::http::{Assigned, ClientHead, SenderFacts, UnnamedSessions};

use super::state::State;

/// Clients with different heads that are told apart on one connection.
const MAX_HEADS: usize = 32;

/// A connection of a client, or of a proxy with several clients behind it.
pub(crate) struct Connection {
    gateway: Arc<State>,
    sessions: Mutex<UnnamedSessions<u64>>,
    /// Whether it is one too many.
    is_refused: bool,
}

impl Connection {
    pub(crate) fn new(gateway: &Arc<State>) -> Arc<Self> {
        gateway.metrics.connected();
        gateway.once.connected();
        Self::build(gateway, false)
    }

    /// A connection that is one too many: nothing is forwarded.
    pub(crate) fn refusing(gateway: &Arc<State>) -> Arc<Self> {
        gateway.metrics.connected();
        Self::build(gateway, true)
    }

    fn build(gateway: &Arc<State>, is_refused: bool) -> Arc<Self> {
        Arc::new(Self {
            gateway: Arc::clone(gateway),
            sessions: Mutex::new(UnnamedSessions::new(MAX_HEADS)),
            is_refused,
        })
    }

    /// Whether it is one too many.
    pub(crate) fn is_refused(&self) -> bool {
        self.is_refused
    }

    pub(crate) fn gateway(&self) -> &Arc<State> {
        &self.gateway
    }

    /// The session of a message that names none. Other connections may carry more of it, unless it
    /// begins here.
    pub(crate) fn session(&self, head: ClientHead, facts: &SenderFacts) -> u64 {
        let (gateway, now) = (&self.gateway, self.gateway.now());
        let mut sessions = self.sessions();
        let (cut, doubtful) = match sessions.assign(head, facts, now) {
            Assigned::Known(session) => return session,
            Assigned::Begins(cut, doubtful) => (cut, doubtful),
        };
        let session = gateway.next_session();
        let forgotten = sessions.begin(head, facts, cut, session, now);
        drop(sessions);
        gateway.count_cut(cut);
        // The others are incomplete already: each answer leaves a session without a name so.
        if !facts.opens() || !doubtful.is_empty() {
            gateway.inspector.lose(session);
        }
        for session in forgotten {
            gateway.inspector.forget(session);
        }
        session
    }

    /// A session has a name now.
    pub(crate) fn release(&self, head: ClientHead, session: u64) {
        let released = self.sessions().release(head, |it| *it == session);
        if let Some(cut) = released {
            self.gateway.uncount_cut(cut);
        }
    }

    fn sessions(&self) -> MutexGuard<'_, UnnamedSessions<u64>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.gateway.metrics.disconnected();
        if self.gateway.metrics.connections() == 0 {
            self.gateway.once.vacate();
        }
        for session in self.sessions().take() {
            self.gateway.inspector.forget(session);
        }
    }
}
