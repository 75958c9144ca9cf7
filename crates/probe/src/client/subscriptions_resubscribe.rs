//! A server that dies of the first request.

use mcp_assay::model::Fact;

use super::scenario::{Check, Over, Scenario};
use super::verdict::Verdict;
use crate::requirement::{ALL, ERROR, Requirement, SINCE_2026_07};
use crate::serve::Twist;

static RESUBSCRIBE: Requirement = Requirement::of_client(
    "subscriptions/resubscribe",
    ERROR,
    SINCE_2026_07,
    "After a stdio reconnect the client sends subscriptions/listen again; the server \
     remembers nothing.",
)
.page(
    "basic/patterns/subscriptions#graceful-closure",
    "The server remembers nothing of the connection before: no update arrives any more.",
    "send `subscriptions/listen` after every reconnect",
);

pub(super) static SCENARIO: Scenario = Scenario {
    name: "a server that dies",
    twist: Twist::Dies,
    over: Over::Both,
    revisions: ALL,
    shows: &[&RESUBSCRIBE],
    check: Check::One(check),
    excuses: &[],
};

fn check(verdict: &mut Verdict<'_>) {
    let scene = verdict.scene;
    if !scene.revision.has(Fact::Subscriptions) {
        return;
    }
    let listens = |talk: usize| {
        let mut calls = scene.seen.calls.iter();
        calls.any(|call| call.talk == talk && call.method == "subscriptions/listen")
    };
    let next = scene.seen.calls.iter().find(|call| call.talk > 0);
    match next {
        _ if !listens(0) => verdict.not_applicable(&RESUBSCRIBE, "the client does not subscribe"),
        None => verdict.not_observed(&RESUBSCRIBE, "the client did not connect again"),
        Some(call) if listens(call.talk) => verdict.pass(&RESUBSCRIBE),
        Some(call) => {
            let message = "the client connected again and did not subscribe again";
            verdict.fail(&RESUBSCRIBE, message, call.talk, &[call.at]);
        }
    }
}
