//! A request for a short sampled message.

use serde_json::Value;

use super::verdict::Verdict;
use crate::requirement::{ERROR, Requirement, SINCE_2026_07};
use crate::serve::answers::MOST_TOKENS;
use crate::serve::script::Call;

pub(super) static MAX_TOKENS: Requirement = Requirement::of_client(
    "sampling/max-tokens",
    ERROR,
    SINCE_2026_07,
    "The client generates no more than maxTokens.",
)
.page(
    "client/sampling#sampling-parameters",
    "The server pays, or waits, for more than it asked for.",
    "pass `maxTokens` on to the model as a limit",
);

pub(super) fn check(verdict: &mut Verdict<'_>, answer: &Value, call: &Call) {
    let text = answer["content"]["text"].as_str().unwrap_or_default();
    // A word is at least one token.
    let words = text.split_whitespace().count();
    if words > MOST_TOKENS {
        let message = format!("`maxTokens` {MOST_TOKENS} was answered with {words} words");
        verdict.fail(&MAX_TOKENS, message, call.talk, &[call.at]);
    } else {
        verdict.pass(&MAX_TOKENS);
    }
}
