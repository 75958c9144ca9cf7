//! Prompts: with their arguments, without them, and prompts that are not there.

use serde_json::{Map, Value, json};

use super::{Listed, Step};

/// So many prompts are asked for.
const MOST: usize = 5;

const MISSING: &str = "prompts/missing-argument-reply";
const UNKNOWN: &str = "prompts/unknown-prompt-reply";

pub(crate) fn run(step: &mut Step<'_, '_>, listed: &Listed) {
    if !step.client.declares("/prompts") {
        for id in [MISSING, UNKNOWN] {
            step.not_applicable(id, "prompts are not declared");
        }
        return;
    }
    let mut demanding = None;
    for prompt in listed.prompts.iter().take(MOST) {
        let Some(name) = prompt["name"].as_str() else {
            continue;
        };
        if step.is_over() {
            return;
        }
        let required = required(prompt);
        if !required.is_empty() {
            demanding = Some(name);
        }
        let arguments: Map<String, Value> = required
            .into_iter()
            .map(|argument| (argument.to_owned(), json!("1")))
            .collect();
        step.ask("prompts/get", json!({"name": name, "arguments": arguments}));
    }
    if step.wants(&[UNKNOWN]) && !step.is_over() {
        let answer = step.ask("prompts/get", json!({"name": "mcp-assay-no-such-prompt"}));
        step.expect_code(UNKNOWN, &answer, &[-32602], "a prompt that is not listed");
    }
    match demanding {
        _ if step.is_over() || !step.wants(&[MISSING]) => {}
        None => step.not_applicable(MISSING, "no prompt requires an argument"),
        Some(name) => {
            let answer = step.ask("prompts/get", json!({"name": name, "arguments": {}}));
            let what = "a prompt without a required argument";
            step.expect_code(MISSING, &answer, &[-32602], what);
        }
    }
}

fn required(prompt: &Value) -> Vec<&str> {
    prompt["arguments"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|argument| argument["required"] == json!(true))
        .filter_map(|argument| argument["name"].as_str())
        .collect()
}
