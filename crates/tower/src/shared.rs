//! The state that all services of a layer share: settings, sessions, guards, compiled schemas.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use mcp_assay::registry::SchemaRegistry;
use mcp_assay::{Definitions, Direction, Frame, Policy, Session, Validator};
use mcp_assay_live::guard::{Guard, Mode, Repairs, Reporter, Values};
use mcp_assay_live::http::{
    CheckedPart, Identity, Lesson, Publications, SessionTable, UnnamedSessions,
};
#[cfg(feature = "metrics")]
use mcp_assay_live::metrics::FacadeCounters;

/// A session that several exchanges share.
pub(crate) type Handle = Arc<Mutex<Session>>;

/// The settings of a layer.
#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) policy: Policy,
    pub(crate) mode: Mode,
    pub(crate) values: Values,
    pub(crate) repairs: Repairs,
    pub(crate) reporter: Option<Arc<dyn Reporter>>,
    pub(crate) definitions: Option<Arc<dyn Definitions>>,
    pub(crate) capacity: usize,
    pub(crate) idle: Duration,
}

impl Settings {
    pub(crate) fn new(policy: Policy, mode: Mode) -> Self {
        Self {
            policy,
            mode,
            values: Values::default(),
            repairs: Repairs::default(),
            reporter: None,
            definitions: None,
            capacity: 10_000,
            idle: Duration::from_secs(3600),
        }
    }
}

pub(crate) struct Shared {
    pub(crate) settings: Settings,
    sessions: Mutex<SessionTable<Handle>>,
    /// The sessions of clients that have credentials and name no session.
    unnamed: Mutex<UnnamedSessions<Handle>>,
    /// The tools that the handler has listed, in whichever session.
    publications: Mutex<Publications>,
    /// Guards that nobody uses: as many as ever judged at the same time.
    guards: Mutex<Vec<Guard>>,
    registry: Arc<SchemaRegistry>,
    exchanges: AtomicI64,
    begun: Instant,
    /// Looked up with the first message: programs install their recorder before that.
    #[cfg(feature = "metrics")]
    counters: std::sync::OnceLock<FacadeCounters>,
}

impl Shared {
    pub(crate) fn new(settings: Settings) -> Self {
        Self {
            sessions: Mutex::new(SessionTable::new(settings.capacity, settings.idle)),
            unnamed: Mutex::new(UnnamedSessions::new(settings.capacity)),
            settings,
            publications: Mutex::default(),
            guards: Mutex::default(),
            registry: Arc::default(),
            exchanges: AtomicI64::new(0),
            begun: Instant::now(),
            #[cfg(feature = "metrics")]
            counters: std::sync::OnceLock::new(),
        }
    }

    pub(crate) fn enforces(&self) -> bool {
        self.settings.mode == Mode::Enforce
    }

    /// Bytes of a body that are held: one more than a message may have, so that the check reports a
    /// message that is too long.
    pub(crate) fn limit(&self) -> usize {
        self.settings.policy.limits.bytes.saturating_add(1)
    }

    pub(crate) fn sessions(&self) -> MutexGuard<'_, SessionTable<Handle>> {
        lock(&self.sessions)
    }

    pub(crate) fn unnamed(&self) -> MutexGuard<'_, UnnamedSessions<Handle>> {
        lock(&self.unnamed)
    }

    /// The number of the next exchange.
    pub(crate) fn next_exchange(&self) -> i64 {
        self.exchanges.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// The time since the layer was made.
    pub(crate) fn now(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Checks a part of an exchange, and reports it.
    pub(crate) fn check(
        &self,
        session: &Handle,
        name: Option<&str>,
        identity: Identity,
        frame: Frame<'_>,
    ) -> CheckedPart {
        let frame = frame.time(self.now());
        let popped = lock(&self.guards).pop();
        let mut guard = popped.unwrap_or_else(|| self.guard());
        let mut session = lock(session);
        if frame.direction == Some(Direction::ClientToServer) {
            lock(&self.publications).recall(identity, &mut session);
        }
        let judged = guard.judge(&mut session, frame);
        if let Some(lesson) = Lesson::of(&judged) {
            lock(&self.publications).learn(identity, &session, lesson);
        }
        drop(session);
        #[cfg(feature = "metrics")]
        mcp_assay_live::metrics::count(&judged, self.counters());
        if let Some(reporter) = &self.settings.reporter {
            reporter.report_safely(name, &judged);
        }
        let part = if self.enforces() {
            CheckedPart::new(&judged)
        } else {
            CheckedPart::unchecked(Mode::Shadow)
        };
        lock(&self.guards).push(guard);
        part
    }

    /// A message passed that cannot be checked.
    #[cfg(feature = "metrics")]
    pub(crate) fn count_unchecked(&self) {
        self.counters().unchecked();
    }

    #[cfg(feature = "metrics")]
    fn counters(&self) -> &FacadeCounters {
        self.counters.get_or_init(FacadeCounters::new)
    }

    fn guard(&self) -> Guard {
        let policy = self.settings.policy.clone();
        let mut validator = Validator::with_registry(policy, Arc::clone(&self.registry));
        if let Some(definitions) = &self.settings.definitions {
            validator.replace_definitions(Arc::clone(definitions));
        }
        let mut guard = Guard::with_validator(validator, self.settings.mode);
        guard.values = self.settings.values;
        guard.repairs = self.settings.repairs;
        guard
    }
}

/// The state behind these locks is consistent whenever one is released.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
