//! Tools with schemas that refer to the network. The scenario shows what is fetched, and what is
//! called without having been fetched.

use serde_json::{Value, json};

use super::scenario::{Check, Over, Scenario};
use super::verdict::Verdict;
use crate::requirement::{ERROR, Requirement, SINCE_2026_07, WARNING};
use crate::serve::bait_tools::UNRESOLVED;
use crate::serve::script::Call;
use crate::serve::{Answering, OddAnswer, Twist, bait_tools};

static FETCHED: Requirement = Requirement::of_both(
    "schema/no-network-ref",
    ERROR,
    SINCE_2026_07,
    "A $ref to a network address is not fetched unless an operator switched that on.",
)
.page(
    "basic/index#ref-resolution",
    "A schema could make the client fetch any address, also inside a private network.",
    "do not fetch a `$ref`; report that it cannot be resolved",
)
.unprovoked_in_servers("a server is sent no schemas, and what it fetches for its own is not seen");

static UNRESOLVED_REF: Requirement = Requirement::of_both(
    "schema/unresolved-ref-rejected",
    WARNING,
    SINCE_2026_07,
    "A schema that cannot be evaluated because of an unresolved external $ref is rejected \
     instead of being treated as allowing everything.",
)
.page(
    "basic/index#ref-resolution",
    "A schema that allows everything hides wrong values.",
    "refuse the tool or the call, and say which `$ref` is unresolved",
)
.unprovoked_in_servers(
    "a server is sent no schemas, and its own references may well resolve for it",
);

pub(super) static SCENARIO: Scenario = Scenario {
    name: "a schema on the network",
    twist: Twist::Answers(OddAnswer::ToolList, change),
    over: Over::Both,
    revisions: SINCE_2026_07,
    shows: &[&FETCHED, &UNRESOLVED_REF],
    check: Check::One(check),
    excuses: &[],
};

fn change(answer: &mut Value, request: &Answering<'_>) {
    if !request.is_first_page() {
        return;
    }
    let place = format!("{}/schema.json", request.bait);
    let within = json!({"type": "object", "properties": {"x": {"$ref": place}}});
    bait_tools::add_odd(answer, "odd", &within);
    bait_tools::add_odd(
        answer,
        UNRESOLVED,
        &json!({"type": "object", "$ref": place}),
    );
    answer["result"]["tools"][1]["outputSchema"]["properties"]["more"] = json!({"$ref": place});
}

fn check(verdict: &mut Verdict<'_>) {
    let lists = |call: &Call| call.method == "tools/list";
    if let Some(path) = verdict.scene.seen.baited.first() {
        let message = format!("a `$ref` in the schema of a tool made the client fetch `{path}`");
        verdict.fail_here(&FETCHED, message);
    } else if verdict.scene.seen.calls.iter().any(lists) {
        verdict.pass(&FETCHED);
    }
    check_unresolved(verdict);
}

/// A client that calls a tool whose schema cannot be evaluated takes it for one that allows
/// everything.
fn check_unresolved(verdict: &mut Verdict<'_>) {
    let called = verdict.called();
    let odd = called.iter().find(|call| call.params["name"] == UNRESOLVED);
    match odd {
        Some(call) => {
            let message =
                "the client called a tool whose schema is a `$ref` that it did not resolve";
            verdict.fail(&UNRESOLVED_REF, message, call.talk, &[call.at]);
        }
        None if called.len() < 2 => {
            verdict.not_observed(&UNRESOLVED_REF, "the client does not call every tool");
        }
        None => verdict.pass(&UNRESOLVED_REF),
    }
}
