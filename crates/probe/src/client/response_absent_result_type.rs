//! Results without `resultType`.

use serde_json::Value;

use super::scenario::{Check, Over, Scenario};
use super::verdict::Verdict;
use crate::requirement::{ERROR, Requirement, SINCE_2026_07};
use crate::serve::{Answering, OddAnswer, Twist};

static ABSENT: Requirement = Requirement::of_client(
    "response/absent-result-type-is-complete",
    ERROR,
    SINCE_2026_07,
    "A client treats a result without resultType from an older server as complete.",
)
.page(
    "basic/index#resulttype",
    "Servers of older revisions know no `resultType`; their answers would be lost.",
    "read an absent `resultType` as `complete`",
);

pub(super) static SCENARIO: Scenario = Scenario {
    name: "no kind of result",
    twist: Twist::Answers(OddAnswer::Any, change),
    over: Over::Both,
    revisions: SINCE_2026_07,
    shows: &[&ABSENT],
    check: Check::One(check),
    excuses: &[],
};

fn change(answer: &mut Value, _: &Answering<'_>) {
    if let Some(result) = answer["result"].as_object_mut() {
        result.remove("resultType");
    }
}

fn check(verdict: &mut Verdict<'_>) {
    verdict.went_on(&ABSENT, "a result without `resultType`");
}
