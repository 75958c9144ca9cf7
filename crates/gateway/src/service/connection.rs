//! A connection of a client, and the session of its messages that name none.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::state::State;

/// A connection of a client. A message that names no session belongs to it.
pub(crate) struct Connection {
    gateway: Arc<State>,
    session: Mutex<Option<u64>>,
    /// Whether it is one too many.
    is_refused: bool,
}

impl Connection {
    pub(crate) fn new(gateway: &Arc<State>) -> Arc<Self> {
        gateway.metrics.connected();
        gateway.once.connected();
        Arc::new(Self {
            gateway: Arc::clone(gateway),
            session: Mutex::new(None),
            is_refused: false,
        })
    }

    /// A connection that is one too many: nothing is forwarded.
    pub(crate) fn refusing(gateway: &Arc<State>) -> Arc<Self> {
        gateway.metrics.connected();
        Arc::new(Self {
            gateway: Arc::clone(gateway),
            session: Mutex::new(None),
            is_refused: true,
        })
    }

    /// Whether it is one too many.
    pub(crate) fn is_refused(&self) -> bool {
        self.is_refused
    }

    pub(crate) fn gateway(&self) -> &Arc<State> {
        &self.gateway
    }

    /// The session of messages that name none. Other connections may carry more of it.
    pub(crate) fn session(&self) -> u64 {
        *self.own().get_or_insert_with(|| {
            let session = self.gateway.next_session();
            self.gateway.inspector.lose(session);
            session
        })
    }

    /// A session begins here.
    pub(crate) fn begin(&self) -> u64 {
        let session = self.gateway.next_session();
        if let Some(before) = self.own().replace(session) {
            self.gateway.inspector.forget(before);
        }
        session
    }

    /// A session has a name now.
    pub(crate) fn release(&self, session: u64) {
        let mut own = self.own();
        if *own == Some(session) {
            *own = None;
        }
    }

    fn own(&self) -> MutexGuard<'_, Option<u64>> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.gateway.metrics.disconnected();
        if self.gateway.metrics.connections() == 0 {
            self.gateway.once.vacate();
        }
        if let Some(session) = self.own().take() {
            self.gateway.inspector.forget(session);
        }
    }
}
