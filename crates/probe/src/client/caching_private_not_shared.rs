//! Answers that may be kept for one user, and then another user.

use serde_json::Value;

use super::scenario::{Check, Over, Scenario};
use super::scene::Scene;
use super::verdict::Verdict;
use crate::requirement::{ERROR, Requirement, SINCE_2026_07};
use crate::serve::subject::USERS;
use crate::serve::{Answering, OddAnswer, Twist, bait_tools};

static PRIVATE: Requirement = Requirement::of_client(
    "caching/private-not-shared",
    ERROR,
    SINCE_2026_07,
    "A private answer is never served to another authorization context; this binds caches and \
     gateways as well.",
)
.page(
    "server/utilities/caching#cache-scope-field",
    "One user would see the data of another.",
    "keep private answers by authorization context, or not at all",
);

pub(super) static SCENARIO: Scenario = Scenario {
    name: "private answers",
    twist: Twist::Answers(OddAnswer::Any, change),
    over: Over::Http,
    revisions: SINCE_2026_07,
    shows: &[&PRIVATE],
    check: Check::TwoUsers(check),
    excuses: &[],
};

fn change(answer: &mut Value, _: &Answering<'_>) {
    bait_tools::keep(answer, "private");
}

/// The second user has to request for itself what the first one requested.
fn check(verdict: &mut Verdict<'_>, first: &Scene) {
    let second = verdict.scene;
    let identified = [first, second]
        .iter()
        .zip(USERS)
        .all(|(scene, user)| scene.names(user));
    let asks = |scene: &Scene, method: &str| {
        let mut calls = scene.seen.calls.iter();
        calls.any(|call| call.is_feature && call.method == method)
    };
    let kept = [
        "tools/list",
        "resources/list",
        "prompts/list",
        "resources/templates/list",
        "resources/read",
    ];
    let missing = kept
        .iter()
        .find(|method| asks(first, method) && !asks(second, method));
    let later = second.seen.calls.iter().find(|call| call.is_feature);
    match (missing, later) {
        _ if !identified => {
            let why =
                "the client does not send the token of its user: `{token}` or `MCP_ASSAY_TOKEN`";
            verdict.not_observed(&PRIVATE, why);
        }
        (_, None) => verdict.not_observed(&PRIVATE, "the client asks for nothing"),
        (None, Some(_)) => verdict.pass(&PRIVATE),
        (Some(method), Some(call)) => {
            let message = format!(
                "a private answer to `{method}` was kept for another user, who did not ask for it"
            );
            verdict.fail(&PRIVATE, message, call.talk, &[call.at]);
        }
    }
}
