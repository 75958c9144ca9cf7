//! All promises, one after the other.

use std::collections::BTreeSet;

use mcp_assay::Validator;

use super::guards;
use super::kit::Kit;
use super::script::Script;
use super::validators::{self, report};

/// Runs a script through validators and guards.
///
/// # Panics
///
/// If a promise is broken; the sentence names it, and the step of the script.
pub fn session_keeps_promises(bytes: &[u8]) {
    let script = Script::read(bytes);
    let report = report(&script, &mut [fresh(&script)]);
    Kit::run(&script, |kit| {
        validators::assert_is_reproducible(&script, &report, &mut kit.validators);
        validators::assert_looks_agree(&script, &report, &mut kit.validators[0]);
        let limited = &mut kit.limited;
        validators::assert_limits_keep_verdicts(&script, limited, &mut kit.unlimited);
        guards::assert_guards(&script, &report, kit);
    });
}

/// The rules that a script violates, its endings included.
#[must_use]
pub fn rules_raised(bytes: &[u8]) -> BTreeSet<&'static str> {
    let script = Script::read(bytes);
    report(&script, &mut [fresh(&script)]).rules()
}

fn fresh(script: &Script<'_>) -> Validator {
    Validator::new(script.settings.policy.clone())
}
