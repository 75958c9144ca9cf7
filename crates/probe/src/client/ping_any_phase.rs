//! A ping before the answer to `initialize`.

use super::scenario::{Check, Over, Scenario};
use super::verdict::Verdict;
use crate::requirement::UNTIL_2025_11;
use crate::serve::Twist;
use crate::server::ping_any_phase::ANY_PHASE;

pub(super) static SCENARIO: Scenario = Scenario {
    name: "an early ping",
    twist: Twist::EarlyPing,
    over: Over::Stdio,
    revisions: UNTIL_2025_11,
    shows: &[&ANY_PHASE],
    check: Check::One(check),
    excuses: &[],
};

fn check(verdict: &mut Verdict<'_>) {
    let what = "`ping` before the answer to `initialize`";
    verdict.answered("early ping", &ANY_PHASE, what);
}
