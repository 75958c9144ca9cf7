//! A tool with a header annotation that is not allowed.

use serde_json::{Value, json};

use super::scenario::{Check, Over, Scenario};
use super::verdict::Verdict;
use crate::requirement::{ERROR, Requirement, SINCE_2026_07};
use crate::serve::{Answering, OddAnswer, Twist, bait_tools};

static DROPPED: Requirement = Requirement::of_client(
    "tools/x-mcp-header-invalid-dropped",
    ERROR,
    SINCE_2026_07,
    "An HTTP client leaves tools with an invalid annotation out of the tool list and keeps \
     the others.",
)
.page(
    "server/tools#x-mcp-header",
    "A call of the tool could not carry its header, and would be refused.",
    "leave out the tool with the invalid annotation, keep the others, and say so in the \
         log",
);

pub(super) static SCENARIO: Scenario = Scenario {
    name: "a bad header annotation",
    twist: Twist::Answers(OddAnswer::ToolList, change),
    over: Over::Http,
    revisions: SINCE_2026_07,
    shows: &[&DROPPED],
    check: Check::One(check),
    excuses: &[],
};

fn change(answer: &mut Value, request: &Answering<'_>) {
    if request.is_first_page() {
        let schema = json!({"type": "object", "properties":
            {"x": {"type": "string", "x-mcp-header": "not a token"}}});
        bait_tools::add_odd(answer, "broken", &schema);
    }
}

fn check(verdict: &mut Verdict<'_>) {
    let called = verdict.called();
    let usual = verdict.habit.map_or(0, |habit| {
        habit
            .calls
            .iter()
            .filter(|method| *method == "tools/call")
            .count()
    });
    if let Some(call) = called.iter().find(|call| call.params["name"] == "broken") {
        let message = "the client called a tool whose `x-mcp-header` is invalid";
        verdict.fail(&DROPPED, message, call.talk, &[call.at]);
    } else if usual < 2 {
        verdict.not_observed(&DROPPED, "the client does not call every tool");
    } else if called.is_empty() {
        verdict.fail_here(
            &DROPPED,
            "the client called no tool any more after one had an invalid `x-mcp-header`".to_owned(),
        );
    } else {
        verdict.pass(&DROPPED);
    }
}
