//! The state that a server gives away between two rounds: changed on the way, and sent with another
//! request. Both need the same honest round first.

use serde_json::json;

use super::Probe;
use super::Step;
use super::mrtr_rounds::{Candidate, ask, responses, send};
use crate::arguments::Generator;
use crate::raw_client::Answer;
use crate::requirement::{ERROR, Requirement, SINCE_2026_07, WARNING};

static TAMPERED: Requirement = Requirement::of_server(
    "mrtr/state-tampering-rejected",
    ERROR,
    SINCE_2026_07,
    "State that influences access or logic is integrity-protected, and altered state is \
     refused.",
)
.page(
    "basic/patterns/mrtr#server-requirements-basic-workflow",
    "A client can grant itself what the state decides about.",
    "sign or encrypt the state, and refuse one that was altered",
);

static REPLAYED: Requirement = Requirement::of_server(
    "mrtr/state-replay-guard",
    WARNING,
    SINCE_2026_07,
    "State is bound to the caller, a short lifetime and the originating request.",
)
.page(
    "basic/patterns/mrtr#server-requirements-basic-workflow",
    "State that was seen once can be used by others and for other requests.",
    "bind the state to the caller, to the request and to a short time",
);

pub(super) static PROBE: Probe = Probe::between(&[&TAMPERED, &REPLAYED]);

pub(super) static ALL: [&Requirement; 2] = [&TAMPERED, &REPLAYED];

/// Seeds tried for other arguments than the first.
const SEEDS: u64 = 16;

/// Plays rounds with a tool that asks for more when it is called like this.
pub(super) fn run(step: &mut Step<'_, '_>, candidate: &Candidate<'_>) {
    if step.is_over() || !step.wants(&ALL) {
        return;
    }
    let Some(asked) = ask(step, candidate) else {
        return;
    };
    let Some(state) = asked["requestState"].as_str() else {
        for id in ALL {
            step.not_applicable(id, "no state is given away");
        }
        return;
    };
    let Some(changed) = changed(state) else {
        return;
    };
    // Only where an honest round leads somewhere does it tell anything if another one does.
    if !succeeds(&send(
        step,
        candidate,
        Some((responses(&asked), &json!(state))),
    )) {
        for id in ALL {
            step.not_observed(id, "nothing comes of an honest round either");
        }
        return;
    }
    tamper(step, candidate, &changed);
    replay(step, candidate);
}

fn tamper(step: &mut Step<'_, '_>, candidate: &Candidate<'_>, changed: &str) {
    let Some(asked) = ask(step, candidate) else {
        return;
    };
    // Each round has a state of its own.
    let own = asked["requestState"].as_str().and_then(self::changed);
    let changed = json!(own.as_deref().unwrap_or(changed));
    let answer = send(step, candidate, Some((responses(&asked), &changed)));
    if succeeds(&answer) {
        let message =
            "a `requestState` with one character changed led to a result, expected to be refused";
        step.fail(&TAMPERED, message, &answer.evidence);
    } else {
        step.pass(&TAMPERED);
    }
}

fn replay(step: &mut Step<'_, '_>, candidate: &Candidate<'_>) {
    let Some(tool) = candidate.tool else {
        return step.not_observed(&REPLAYED, "no tool that was called asks for more");
    };
    let params = &candidate.params;
    let seed = step.client.options.seed;
    let other = (1..SEEDS).find_map(|more| {
        let mut generator = Generator::new(seed.wrapping_add(more));
        let arguments = generator.arguments(&tool["inputSchema"]);
        (arguments != params["arguments"]).then_some(arguments)
    });
    let Some(arguments) = other else {
        step.not_observed(&REPLAYED, "the tool takes no other arguments");
        return;
    };
    let Some(asked) = ask(step, candidate) else {
        return;
    };
    let mut others = candidate.clone();
    others.params["arguments"] = arguments;
    let more = (responses(&asked), &asked["requestState"]);
    let answer = send(step, &others, Some(more));
    if succeeds(&answer) {
        let message = "the `requestState` of one call led to a result with other arguments, expected to be \
             refused";
        step.fail(&REPLAYED, message, &answer.evidence);
    } else {
        step.pass(&REPLAYED);
    }
}

fn succeeds(answer: &Answer) -> bool {
    answer.result().is_some_and(|result| {
        result["resultType"] != "input_required" && result["isError"] != json!(true)
    })
}

/// The same with one letter or digit in the middle changed.
fn changed(state: &str) -> Option<String> {
    let middle = state.len() / 2;
    let at = (middle..state.len())
        .chain(0..middle)
        .find(|at| state.as_bytes()[*at].is_ascii_alphanumeric())?;
    let other = if state.as_bytes()[at] == b'x' {
        "y"
    } else {
        "x"
    };
    let mut changed = state.to_owned();
    changed.replace_range(at..=at, other);
    Some(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_character_is_changed() {
        assert_eq!(changed("abcd").as_deref(), Some("abxd"));
        assert_eq!(changed("axxb").as_deref(), Some("axyb"));
        assert_eq!(changed("a===").as_deref(), Some("x==="));
        assert_eq!(changed("=="), None);
    }
}
