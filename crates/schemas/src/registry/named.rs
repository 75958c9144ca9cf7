//! Schemas by name: read from a source, compiled in the same cache as all others, and read again
//! when the source has changed.
//!
//! Only names and fingerprints are kept here, so that the cache alone limits memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mcp_assay_json::wording::fault_message;
use mcp_assay_json::{Node, ScanLimits, Tape, scan};

use super::cache::{Key, SchemaRegistry};
use super::compiled::Compiled;
use super::dialect::Dialect;
use super::limits::SchemaLimits;
use super::load_error::{LoadError, LoadErrorKind};
use super::source::{SchemaSource, SchemaText};

/// The names of a registry.
#[derive(Debug, Default)]
pub(super) struct Named {
    source: Option<Arc<dyn SchemaSource>>,
    known: Mutex<Known>,
    statics: Mutex<Statics>,
}

/// Schemas of programs, by the address of their text.
type Statics = HashMap<usize, Result<Arc<Compiled>, LoadError>>;

#[derive(Debug, Default)]
struct Known {
    entries: HashMap<Box<str>, Entry>,
    /// Counts lookups, so that entries know the age of their last one.
    now: u64,
}

#[derive(Debug)]
struct Entry {
    state: State,
    /// The place where it was read, and the stamp it had there.
    read: Option<(String, String)>,
    used: u64,
}

/// The result for a name.
#[derive(Clone, Debug)]
enum State {
    Compiled(Key),
    Failed(LoadError),
}

/// The result of [`SchemaRegistry::refresh`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Refreshed {
    /// Names whose schema is the same as before.
    pub unchanged: usize,
    /// Names that have another schema now, or one for the first time.
    pub changed: Vec<String>,
    /// Names that have no schema any more.
    pub removed: Vec<String>,
    /// Schemas that can no longer be read or compiled. A name with a valid one before keeps it.
    pub broken: Vec<LoadError>,
}

impl Named {
    fn known(&self) -> MutexGuard<'_, Known> {
        // No code that runs under the lock can leave it half done.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SchemaRegistry {
    /// An empty registry that finds schemas by name.
    #[must_use]
    pub fn with_source(limits: SchemaLimits, source: Arc<dyn SchemaSource>) -> Self {
        let mut registry = Self::new(limits);
        registry.named.source = Some(source);
        registry
    }

    /// The schema of a name. The result for a name is kept until [`SchemaRegistry::refresh`], or
    /// until it is dropped to make room.
    ///
    /// # Errors
    ///
    /// There is none, or it cannot be used. The message names the file.
    pub fn load_named(&self, name: &str) -> Result<Arc<Compiled>, LoadError> {
        match self.remembered(name) {
            Some(State::Failed(error)) => return Err(error),
            Some(State::Compiled(key)) => {
                // If it was dropped to make room, it is read again.
                if let Some(Ok(compiled)) = self.kept_outcome(&key) {
                    return Ok(compiled);
                }
            }
            None => {}
        }
        let text = self.read(name);
        let read = stamped(text.as_ref().ok());
        let outcome = text.and_then(|text| self.load_text(&text.bytes, &text.location));
        let state = match &outcome {
            Ok(compiled) => State::Compiled(compiled.key()),
            Err(error) => State::Failed(error.clone()),
        };
        self.remember(name, state, read);
        outcome
    }

    /// Compiles a schema that is given as text, of the newest dialect unless it names another.
    /// Errors call it `location`.
    ///
    /// # Errors
    ///
    /// It is no JSON, or no schema that can be used.
    pub fn load_text(&self, bytes: &[u8], location: &str) -> Result<Arc<Compiled>, LoadError> {
        let broken = |reason: String| {
            LoadError::unusable(format!("failed to use the schema {location}: {reason}"))
        };
        let limits = ScanLimits {
            bytes: self.limits().bytes,
            ..ScanLimits::DEFAULT
        };
        let mut tape = Tape::new();
        let root = read_text(bytes, &limits, &mut tape).map_err(broken)?;
        self.load(root, Dialect::Draft202012)
            .map_err(|fault| broken(fault.located()))
    }

