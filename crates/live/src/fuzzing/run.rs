//! All promises, one after the other.

use std::collections::BTreeSet;

use mcp_assay::Validator;

use super::guards;
use super::kit::Kit;
use super::script::Script;
use super::validators::{self, report};

/// One script in so many is also run by a new validator: to make one takes longer than a script.
const FRESH_EVERY: u64 = 16;

/// Runs a script through validators and guards. Returns the number of its messages.
///
/// # Panics
///
/// If a promise is broken; the sentence names it, and the step of the script.
pub fn session_keeps_promises(bytes: &[u8]) -> usize {
    let script = Script::read(bytes);
    Kit::run(&script, |kit| {
        let report = if hash(bytes).is_multiple_of(FRESH_EVERY) {
            report(&script, &mut [fresh(&script)])
        } else {
            report(&script, &mut kit.validators[1..])
        };
        validators::assert_is_reproducible(&script, &report, &mut kit.validators);
        validators::assert_looks_agree(&script, &report, &mut kit.validators[0]);
        let limited = &mut kit.limited;
        validators::assert_limits_keep_verdicts(&script, limited, &mut kit.unlimited);
        guards::assert_guards(&script, &report, kit);
    });
    let messages = script.steps.iter().filter(|step| !step.is_gap());
    messages.count()
}

/// The rules that a script violates, its endings included.
#[must_use]
pub fn rules_raised(bytes: &[u8]) -> BTreeSet<&'static str> {
    let script = Script::read(bytes);
    report(&script, &mut [fresh(&script)]).rules()
}

/// The same number for the same input in every run (FNV-1a).
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn fresh(script: &Script<'_>) -> Validator {
    Validator::new(script.settings.policy.clone())
}
