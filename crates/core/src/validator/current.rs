//! Definitions that are replaced while validators use them.

use core::fmt;
use core::ops::ControlFlow;
use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::Definitions;
use crate::catalogue::Sink;
use crate::exchange::Exchange;
use crate::syntax::Tape;

/// Definitions that may be replaced as a whole while validators use them.
///
/// They are given to a validator like any other. It reads one counter for each message, and uses
/// the new definitions from the next message on; it never waits. Prepare new definitions first, and
/// replace the old ones only if that succeeds.
///
/// ```
/// use std::sync::Arc;
/// use mcp_assay::{CurrentDefinitions, Validator};
///
/// let current = Arc::new(CurrentDefinitions::built_in());
/// let mut validator = Validator::default();
/// validator.replace_definitions(Arc::clone(&current) as Arc<_>);
/// // Later, on another thread: current.replace(new_definitions);
/// assert_eq!(current.generation(), 0);
/// ```
pub struct CurrentDefinitions {
    /// The number of replacements so far.
    generation: AtomicU64,
    /// `None` is the built-in model.
    current: Mutex<Option<Arc<dyn Definitions>>>,
}

impl CurrentDefinitions {
    /// Begins with these.
    #[must_use]
    pub fn new(definitions: Arc<dyn Definitions>) -> Self {
        Self::with(Some(definitions))
    }

    /// Begins with the built-in model.
    #[must_use]
    pub fn built_in() -> Self {
        Self::with(None)
    }

    fn with(current: Option<Arc<dyn Definitions>>) -> Self {
        Self {
            generation: AtomicU64::new(0),
            current: Mutex::new(current),
        }
    }

    /// Replaces the definitions in force.
    pub fn replace(&self, definitions: Arc<dyn Definitions>) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let old = current.replace(definitions);
        self.generation.fetch_add(1, Ordering::Release);
        drop(current);
        // A large document takes its time to drop: not under the lock.
        drop(old);
    }

    /// The number of replacements so far.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// The definitions in force with their generation; `None` in place of them is the built-in
    /// model. Nothing at all if they are being replaced at this moment.
    pub(super) fn get(&self) -> Option<(u64, Option<Arc<dyn Definitions>>)> {
        let current = match self.current.try_lock() {
            Ok(current) => current,
            Err(std::sync::TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(std::sync::TryLockError::WouldBlock) => return None,
        };
        // The counter changes under the lock.
        Some((self.generation(), current.clone()))
    }
}

impl Definitions for CurrentDefinitions {
    fn check(&self, exchange: &Exchange<'_>, tape: &Tape, sink: &mut dyn Sink) -> ControlFlow<()> {
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        match current.clone() {
            Some(definitions) => {
                drop(current);
                definitions.check(exchange, tape, sink)
            }
            None => ControlFlow::Continue(()),
        }
    }

    fn current(&self) -> Option<&CurrentDefinitions> {
        Some(self)
    }
}

impl fmt::Debug for CurrentDefinitions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CurrentDefinitions")
            .field("generation", &self.generation())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{Detail, inline};
    use crate::envelope::raise;
    use crate::{Session, Validator, Verdict};

    /// Refuses every message.
    struct Nothing;

    impl Definitions for Nothing {
        fn check(&self, exchange: &Exchange<'_>, _: &Tape, sink: &mut dyn Sink) -> ControlFlow<()> {
            let at = exchange.envelope.root();
            raise(&inline::OVERRIDE, at, Detail::Plain, sink)
        }
    }

    /// Accepts every message.
    struct Everything;

    impl Definitions for Everything {
        fn check(&self, _: &Exchange<'_>, _: &Tape, _: &mut dyn Sink) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
    }

    #[test]
    fn a_replacement_takes_effect_with_the_next_message() {
        let current = Arc::new(CurrentDefinitions::built_in());
        let mut validator = Validator::default();
        validator.replace_definitions(Arc::clone(&current) as Arc<_>);
        let unknown = br#"{"jsonrpc":"2.0","id":1,"method":"x/y"}"#;
        let mut rules = || -> Vec<&str> {
            let checked = validator.check(&mut Session::new(), &unknown[..]);
            checked
                .violations()
                .iter()
                .map(|found| found.rule.name)
                .collect()
        };
        assert_eq!(rules(), ["schema/unknown-method"]);
        current.replace(Arc::new(Nothing));
        assert_eq!(rules(), ["schema/override"]);
        current.replace(Arc::new(Everything));
        assert_eq!(rules(), [""; 0]);
    }

    #[test]
    fn a_check_does_not_wait_for_a_replacement() {
        let current = Arc::new(CurrentDefinitions::new(Arc::new(Nothing)));
        let mut validator = Validator::default();
        validator.replace_definitions(Arc::clone(&current) as Arc<_>);
        let ping = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        current.replace(Arc::new(Everything));
        // The lock that a replacement takes is held for as long as the check lasts.
        let held = current.current.lock();
        let verdict = validator.check(&mut Session::new(), &ping[..]).verdict();
        assert_eq!(verdict, Verdict::Block, "the definitions before are used");
        drop(held);
        let verdict = validator.check(&mut Session::new(), &ping[..]).verdict();
        assert_eq!(verdict, Verdict::Pass);
    }
}
