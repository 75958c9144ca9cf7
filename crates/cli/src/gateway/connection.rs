//! A connection of a client, and the session of what names none.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use http::{Request, Response};
use hyper::body::Incoming;
use mcp_assay_relay::{Body, Handler, Waiting};

use super::service::{self, Gateway};

/// A connection of a client. What names no session belongs to it.
pub(super) struct Connection {
    gateway: Arc<Gateway>,
    session: Mutex<Option<u64>>,
}

impl Connection {
    pub(super) fn new(gateway: &Arc<Gateway>) -> Arc<Self> {
        gateway.metrics.connections.inc();
        Arc::new(Self {
            gateway: Arc::clone(gateway),
            session: Mutex::new(None),
        })
    }

    pub(super) fn gateway(&self) -> &Arc<Gateway> {
        &self.gateway
    }

    /// The session of what names none. Other connections may say more of it.
    pub(super) fn session(&self) -> u64 {
        *self.own().get_or_insert_with(|| {
            let session = self.gateway.next_session();
            self.gateway.inspector.lose(session);
            session
        })
    }

    /// A session begins here.
    pub(super) fn begin(&self) -> u64 {
        let session = self.gateway.next_session();
        if let Some(before) = self.own().replace(session) {
            self.gateway.inspector.forget(before);
        }
        session
    }

    /// A session has a name now.
    pub(super) fn release(&self, session: u64) {
        let mut own = self.own();
        if *own == Some(session) {
            *own = None;
        }
    }

    fn own(&self) -> MutexGuard<'_, Option<u64>> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Handler for Connection {
    fn handle(self: Arc<Self>, request: Request<Incoming>) -> Waiting<Response<Body>> {
        service::handle(&self, request)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.gateway.metrics.connections.dec();
        if let Some(session) = self.own().take() {
            self.gateway.inspector.forget(session);
        }
    }
}
