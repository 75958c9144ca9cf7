//! A form with a field that has a default.

use serde_json::Value;

use super::verdict::Verdict;
use crate::requirement::{Requirement, SINCE_2025_11, WARNING};
use crate::serve::answers::DEFAULT;

pub(super) static DEFAULTS: Requirement = Requirement::of_client(
    "elicitation/defaults-prefilled",
    WARNING,
    SINCE_2025_11,
    "A client that supports defaults returns the schema's default for fields the user left \
     alone.",
)
.page(
    "client/elicitation#requested-schema",
    "The server gets less than it announced as the default, and has to guess.",
    "fill in `default` of every field that the user left alone",
);

pub(super) fn check(verdict: &mut Verdict<'_>, answer: &Value, talk: usize, at: usize) {
    if answer["action"] != "accept" {
        verdict.not_observed(&DEFAULTS, "the form was not accepted");
        return;
    }
    match &answer["content"]["city"] {
        Value::Null => {
            let message = "a form was accepted without the field that has a default";
            verdict.fail(&DEFAULTS, message, talk, &[at]);
        }
        Value::String(city) if city == DEFAULT => verdict.pass(&DEFAULTS),
        _ => verdict.not_observed(&DEFAULTS, "the field was filled in with something else"),
    }
}
