//! A tool whose schema uses many keywords, and one that wants to be shown that schema.

use serde_json::Value;

use super::scenario::{Check, Over, Scenario};
use super::verdict::Verdict;
use crate::requirement::{Requirement, SINCE_2025_11, WARNING};
use crate::serve::bait_tools::{SHOW_SCHEMA, keyword_schema};
use crate::serve::{Answering, OddAnswer, Twist, bait_tools};

static KEYWORDS: Requirement = Requirement::of_client(
    "schema/keywords-preserved",
    WARNING,
    SINCE_2025_11,
    "Keywords of a tool schema such as anyOf, if/then/else, $defs and $anchor survive parsing \
     and re-serialisation by the client.",
)
.page(
    "server/tools#tool",
    "The model sees a schema that allows other arguments than the server does.",
    "keep keywords of a schema that the client does not know",
);

pub(super) static SCENARIO: Scenario = Scenario {
    name: "many keywords",
    twist: Twist::Answers(OddAnswer::Any, change),
    over: Over::Both,
    revisions: SINCE_2025_11,
    shows: &[&KEYWORDS],
    check: Check::One(check),
    excuses: &[],
};

fn change(answer: &mut Value, request: &Answering<'_>) {
    if request.is_first_page() {
        for tool in bait_tools::keyword_tools() {
            bait_tools::add(answer, tool);
        }
    }
}

fn check(verdict: &mut Verdict<'_>) {
    let called = verdict.called();
    let shown = called
        .iter()
        .find(|call| call.params["name"] == SHOW_SCHEMA);
    let shown = shown.filter(|call| {
        let schema = &call.params["arguments"]["schema"];
        schema["type"] == "object" && schema["properties"].is_object()
    });
    let Some(call) = shown else {
        verdict.not_observed(
            &KEYWORDS,
            "the client does not show the schema that a tool asks for",
        );
        return;
    };
    let mut lost = Vec::new();
    find_lost(
        &keyword_schema(),
        &call.params["arguments"]["schema"],
        &mut lost,
    );
    let (talk, at) = (call.talk, call.at);
    if lost.is_empty() {
        verdict.pass(&KEYWORDS);
    } else {
        let message = format!("the schema of a tool lost {}", lost.join(", "));
        verdict.fail(&KEYWORDS, message, talk, &[at]);
    }
}

/// Collects the keywords that one has and the other has not, or has otherwise; whatever is within a
/// lost one is lost with it.
fn find_lost(ours: &Value, theirs: &Value, lost: &mut Vec<String>) {
    for (keyword, value) in ours.as_object().into_iter().flatten() {
        match theirs.get(keyword) {
            Some(kept) if value.is_object() => find_lost(value, kept, lost),
            Some(kept) if kept == value => {}
            _ => lost.push(format!("`{keyword}`")),
        }
    }
}
