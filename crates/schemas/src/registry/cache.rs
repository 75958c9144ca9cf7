//! The one cache of compiled schemas.

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use foldhash::quality::RandomState;
use mcp_assay_json::Node;

use super::compile;
use super::compiled::Compiled;
use super::deferred::{Deferred, DeferredSchemas};
use super::dialect::Dialect;
use super::fault::SchemaFault;
use super::fingerprint::Fingerprint;
use super::limits::SchemaLimits;
use super::named::Named;
use super::quick_check;

/// Compiled schemas by their fingerprints, shared by all threads. Bounded: the least recently used
/// goes first.
///
/// ```
/// use std::sync::Arc;
/// use mcp_assay_schemas::registry::{Dialect, SchemaRegistry};
/// use mcp_assay_json::{ScanLimits, Tape, scan};
///
/// let registry = SchemaRegistry::default();
/// let (mut first, mut second, mut value) = (Tape::new(), Tape::new(), Tape::new());
/// let bytes = [&br#"{"type":"object","required":["a"]}"#[..], br#"{"required": ["a"], "type": "object"}"#, b"{}"];
/// for (tape, bytes) in [&mut first, &mut second, &mut value].into_iter().zip(bytes) {
///     scan(bytes, &ScanLimits::DEFAULT, tape).unwrap();
/// }
/// let one = registry.load(first.root(bytes[0]).unwrap(), Dialect::Draft202012)?;
/// let other = registry.load(second.root(bytes[1]).unwrap(), Dialect::Draft202012)?;
/// assert!(Arc::ptr_eq(&one, &other));
/// assert!(!one.accepts(value.root(bytes[2]).unwrap()));
/// # Ok::<(), Arc<mcp_assay_schemas::registry::SchemaFault>>(())
/// ```
#[derive(Debug, Default)]
pub struct SchemaRegistry {
    limits: SchemaLimits,
    seed: RandomState,
    kept: Mutex<Kept>,
    deferred: Mutex<DeferredSchemas>,
    compiled: AtomicU64,
    hits: AtomicU64,
    evicted: AtomicU64,
    pub(super) named: Named,
}

/// The counters of a registry.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Counters {
    /// Schemas that were compiled, with or without success.
    pub compiled: u64,
    /// Schemas that were found.
    pub hits: u64,
    /// Schemas that were dropped.
    pub evicted: u64,
}

/// The same text means different things in different dialects.
pub(super) type Key = (Fingerprint, Dialect);

pub(super) type Outcome = Result<Arc<Compiled>, Arc<SchemaFault>>;

#[derive(Debug, Default)]
struct Kept {
    entries: HashMap<Key, Entry, RandomState>,
    /// Schemas as they were written, by hash: the same text needs no fingerprint.
    texts: HashMap<u64, Text, RandomState>,
    bytes: usize,
    /// Counts lookups, so that entries know the age of their last one.
    now: u64,
}

#[derive(Debug)]
struct Entry {
    /// The first thread compiles; others wait for it.
    outcome: Arc<OnceLock<Outcome>>,
    bytes: usize,
    used: u64,
    /// The hashes of its texts.
    texts: Vec<u64>,
}

/// A schema as it was written, and its dialect unless it names one.
#[derive(Debug)]
struct Text {
    raw: Box<[u8]>,
    default: Dialect,
    key: Key,
}

/// Limits on the texts that are kept: their length, and their number for one schema.
const MAX_TEXT: usize = 1 << 16;
const MAX_TEXTS: usize = 4;

impl SchemaRegistry {
    /// An empty registry.
    #[must_use]
    pub fn new(limits: SchemaLimits) -> Self {
        Self {
            limits,
            ..Self::default()
        }
    }

    /// The compiled form of a schema; `default` is its dialect if it does not name one.
    ///
    /// # Errors
    ///
    /// The fault of the schema. Faults are kept, too, except for a dialect or size that is refused
    /// at first sight.
    pub fn load(
        &self,
        schema: Node<'_>,
        default: Dialect,
    ) -> Result<Arc<Compiled>, Arc<SchemaFault>> {
        let hash = self.seed.hash_one((schema.raw(), default));
        if let Some(outcome) = self.written(hash, schema.raw(), default) {
            return outcome;
        }
        compile::measure(schema, &self.limits)?;
        let dialect = compile::dialect(schema, default)?;
        let fingerprint = Fingerprint::of(schema);
        let key = (fingerprint, dialect);
        let outcome = self.entry(key);
        let mut is_first = false;
        let loaded = outcome.get_or_init(|| {
            is_first = true;
            compile::compile(schema, fingerprint, dialect, &self.limits)
                .map(Arc::new)
                .map_err(Arc::new)
        });
        if is_first {
            self.compiled.fetch_add(1, Ordering::Relaxed);
            let bytes = loaded.as_ref().map_or(1024, |compiled| compiled.size());
            self.settle(&key, bytes);
        } else {
            self.hits.fetch_add(1, Ordering::Relaxed);
        }
        self.note(hash, schema.raw(), default, key);
        loaded.clone()
    }

