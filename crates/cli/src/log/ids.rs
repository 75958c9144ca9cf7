//! The ids of exchanges: drawn, or derived from the input alone.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

use mcp_assay_contract::envelope::{NonEmpty, SpanId, TraceId, request_id, span_id, trace_id};

/// Makes ids.
pub(super) struct Ids {
    /// Distinguishes runs; empty if they are to be the same.
    salt: String,
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
        Self {
            salt: String::new(),
        }
    }

    /// Every run gives other ids.
    pub(super) fn drawn() -> Self {
        // The keys of a hasher are the randomness that the standard library offers; ids need to
        // differ, not to be secret.
        let word = || RandomState::new().build_hasher().finish();
        Self {
            salt: format!("{:016x}{:016x}", word(), word()),
        }
    }

    /// Whether they follow from the input alone.
    pub(super) fn are_derived(&self) -> bool {
        self.salt.is_empty()
    }

    /// The trace of a session in the source with this number.
    pub(super) fn trace(&self, source: u64, session: Option<&str>) -> TraceId {
        trace_id(&self.label(source, session))
    }

    /// The ids of the exchange with this number in a source.
    pub(super) fn exchange(&self, source: u64, session: Option<&str>, number: u64) -> ExchangeIds {
        let label = self.label(source, session);
        ExchangeIds {
            request: request_id(&label, number),
            trace: trace_id(&label),
            span: span_id(&label, number),
        }
    }

    /// Paths are not part of it: the same input may be elsewhere.
    fn label(&self, source: u64, session: Option<&str>) -> String {
        let named = session.map_or_else(String::new, |name| format!("/{name}"));
        format!("{}{source}{named}", self.salt)
    }
}
