//! A prompt without an argument that it requires.

use serde_json::{Value, json};

use super::prompts_get::{MOST, required};
use super::{Listed, Probe, Step};
use crate::requirement::{ALL, Requirement, WARNING};

static MISSING: Requirement = Requirement::of_server(
    "prompts/missing-argument-reply",
    WARNING,
    ALL,
    "A missing required argument is answered with invalid-params.",
)
.page(
    "server/prompts#error-handling",
    "The model gets a prompt with a gap.",
    "answer with error -32602",
);

pub(super) static PROBE: Probe = Probe::walk(&[&MISSING], run);

fn run(step: &mut Step<'_, '_>, listed: &Listed) {
    if !step.client.declares("/prompts") {
        step.not_applicable(&MISSING, "prompts are not declared");
        return;
    }
    if !step.wants(&[&MISSING]) {
        return;
    }
    let demanding = |prompt: &&Value| prompt["name"].is_string() && !required(prompt).is_empty();
    let mut prompts = listed.prompts.iter().take(MOST);
    let Some(prompt) = prompts.rfind(demanding) else {
        step.not_applicable(&MISSING, "no prompt requires an argument");
        return;
    };
    let params = json!({"name": prompt["name"], "arguments": {}});
    let answer = step.ask("prompts/get", params);
    let what = "a prompt without a required argument";
    step.expect_code(&MISSING, &answer, &[-32602], what);
}
