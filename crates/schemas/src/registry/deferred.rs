//! Schemas that are compiled when the first value is checked against them.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use foldhash::quality::RandomState;
use mcp_assay_json::{ScanLimits, Tape, scan};

use super::cache::{Outcome, SchemaRegistry};
use super::compiled::Compiled;
use super::dialect::Dialect;
use super::limits::SchemaLimits;

/// A schema without fault that is compiled when it is first needed: most tools of a long list are
/// never called.
#[derive(Debug)]
pub struct Deferred {
    text: Box<[u8]>,
    default: Dialect,
    outcome: OnceLock<Option<Outcome>>,
}

impl Deferred {
    pub(super) fn new(text: &[u8], default: Dialect) -> Self {
        Self {
            text: text.into(),
            default,
            outcome: OnceLock::new(),
        }
    }

    /// The compiled schema; `None` if it could not be compiled after all.
    pub fn compiled(&self, registry: &SchemaRegistry) -> Option<&Arc<Compiled>> {
        let compile = || {
            let mut tape = Tape::new();
            scan(&self.text, &ScanLimits::DEFAULT, &mut tape).ok()?;
            Some(registry.load(tape.root(&self.text)?, self.default))
        };
        self.outcome.get_or_init(compile).as_ref()?.as_ref().ok()
    }

    pub(super) fn is(&self, text: &[u8], default: Dialect) -> bool {
        self.default == default && *self.text == *text
    }
}

/// Deferred schemas by the hash of their text, so that sessions share them. All are dropped when
/// there are too many: those in use are kept by their sessions.
#[derive(Debug, Default)]
pub(super) struct DeferredSchemas {
    known: HashMap<u64, Arc<Deferred>, RandomState>,
    bytes: usize,
}

/// The estimated bytes of an entry without its text.
const ENTRY_BYTES: usize = 128;

impl DeferredSchemas {
    pub(super) fn get(&self, hash: u64) -> Option<&Arc<Deferred>> {
        self.known.get(&hash)
    }

    pub(super) fn insert(&mut self, hash: u64, deferred: Arc<Deferred>, limits: &SchemaLimits) {
        self.bytes += deferred.text.len() + ENTRY_BYTES;
        if self.known.len() >= limits.kept || self.bytes > limits.kept_bytes / 4 {
            *self = Self {
                bytes: deferred.text.len() + ENTRY_BYTES,
                ..Self::default()
            };
        }
        self.known.insert(hash, deferred);
    }
}
