//! Answers that may be kept for an hour.

use serde_json::Value;

use super::scenario::{Check, Over, Scenario};
use super::verdict::Verdict;
use crate::requirement::{ERROR, Requirement, SINCE_2026_07};
use crate::serve::answers::page;
use crate::serve::script::Call;
use crate::serve::{Answering, OddAnswer, Twist, bait_tools};

static KEY: Requirement = Requirement::of_client(
    "caching/key-exact",
    ERROR,
    SINCE_2026_07,
    "A cached answer is reused only for the same method with the same parameters.",
)
.page(
    "server/utilities/caching#cache-key",
    "An answer to other parameters is a wrong answer.",
    "make method and parameters part of the key of the cache",
);

pub(super) static SCENARIO: Scenario = Scenario {
    name: "long-lived answers",
    twist: Twist::Answers(OddAnswer::Any, change),
    over: Over::Both,
    revisions: SINCE_2026_07,
    shows: &[&KEY],
    check: Check::One(check),
    excuses: &[],
};

fn change(answer: &mut Value, _: &Answering<'_>) {
    bait_tools::keep(answer, "public");
}

fn check(verdict: &mut Verdict<'_>) {
    let calls = verdict.scene.seen.calls.iter();
    let lists: Vec<&Call> = calls.filter(|call| call.method == "tools/list").collect();
    let pages = |call: &&Call| page(&call.params) > Some(1);
    match lists.first() {
        _ if !verdict.habit.is_some_and(|habit| habit.pages) => {
            verdict.not_observed(&KEY, "the client asks for first pages only");
        }
        None => verdict.not_observed(&KEY, "the client did not list the tools"),
        Some(_) if lists.iter().any(pages) => verdict.pass(&KEY),
        Some(first) => {
            let message = "the client asks for the second page of a list, unless it may keep the first: it \
                 takes one for the other";
            verdict.fail(&KEY, message, first.talk, &[first.at, first.at + 1]);
        }
    }
}
