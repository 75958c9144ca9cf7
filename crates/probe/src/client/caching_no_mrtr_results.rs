//! A resource that is given out after a question only, and anew each time.

use serde_json::Value;

use super::scenario::{Check, Over, Scenario};
use super::verdict::Verdict;
use crate::requirement::{ERROR, Requirement, SINCE_2026_07};
use crate::serve::Twist;
use crate::serve::bait_tools::REPORT_READS;
use crate::serve::script::Call;

static NOT_CACHED: Requirement = Requirement::of_client(
    "caching/no-mrtr-results",
    ERROR,
    SINCE_2026_07,
    "Answers to retries with inputResponses or requestState are not cached.",
)
.page(
    "server/utilities/caching#cache-key",
    "Such an answer depends on the input of a user, which the next call does not have.",
    "do not store answers to requests with `inputResponses` or `requestState`",
);

pub(super) static SCENARIO: Scenario = Scenario {
    name: "answers after a question",
    twist: Twist::AskedReads,
    over: Over::Both,
    revisions: SINCE_2026_07,
    shows: &[&NOT_CACHED],
    check: Check::One(check),
    excuses: &[],
};

/// Compares the texts that the tool was given with those of the resource.
fn check(verdict: &mut Verdict<'_>) {
    let seen = &verdict.scene.seen;
    let reports = |call: &&Call| call.method == "tools/call" && call.params["name"] == REPORT_READS;
    let report = seen.calls.iter().find(reports);
    let told = |call: &Call| {
        let texts = call.params["arguments"]["texts"].as_array()?;
        let texts: Vec<_> = texts.iter().filter_map(Value::as_str).collect();
        let [first, second] = texts[..] else {
            return None;
        };
        let known = |text: &str| seen.texts.iter().any(|known| known == text);
        (known(first) && known(second)).then_some(first == second)
    };
    match report.and_then(|call| Some((call, told(call)?))) {
        None => {
            let why =
                "the client was not seen to read the same resource twice, as a tool asks it to";
            verdict.not_observed(&NOT_CACHED, why);
        }
        Some((_, false)) => verdict.pass(&NOT_CACHED),
        Some((call, true)) => {
            let retry = seen.calls.iter().find(|call| {
                call.method == "resources/read" && call.params.get("inputResponses").is_some()
            });
            let mut evidence: Vec<usize> = Vec::new();
            evidence.extend(retry.into_iter().flat_map(|retry| [retry.at, retry.at + 1]));
            evidence.push(call.at);
            let message = "the answer to a retry with `inputResponses` was given out again";
            verdict.fail(&NOT_CACHED, message, call.talk, &evidence);
        }
    }
}