    /// The same for a text that is part of a program: it is read once, for all users.
    ///
    /// # Errors
    ///
    /// It is no JSON, or no schema that can be used.
    pub fn load_static(
        &self,
        text: &'static str,
        location: &str,
    ) -> Result<Arc<Compiled>, LoadError> {
        let address = text.as_ptr() as usize;
        if let Some(loaded) = self.statics().get(&address) {
            return loaded.clone();
        }
        let loaded = self.load_text(text.as_bytes(), location);
        self.statics().insert(address, loaded.clone());
        loaded
    }

    fn statics(&self) -> MutexGuard<'_, Statics> {
        // No code that runs under the lock can leave it half done.
        let statics = &self.named.statics;
        statics.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads every known name from the source again. Nothing waits meanwhile: holders of a compiled
    /// schema keep it, and names change to their new schemas one by one.
    pub fn refresh(&self) -> Refreshed {
        let names: Vec<Box<str>> = self.named.known().entries.keys().cloned().collect();
        let mut refreshed = Refreshed::default();
        for name in names {
            self.refresh_one(&name, &mut refreshed);
        }
        refreshed.changed.sort_unstable();
        refreshed.removed.sort_unstable();
        refreshed
            .broken
            .sort_unstable_by(|left, right| left.message.cmp(&right.message));
        refreshed
    }

    fn refresh_one(&self, name: &str, refreshed: &mut Refreshed) {
        let text = self.read(name);
        let read = stamped(text.as_ref().ok());
        let (state, is_same) = match self.named.known().entries.get(name) {
            Some(entry) => (entry.state.clone(), entry.read == read),
            // It was dropped meanwhile.
            None => return,
        };
        let was_sound = matches!(state, State::Compiled(_));
        match text {
            Ok(_) if is_same => match state {
                State::Compiled(_) => refreshed.unchanged += 1,
                State::Failed(error) => refreshed.broken.push(error),
            },
            Ok(text) => match self.load_text(&text.bytes, &text.location) {
                Ok(compiled) => {
                    self.remember(name, State::Compiled(compiled.key()), read);
                    refreshed.changed.push(name.to_owned());
                }
                Err(error) => {
                    if !was_sound {
                        self.remember(name, State::Failed(error.clone()), read);
                    }
                    refreshed.broken.push(error);
                }
            },
            Err(error) if error.kind == LoadErrorKind::NotFound => {
                if was_sound {
                    refreshed.removed.push(name.to_owned());
                }
                self.remember(name, State::Failed(error), None);
            }
            Err(error) => refreshed.broken.push(error),
        }
    }

    fn read(&self, name: &str) -> Result<SchemaText, LoadError> {
        let Some(source) = &self.named.source else {
            return Err(LoadError::not_found(format!(
                "there is no schema `{}`: the registry has no source of schemas",
                name.escape_debug()
            )));
        };
        source.read(name).map_err(LoadError::from)
    }

    fn remembered(&self, name: &str) -> Option<State> {
        let mut known = self.named.known();
        known.now += 1;
        let now = known.now;
        let entry = known.entries.get_mut(name)?;
        entry.used = now;
        Some(entry.state.clone())
    }

    fn remember(&self, name: &str, state: State, read: Option<(String, String)>) {
        let mut known = self.named.known();
        known.now += 1;
        let used = known.now;
        known
            .entries
            .insert(name.into(), Entry { state, read, used });
        while known.entries.len() > self.limits().kept.max(1) {
            let oldest = known.entries.iter().min_by_key(|(_, entry)| entry.used);
            let Some(oldest) = oldest.map(|(name, _)| name.clone()) else {
                break;
            };
            known.entries.remove(&oldest);
        }
    }
}

fn stamped(text: Option<&SchemaText>) -> Option<(String, String)> {
    text.map(|text| (text.location.clone(), text.stamp.clone()))
}

/// Reads a document. The scanner is compiled anew wherever it is called; that is not needed for
/// documents.
#[inline(never)]
fn read_text<'t>(
    bytes: &'t [u8],
    limits: &ScanLimits,
    tape: &'t mut Tape,
) -> Result<Node<'t>, String> {
    if let Err(fault) = scan(bytes, limits, tape) {
        let (at, message) = (fault.start, fault_message(bytes, &fault));
        return Err(format!("not JSON at byte {at}: {message}"));
    }
    tape.root(bytes)
        .ok_or_else(|| "there is no value".to_owned())
}
