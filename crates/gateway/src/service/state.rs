//! The state that all connections share.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use mcp_assay::RefusalStatus;
use mcp_assay_contract::canonical::CanonicalError;
use mcp_assay_live::http::{Budget, SessionCut, SessionKey, SessionTable};

use super::access::Access;
use super::once::Once;
use super::options::Options;
use crate::inspect::{Inspector, Metrics};
use crate::net::{Cause, Client, Failure};
use crate::upstream::Upstream;

/// The state that all connections share.
pub(crate) struct State {
    pub(crate) access: Access,
    pub(crate) client: Arc<Client>,
    pub(crate) inspector: Inspector,
    pub(crate) upstreams: Vec<Upstream>,
    pub(crate) metrics: Arc<Metrics>,
    /// The largest message that is checked.
    pub(crate) message_limit: usize,
    /// The largest body of a request, in `enforce`.
    pub(crate) body_limit: usize,
    pub(crate) response_timeout: Duration,
    /// How long a client may pause within a body.
    pub(crate) body_timeout: Duration,
    /// The memory for bodies.
    pub(crate) budget: Arc<Budget>,
    /// The number of missing answers of servers and the first reason, by cause.
    failures: Mutex<BTreeMap<Cause, (u64, String)>>,
    /// The number of sessions without an id, by the reason for which they began.
    cuts: Mutex<BTreeMap<SessionCut, u64>>,
    pub(crate) once: Once,
    refusal_status: RefusalStatus,
    pub(crate) list_unknown_tools: bool,
    sessions: Mutex<SessionTable<u64>>,
    begun: Instant,
    exchanges: AtomicI64,
    last_session: AtomicU64,
}

impl State {
    pub(crate) fn new(
        access: Access,
        client: Arc<Client>,
        inspector: Inspector,
        upstreams: Vec<Upstream>,
        metrics: Arc<Metrics>,
        options: &Options,
    ) -> Self {
        let sessions = SessionTable::new(options.max_sessions.max(1), options.session_idle);
        Self {
            access,
            client,
            inspector,
            upstreams,
            metrics,
            message_limit: options.message_limit,
            body_limit: options.body_limit,
            response_timeout: options.response_timeout,
            body_timeout: options.body_timeout,
            // The other half is for checks, and for the connections themselves.
            budget: Budget::new(options.memory_for_bodies()),
            failures: Mutex::default(),
            cuts: Mutex::default(),
            once: Once::default(),
            refusal_status: options.refusal_status,
            list_unknown_tools: options.list_unknown_tools,
            sessions: Mutex::new(sessions),
            begun: Instant::now(),
            exchanges: AtomicI64::new(0),
            last_session: AtomicU64::new(0),
        }
    }

    /// The HTTP status of a refusal of our own, for which the protocol has this one.
    pub(crate) fn status(&self, kind: CanonicalError, by_protocol: u16) -> u16 {
        match self.refusal_status {
            RefusalStatus::Protocol => by_protocol,
            RefusalStatus::Canonical => kind.to_http_status(),
        }
    }

    /// A server gave no answer.
    pub(crate) fn upstream_failed(&self, failure: &Failure) {
        if failure.cause == Cause::Client {
            return;
        }
        self.metrics.upstream_failed(failure.cause.name());
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        let first = || (0, failure.reason.clone());
        failures.entry(failure.cause).or_insert_with(first).0 += 1;
    }

    /// The missing answers of servers by cause: how many, and the first reason.
    pub(crate) fn failures(&self) -> Vec<(&'static str, u64, String)> {
        let failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        let failures = failures.iter();
        failures
            .map(|(cause, (count, reason))| (cause.name(), *count, reason.clone()))
            .collect()
    }

    /// A session without an id begins, for this reason.
    pub(crate) fn count_cut(&self, cut: SessionCut) {
        *self.cuts().entry(cut).or_default() += 1;
    }

    /// A session that began for this reason has an id now.
    pub(crate) fn uncount_cut(&self, cut: SessionCut) {
        let mut cuts = self.cuts();
        let count = cuts.entry(cut).or_default();
        *count = count.saturating_sub(1);
    }

    /// The number of sessions without an id, by the reason for which they began.
    pub(crate) fn cuts(&self) -> MutexGuard<'_, BTreeMap<SessionCut, u64>> {
        self.cuts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn next_exchange(&self) -> i64 {
        self.exchanges.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Whether anything was forwarded.
    pub(crate) fn has_exchanges(&self) -> bool {
        self.exchanges.load(Ordering::Relaxed) > 0
    }

    pub(crate) fn next_session(&self) -> u64 {
        self.last_session.fetch_add(1, Ordering::Relaxed) + 1
    }

    pub(crate) fn sessions(&self) -> MutexGuard<'_, SessionTable<u64>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The time since the gateway began.
    pub(crate) fn now(&self) -> Duration {
        self.begun.elapsed()
    }

    /// A session is tracked, and these are no longer.
    pub(crate) fn evict(&self, evicted: Vec<u64>) {
        self.metrics.count_sessions(self.sessions().count());
        for session in evicted {
            self.inspector.lose(session);
            self.inspector.end(session);
        }
    }

    /// A session is over.
    pub(crate) fn end_session(&self, key: &SessionKey) {
        let mut sessions = self.sessions();
        let ended = sessions.remove(key);
        self.metrics.count_sessions(sessions.count());
        drop(sessions);
        if let Some(session) = ended {
            self.inspector.end(session);
            self.once.end();
        }
    }

    /// Forgets sessions that were idle too long.
    pub(crate) fn expire_sessions(&self) {
        let mut sessions = self.sessions();
        let expired = sessions.expire(self.now());
        self.metrics.count_sessions(sessions.count());
        drop(sessions);
        for session in expired {
            self.inspector.end(session);
            self.once.end();
        }
    }

    /// All sessions are over. Gives the number of those that were evicted before, to make room.
    pub(crate) fn end_all_sessions(&self) -> u64 {
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