    /// A schema that surely has no fault, to be compiled when a value is checked against it. Much
    /// cheaper than [`SchemaRegistry::load`]; `None` means that only compiling it can tell.
    #[must_use]
    pub fn defer(&self, schema: Node<'_>, default: Dialect) -> Option<Arc<Deferred>> {
        let text = schema.raw();
        let hash = self.seed.hash_one((text, default));
        if let Some(known) = self.deferred().get(hash) {
            return known.is(text, default).then(|| Arc::clone(known));
        }
        if !quick_check::surely_compiles(schema, default, &self.limits) {
            return None;
        }
        let deferred = Arc::new(Deferred::new(text, default));
        let mut known = self.deferred();
        known.insert(hash, Arc::clone(&deferred), &self.limits);
        Some(deferred)
    }

    /// The number of schemas that are kept, faulty ones included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kept().entries.len()
    }

    /// Whether nothing is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The counters.
    #[must_use]
    pub fn counters(&self) -> Counters {
        Counters {
            compiled: self.compiled.load(Ordering::Relaxed),
            hits: self.hits.load(Ordering::Relaxed),
            evicted: self.evicted.load(Ordering::Relaxed),
        }
    }

    /// The limits it was made with.
    #[must_use]
    pub fn limits(&self) -> &SchemaLimits {
        &self.limits
    }

    /// The result of compiling a schema, if it is still kept.
    pub(super) fn kept_outcome(&self, key: &Key) -> Option<Outcome> {
        let mut kept = self.kept();
        kept.now += 1;
        let now = kept.now;
        let entry = kept.entries.get_mut(key)?;
        entry.used = now;
        let outcome = entry.outcome.get()?.clone();
        self.hits.fetch_add(1, Ordering::Relaxed);
        Some(outcome)
    }

    /// The result for a schema that was written in the very same way.
    fn written(&self, hash: u64, raw: &[u8], default: Dialect) -> Option<Outcome> {
        let kept = &mut *self.kept();
        let text = kept.texts.get(&hash)?;
        if text.default != default || *text.raw != *raw {
            return None;
        }
        let entry = kept.entries.get_mut(&text.key)?;
        let outcome = entry.outcome.get()?.clone();
        kept.now += 1;
        entry.used = kept.now;
        self.hits.fetch_add(1, Ordering::Relaxed);
        Some(outcome)
    }

    /// Records the text of a schema.
    fn note(&self, hash: u64, raw: &[u8], default: Dialect, key: Key) {
        let kept = &mut *self.kept();
        let Some(entry) = kept.entries.get_mut(&key) else {
            return;
        };
        if raw.len() > MAX_TEXT || entry.texts.len() >= MAX_TEXTS || kept.texts.contains_key(&hash)
        {
            return;
        }
        entry.texts.push(hash);
        entry.bytes += raw.len();
        kept.bytes += raw.len();
        let raw = raw.into();
        kept.texts.insert(hash, Text { raw, default, key });
        self.make_room(kept, &key);
    }

    fn entry(&self, key: Key) -> Arc<OnceLock<Outcome>> {
        let mut kept = self.kept();
        kept.now += 1;
        let now = kept.now;
        let entry = kept.entries.entry(key).or_insert_with(|| Entry {
            outcome: Arc::default(),
            bytes: 0,
            used: now,
            texts: Vec::new(),
        });
        entry.used = now;
        Arc::clone(&entry.outcome)
    }

    /// Counts a new entry, and drops old ones.
    fn settle(&self, key: &Key, bytes: usize) {
        let kept = &mut *self.kept();
        if let Some(entry) = kept.entries.get_mut(key) {
            let before = core::mem::replace(&mut entry.bytes, bytes);
            kept.bytes = kept.bytes - before + bytes;
        }
        self.make_room(kept, key);
    }

    /// Drops old entries until the limits are met.
    fn make_room(&self, kept: &mut Kept, key: &Key) {
        while kept.entries.len() > self.limits.kept || kept.bytes > self.limits.kept_bytes {
            // Entries that are being compiled have a thread waiting, and new ones are about to be
            // used.
            let others = kept
                .entries
                .iter()
                .filter(|(other, entry)| *other != key && entry.outcome.get().is_some());
            let Some((&oldest, _)) = others.min_by_key(|(_, entry)| entry.used) else {
                break;
            };
            if let Some(entry) = kept.entries.remove(&oldest) {
                kept.bytes -= entry.bytes;
                for text in &entry.texts {
                    kept.texts.remove(text);
                }
                self.evicted.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    fn deferred(&self) -> MutexGuard<'_, DeferredSchemas> {
        self.deferred.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// No code that runs under the lock can leave it half done.
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
