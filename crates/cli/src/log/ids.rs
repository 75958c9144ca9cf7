//! The ids of exchanges: drawn, or derived from the input alone.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::{Mutex, PoisonError};

use mcp_assay_contract::envelope::{NonEmpty, SpanId, TraceId, request_id, span_id, trace_id};

/// Makes ids.
pub(super) struct Ids {
    /// Distinguishes runs; empty if they are to be the same.
    salt: String,
    /// The beginnings of the ids of exchanges.
    seeds: [u64; 3],
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
        Self::salted(format!("{:016x}{:016x}", draw(), draw()))
    }

    fn salted(salt: String) -> Self {
        Self {
            salt,
            seeds: [draw(), draw(), draw()],
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
        let [first, second, third] = self
            .seeds
            .map(|seed| scatter(scatter(seed, source), number));
        let request = u128::from(first) << 64 | u128::from(second);
        let request = TraceId::from_bytes(request.to_be_bytes())?.to_string();
        Some((
            NonEmpty::new(request)?,
            SpanId::from_bytes(third.to_be_bytes())?,
        ))
    }

    /// Paths are not part of it: the same input may be elsewhere.
    fn label(&self, source: u64, session: Option<&str>) -> String {
        let named = session.map_or_else(String::new, |name| format!("/{name}"));
        format!("{}{source}{named}", self.salt)
    }
}

/// A random number. The keys of a hasher are the randomness that the standard library offers; ids
/// need to differ, not to be secret.
fn draw() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// A number that looks random, another one for each `number` (`SplitMix64`).
fn scatter(seed: u64, number: u64) -> u64 {
    let mut word = seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    for (shift, factor) in [(30, 0xbf58_476d_1ce4_e5b9), (27, 0x94d0_49bb_1331_11eb)] {
        word = (word ^ word >> shift).wrapping_mul(factor);
    }
    word ^ word >> 31
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn drawn_ids_differ_for_each_exchange_source_and_run() {
        let mut seen = HashSet::new();
        for ids in [Ids::drawn(), Ids::drawn()] {
            for (source, number) in (0..10).flat_map(|source| (0..100).map(move |it| (source, it)))
            {
                let ids = ids.exchange(source, None, number);
                assert!(seen.insert(ids.request.to_string()));
                assert!(seen.insert(ids.span.to_string()));
            }
        }
        assert_eq!(seen.len(), 2 * 2 * 10 * 100);
    }
}
