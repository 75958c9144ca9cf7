//! The state that all connections share.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use http::HeaderValue;
use mcp_assay_live::http::{SessionKey, SessionTable};
use mcp_assay_relay::Client;

use crate::gateway::access::Access;
use crate::gateway::idle_spin::IdleSpin;
use crate::gateway::inspect::Inspector;
use crate::gateway::metrics::Metrics;
use crate::upstream::Upstream;

/// The state that all connections share.
pub(in crate::gateway) struct Gateway {
    pub(in crate::gateway) upstreams: Vec<Upstream>,
    /// Their names for the `Host` header.
    pub(in crate::gateway) hosts: Vec<HeaderValue>,
    pub(in crate::gateway) access: Access,
    pub(in crate::gateway) client: Arc<Client>,
    pub(in crate::gateway) inspector: Inspector,
    pub(in crate::gateway) metrics: Arc<Metrics>,
    pub(in crate::gateway) idle_spin: Arc<IdleSpin>,
    /// The largest message that is looked at.
    pub(in crate::gateway) message_limit: usize,
    /// The largest body of a request, in `enforce`.
    pub(in crate::gateway) body_limit: usize,
    pub(in crate::gateway) response_timeout: Duration,
    sessions: Mutex<SessionTable<u64>>,
    begun: Instant,
    exchanges: AtomicI64,
    last_session: AtomicU64,
}

/// How long things may take, and how much of them may be there.
pub(in crate::gateway) struct Bounds {
    pub(in crate::gateway) message: usize,
    pub(in crate::gateway) body: usize,
    pub(in crate::gateway) response_timeout: Duration,
    pub(in crate::gateway) sessions: usize,
    pub(in crate::gateway) session_idle: Duration,
}

impl Gateway {
    pub(in crate::gateway) fn new(
        upstreams: Vec<Upstream>,
        access: Access,
        client: Arc<Client>,
        inspector: Inspector,
        metrics: Arc<Metrics>,
        idle_spin: Arc<IdleSpin>,
        bounds: &Bounds,
    ) -> anyhow::Result<Self> {
        let hosts = upstreams
            .iter()
            .map(|upstream| HeaderValue::from_str(upstream.authority()))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            upstreams,
            hosts,
            access,
            client,
            inspector,
            metrics,
            idle_spin,
            message_limit: bounds.message,
            body_limit: bounds.body,
            response_timeout: bounds.response_timeout,
            sessions: Mutex::new(SessionTable::new(
                bounds.sessions.max(1),
                bounds.session_idle,
            )),
            begun: Instant::now(),
            exchanges: AtomicI64::new(0),
            last_session: AtomicU64::new(0),
        })
    }

    pub(in crate::gateway) fn next_exchange(&self) -> i64 {
        self.exchanges.fetch_add(1, Ordering::Relaxed) + 1
    }

    pub(in crate::gateway) fn next_session(&self) -> u64 {
        self.last_session.fetch_add(1, Ordering::Relaxed) + 1
    }

    pub(in crate::gateway) fn sessions(&self) -> MutexGuard<'_, SessionTable<u64>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The time since the gateway began.
    pub(in crate::gateway) fn now(&self) -> Duration {
        self.begun.elapsed()
    }

    /// A session is tracked, and these are no longer.
    pub(in crate::gateway) fn evict(&self, evicted: Vec<u64>) {
        self.metrics.count_sessions(self.sessions().count());
        for session in evicted {
            self.inspector.lose(session);
            self.inspector.end(session);
        }
    }

    /// A session is over.
    pub(in crate::gateway) fn end_session(&self, key: &SessionKey) {
        let mut sessions = self.sessions();
        let ended = sessions.remove(key);
        self.metrics.count_sessions(sessions.count());
        drop(sessions);
        if let Some(session) = ended {
            self.inspector.end(session);
        }
    }

    /// Forgets sessions that were idle too long.
    pub(in crate::gateway) fn expire_sessions(&self) {
        let mut sessions = self.sessions();
        let expired = sessions.expire(self.now());
        self.metrics.count_sessions(sessions.count());
        drop(sessions);
        for session in expired {
            self.inspector.end(session);
        }
    }

    /// All sessions are over. Gives the number of those that were evicted before, to make room.
    pub(in crate::gateway) fn end_all_sessions(&self) -> u64 {
        let mut sessions = self.sessions();
        let (mut all, evicted) = (sessions.take(), sessions.evicted());
        drop(sessions);
        all.sort_unstable();
        for session in all {
            self.inspector.end(session);
        }
        evicted
    }
}
