//! Validators and guards that are kept from script to script: to make one takes longer than to run
//! a script.
//!
//! Some scripts are also run by a validator that is made for them, so that a validator which
//! changes while it is used is found.

use std::cell::RefCell;
use std::collections::HashMap;

use mcp_assay::Validator;

use super::script::{SESSIONS, Script};
use crate::guard::Guard;

/// More violations than any input has.
const UNLIMITED: usize = 1 << 30;

/// Limits of violations that are tried.
const LIMITS: [usize; 2] = [1, 3];

/// Kits that are kept.
const MAX_KITS: usize = 64;

thread_local! {
    /// Kits by the first line of the scripts that they serve.
    static KITS: RefCell<HashMap<Vec<u8>, Kit>> = RefCell::default();
}

/// Everything that has the settings of a script.
pub(super) struct Kit {
    /// One for each session.
    pub(super) validators: [Validator; SESSIONS],
    /// One for each session.
    pub(super) guards: [Guard; SESSIONS],
    /// Lists every violation of a message.
    pub(super) unlimited: Validator,
    /// Validators that list few violations.
    pub(super) limited: [Validator; LIMITS.len()],
}

impl Kit {
    /// Runs a script with a kit that has its settings. A kit that breaks a promise is not kept.
    pub(super) fn run(script: &Script<'_>, run: impl FnOnce(&mut Self)) {
        let line = &script.settings.line;
        let known = KITS.with_borrow_mut(|kits| kits.remove(line));
        let mut kit = known.unwrap_or_else(|| Self::new(script));
        run(&mut kit);
        KITS.with_borrow_mut(|kits| {
            if kits.len() == MAX_KITS {
                kits.clear();
            }
            kits.insert(line.clone(), kit);
        });
    }

    fn new(script: &Script<'_>) -> Self {
        let settings = &script.settings;
        let validator = || Validator::new(settings.policy.clone());
        let limited = |limit| Validator::new(settings.policy_with_violations(limit));
        Self {
            validators: [(); SESSIONS].map(|()| validator()),
            guards: [(); SESSIONS].map(|()| settings.guard(validator())),
            unlimited: limited(UNLIMITED),
            limited: LIMITS.map(limited),
        }
    }
}
