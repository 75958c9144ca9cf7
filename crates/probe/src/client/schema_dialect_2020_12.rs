//! A tool whose result fits its schema in the default dialect only.

use super::scenario::{Check, Over, Scenario};
use super::verdict::Verdict;
use super::verdict::how_ended;
use crate::requirement::SINCE_2025_11;
use crate::serve::bait_tools::{SHOW_RESULT, put_in_dialect};
use crate::serve::{OddAnswer, Twist};
use crate::server::schema_dialects::DIALECT;

pub(super) static SCENARIO: Scenario = Scenario {
    name: "the default dialect",
    twist: Twist::Answers(OddAnswer::Sum, put_in_dialect),
    over: Over::Both,
    revisions: SINCE_2025_11,
    shows: &[&DIALECT],
    check: Check::One(check),
    excuses: &[],
};

/// A client that goes on may have turned the result down quietly: it has to show it.
fn check(verdict: &mut Verdict<'_>) {
    let shown = verdict.called().into_iter().any(|call| {
        call.params["name"] == SHOW_RESULT && call.params["arguments"]["result"]["terms"].is_array()
    });
    match verdict.goes_on() {
        _ if shown => verdict.pass(&DIALECT),
        Some(false) => {
            let how = how_ended(verdict.scene.exit);
            let what = "structured content that fits its schema in the dialect 2020-12 and in no older \
                 one";
            verdict.fail_here(&DIALECT, format!("the client {how} after {what}"));
        }
        _ => verdict.not_observed(
            &DIALECT,
            "the client does not show the result that a tool asks for",
        ),
    }
}
