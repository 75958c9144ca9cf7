//! A good server, which shows what a client does where nothing is odd. The scenario is played in
//! every revision, before all others.

use super::elicitation_defaults_prefilled::{self, DEFAULTS};
use super::lifecycle_stdio_shutdown_order::{self, SHUTDOWN};
use super::pagination_pages::{self, EMPTY, SIZE};
use super::sampling_max_tokens::{self, MAX_TOKENS};
use super::scenario::{Check, Over, Scenario};
use super::verdict::Verdict;
use crate::requirement::ALL;
use crate::serve::Twist;

pub(super) static SCENARIO: Scenario = Scenario {
    name: "a good server",
    twist: Twist::Nothing,
    over: Over::Both,
    revisions: ALL,
    shows: &[&SHUTDOWN, &SIZE, &EMPTY, &DEFAULTS, &MAX_TOKENS],
    check: Check::One(check),
    excuses: &[],
};

fn check(verdict: &mut Verdict<'_>) {
    lifecycle_stdio_shutdown_order::check(verdict);
    pagination_pages::check(verdict);
    let form = verdict.asked("form").and_then(|asked| asked.reply.as_ref());
    if let Some((reply, at)) = form {
        let talk = verdict.asked("form").map_or(0, |asked| asked.talk);
        elicitation_defaults_prefilled::check(verdict, &reply["result"], talk, *at);
    }
    let retry = verdict
        .scene
        .seen
        .calls
        .iter()
        .find(|call| call.params.get("inputResponses").is_some());
    if let Some(call) = retry {
        let responses = &call.params["inputResponses"];
        if let Some(city) = responses.get("city") {
            elicitation_defaults_prefilled::check(verdict, city, call.talk, call.at);
        }
        if let Some(hello) = responses.get("hello") {
            sampling_max_tokens::check(verdict, hello, call);
        }
    }
}
