//! A tool with a schema in a dialect that nobody knows.

use serde_json::{Value, json};

use super::scenario::{Check, Over, Scenario};
use super::verdict::Verdict;
use super::verdict::how_ended;
use crate::requirement::SINCE_2025_11;
use crate::serve::subject::Exit;
use crate::serve::{Answering, OddAnswer, Twist, bait_tools};
use crate::server::schema_dialects::FOREIGN;

pub(super) static SCENARIO: Scenario = Scenario {
    name: "an unknown dialect",
    twist: Twist::Answers(OddAnswer::ToolList, change),
    over: Over::Both,
    revisions: SINCE_2025_11,
    shows: &[&FOREIGN],
    check: Check::One(check),
    excuses: &[],
};

fn change(answer: &mut Value, request: &Answering<'_>) {
    if request.is_first_page() {
        let schema = json!({"$schema": "urn:mcp-assay:dialect", "type": "object"});
        bait_tools::add_odd(answer, "odd", &schema);
    }
}

fn check(verdict: &mut Verdict<'_>) {
    match (verdict.goes_on(), verdict.scene.exit) {
        (None, _) => {
            verdict.not_observed(
                &FOREIGN,
                "the client does nothing after it has listed the tools",
            );
        }
        // A client that ends with an error reported that to its user.
        (Some(true), _) | (_, Exit::Code(Some(1..))) => verdict.pass(&FOREIGN),
        (Some(false), exit) => {
            let how = how_ended(exit);
            let message =
                format!("the client {how} after a tool whose schema is in an unknown dialect");
            verdict.fail_here(&FOREIGN, message);
        }
    }
}
