//! `initialize` answered with a version that nobody knows.

use super::scenario::{Check, Over, Scenario};
use super::verdict::Verdict;
use crate::requirement::{Requirement, UNTIL_2025_11, WARNING};
use crate::serve::Twist;

static DISCONNECT: Requirement = Requirement::of_client(
    "version/disconnect-on-unsupported",
    WARNING,
    UNTIL_2025_11,
    "A client that cannot speak the version in the initialize result disconnects (the schema \
     comment even says it must).",
)
.page(
    "basic/lifecycle#version-negotiation",
    "Both sides go on with different ideas of what messages mean.",
    "disconnect, and name the version in the message to the user",
);

pub(super) static SCENARIO: Scenario = Scenario {
    name: "an unknown version",
    twist: Twist::UnknownVersion,
    over: Over::Both,
    revisions: UNTIL_2025_11,
    shows: &[&DISCONNECT],
    check: Check::One(check),
    excuses: &[],
};

fn check(verdict: &mut Verdict<'_>) {
    let seen = &verdict.scene.seen;
    let Some(greeting) = seen.calls.iter().find(|call| call.method == "initialize") else {
        return;
    };
    let (talk, at) = (greeting.talk, greeting.at);
    let call = seen
        .calls
        .iter()
        .find(|call| call.is_feature)
        .map(|call| (call.at, call.method.clone()));
    let notice = seen
        .notices
        .iter()
        .find(|(.., method)| method == "notifications/initialized")
        .map(|(_, at, method)| (*at, method.clone()));
    match notice.or(call) {
        Some((next, method)) => {
            let message = format!(
                "the client went on with `{method}` although it cannot know the version of the \
                 answer"
            );
            verdict.fail(&DISCONNECT, message, talk, &[at, at + 1, next]);
        }
        None => verdict.pass(&DISCONNECT),
    }
}
