//! What all services of a layer share: settings, sessions, guards, and the schemas that were compiled.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use mcp_assay::registry::SchemaRegistry;
use mcp_assay::{Definitions, Frame, MessageKind, Policy, Session, Validator};
use mcp_assay_live::guard::{Action, Guard, Judged, Mode, Repairs, Reporter, Values};

use crate::sessions::Sessions;

/// What is looked for, what becomes of it, and who is told.
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
    sessions: Mutex<Sessions>,
    /// Guards that nobody uses: as many as ever judged at the same time.
    guards: Mutex<Vec<Guard>>,
    registry: Arc<SchemaRegistry>,
    exchanges: AtomicI64,
    begun: Instant,
}

/// What is to become of a message.
pub(crate) enum Passing {
    Forward,
    Replace(Vec<u8>),
    /// It is answered with this status and text.
    Refuse(u16, Vec<u8>),
    Drop,
}

/// A message that was judged.
pub(crate) struct Outcome {
    pub(crate) passing: Passing,
    pub(crate) kind: MessageKind,
    /// The id of a request, as JSON.
    pub(crate) request_id: Option<Vec<u8>>,
}

impl Shared {
    pub(crate) fn new(settings: Settings) -> Self {
        Self {
            sessions: Mutex::new(Sessions::new(settings.capacity, settings.idle)),
            settings,
            guards: Mutex::default(),
            registry: Arc::default(),
            exchanges: AtomicI64::new(0),
            begun: Instant::now(),
        }
    }

    pub(crate) fn enforces(&self) -> bool {
        self.settings.mode == Mode::Enforce
    }

    /// Bytes of a body that are held: one more than a message may have, so that it can be seen to be too long.
    pub(crate) fn limit(&self) -> usize {
        self.settings.policy.limits.bytes.saturating_add(1)
    }

    pub(crate) fn sessions(&self) -> MutexGuard<'_, Sessions> {
        lock(&self.sessions)
    }

    /// The number of the next exchange.
    pub(crate) fn next_exchange(&self) -> i64 {
        self.exchanges.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Judges a message.
    pub(crate) fn judge(
        &self,
        session: &Mutex<Session>,
        name: Option<&str>,
        frame: Frame<'_>,
    ) -> Outcome {
        let frame = frame.time(self.begun.elapsed());
        let popped = lock(&self.guards).pop();
        let mut guard = popped.unwrap_or_else(|| self.guard());
        let judged = guard.judge(&mut lock(session), frame);
        if let Some(reporter) = &self.settings.reporter {
            reporter.report_safely(name, &judged);
        }
        let outcome = outcome(&judged);
        lock(&self.guards).push(guard);
        outcome
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

fn outcome(judged: &Judged<'_>) -> Outcome {
    let kind = judged.checked.kind();
    let id = judged.checked.id();
    Outcome {
        passing: match judged.action {
            Action::Forward => Passing::Forward,
            Action::Replace(text) => Passing::Replace(text.to_vec()),
            Action::Refuse(text) => Passing::Refuse(judged.status(), text.to_vec()),
            Action::Drop | Action::Divert => Passing::Drop,
        },
        kind,
        request_id: id
            .filter(|_| kind == MessageKind::Request)
            .map(|id| id.raw().to_vec()),
    }
}

/// What is behind these locks is whole whenever it is let go.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
