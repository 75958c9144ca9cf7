//! A tool with a schema that takes for ever to evaluate.

use serde_json::{Value, json};

use super::scenario::{Check, Over, Scenario};
use super::verdict::Verdict;
use super::verdict::how_ended;
use crate::requirement::{Requirement, SINCE_2026_07, WARNING};
use crate::serve::subject::Exit;
use crate::serve::{Answering, OddAnswer, Twist};

static BOUNDED: Requirement = Requirement::of_both(
    "schema/bounded-validation",
    WARNING,
    SINCE_2026_07,
    "Depth, number of subschemas or time of schema evaluation should be bounded so that a \
     hostile schema cannot stall the validator.",
)
.page(
    "basic/index#composition-keyword-resource-use",
    "A hostile schema can keep the validator busy for minutes.",
    "limit the depth, the number of subschemas or the time of an evaluation",
)
.unprovoked_in_servers("a server is sent no schemas");

pub(super) static SCENARIO: Scenario = Scenario {
    name: "a hostile schema",
    twist: Twist::Answers(OddAnswer::ToolList, change),
    over: Over::Both,
    revisions: SINCE_2026_07,
    shows: &[&BOUNDED],
    check: Check::One(check),
    excuses: &[],
};

fn change(answer: &mut Value, request: &Answering<'_>) {
    if request.is_first_page() {
        answer["result"]["tools"][1]["outputSchema"] = hostile();
    }
}

/// A schema that is short to write, and evaluated a million million times if nothing bounds that.
fn hostile() -> Value {
    const LEVELS: usize = 40;
    let mut definitions = json!({"d0": {"type": "object"}});
    for level in 1..=LEVELS {
        let below = json!({"$ref": format!("#/$defs/d{}", level - 1)});
        definitions[format!("d{level}")] = json!({"allOf": [below.clone(), below]});
    }
    json!({"type": "object", "$ref": format!("#/$defs/d{LEVELS}"), "$defs": definitions})
}

fn check(verdict: &mut Verdict<'_>) {
    match (verdict.goes_on(), verdict.scene.exit) {
        (None, _) => {
            verdict.not_observed(
                &BOUNDED,
                "the client does nothing after it has listed the tools",
            );
        }
        (Some(_), Exit::Code(Some(_))) => verdict.pass(&BOUNDED),
        (Some(true), Exit::Running)
            if verdict
                .habit
                .is_some_and(|habit| habit.exit == Exit::Running) =>
        {
            verdict.pass(&BOUNDED);
        }
        (_, exit) => {
            let how = how_ended(exit);
            let message =
                format!("the client {how} after a schema that takes for ever to evaluate");
            verdict.fail_last(&BOUNDED, message);
        }
    }
}
