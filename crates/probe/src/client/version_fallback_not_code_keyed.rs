//! A modern opening refused with another code than usual.

use mcp_assay::Revision;
use mcp_assay::model::Fact;

use super::scenario::{Check, Over, Scenario};
use super::verdict::Verdict;
use crate::findings::Outcome;
use crate::requirement::{ERROR, Requirement, SINCE_2026_07, UNTIL_2025_11};
use crate::serve::Twist;

static FALLBACK: Requirement = Requirement::of_client(
    "version/fallback-not-code-keyed",
    ERROR,
    SINCE_2026_07,
    "Falling back to the legacy handshake may not depend on one particular error code; any \
     other error, or silence, means a legacy server.",
)
.page(
    "basic/transports/stdio#backward-compatibility",
    "Older servers refuse an unknown method in many ways; a client that knows one of them \
         does not reach the others.",
    "fall back to `initialize` after any error but those of the newer revision, and after \
         silence",
);

pub(super) static SCENARIO: Scenario = Scenario {
    name: "an odd refusal",
    twist: Twist::OddCode,
    over: Over::Both,
    revisions: UNTIL_2025_11,
    shows: &[&FALLBACK],
    check: Check::One(check),
    excuses: &[],
};

fn check(verdict: &mut Verdict<'_>) {
    let modern = Revision::latest_with(Fact::Stateless);
    let falls_back = verdict.habit.is_some_and(|habit| {
        habit
            .calls
            .first()
            .is_some_and(|method| method != "initialize")
    });
    if !falls_back {
        let why = "the client opens with a handshake";
        verdict
            .findings
            .add(FALLBACK.id, modern, Outcome::NotApplicable(why.to_owned()));
        return;
    }
    let calls = &verdict.scene.seen.calls;
    let outcome = if calls.iter().any(|call| call.method == "initialize") {
        Outcome::Pass
    } else {
        let evidence = verdict
            .scene
            .talks
            .first()
            .map(|talk| talk.records.iter().take(4).cloned().collect());
        Outcome::Fail {
            message: "the client goes back to `initialize` after one error code and gives up after another".to_owned(),
            evidence: evidence.unwrap_or_default(),
        }
    };
    verdict.findings.add(FALLBACK.id, modern, outcome);
}
