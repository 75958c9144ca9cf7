//! The ids of exchanges: drawn, or derived from the input alone.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::{Mutex, PoisonError};

use mcp_assay_contract::envelope::{NonEmpty, SpanId, TraceId, request_id, span_id, trace_id};

/// Makes ids.
pub(super) struct Ids {
    /// Distinguishes runs; empty if they are to be the same.
    salt: String,
    /// Draws the ids of exchanges.
    keys: RandomState,
    /// The last session whose trace was asked for.
    last: Mutex<Option<LastTrace>>,
}

struct LastTrace {
    source: u64,
    session: Option<Box<str>>,
    trace: TraceId,
}

/// The ids of one exchange.
#[derive(Clone, Debug)]
pub(super) struct ExchangeIds {
    pub(super) request: NonEmpty,
    pub(super) trace: TraceId,
    pub(super) span: SpanId,
}

impl Ids {
    /// Two runs give the same.
    pub(super) fn derived() -> Self {
        Self::salted(String::new())
    }

    /// Every run gives other ids.
    pub(super) fn drawn() -> Self {
        // The keys of a hasher are the randomness that the standard library offers; ids need to
        // differ, not to be secret.
        let word = || RandomState::new().build_hasher().finish();
        Self::salted(format!("{:016x}{:016x}", word(), word()))
    }

    fn salted(salt: String) -> Self {
        Self {
            salt,
            keys: RandomState::new(),
            last: Mutex::new(None),
        }
    }

    /// Whether they follow from the input alone.
    pub(super) fn are_derived(&self) -> bool {
        self.salt.is_empty()
    }

    /// The trace of a session in the source with this number.
    pub(super) fn trace(&self, source: u64, session: Option<&str>) -> TraceId {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same =
            |last: &LastTrace| last.source == source && last.session.as_deref() == session;
        if let Some(last) = last.as_ref().filter(|last| is_same(last)) {
            return last.trace;
        }
        let trace = trace_id(&self.label(source, session));
        *last = Some(LastTrace {
            source,
            session: session.map(Box::from),
            trace,
        });
        trace
    }

    /// The ids of the exchange with this number in a source.
    pub(super) fn exchange(&self, source: u64, session: Option<&str>, number: u64) -> ExchangeIds {
        let trace = self.trace(source, session);
        if let Some((request, span)) = self.drawn_ids(source, number) {
            return ExchangeIds {
                request,
                trace,
                span,
            };
        }
        let label = self.label(source, session);
        ExchangeIds {
            request: request_id(&label, number),
            trace,
            span: span_id(&label, number),
        }
    }

    /// Ids that differ for each exchange and each run; none if they follow from the input.
    fn drawn_ids(&self, source: u64, number: u64) -> Option<(NonEmpty, SpanId)> {
        if self.are_derived() {
            return None;
        }
        let word = |purpose: u8| self.keys.hash_one((purpose, source, number)).to_be_bytes();
        let mut request = [0; 16];
        let (first, second) = request.split_at_mut(8);
        first.copy_from_slice(&word(0));
        second.copy_from_slice(&word(1));
        let request = TraceId::from_bytes(request)?.to_string();
        Some((NonEmpty::new(request)?, SpanId::from_bytes(word(2))?))
    }

    /// Paths are not part of it: the same input may be elsewhere.
    fn label(&self, source: u64, session: Option<&str>) -> String {
        let named = session.map_or_else(String::new, |name| format!("/{name}"));
        format!("{}{source}{named}", self.salt)
    }
}
