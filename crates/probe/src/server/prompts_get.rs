//! Gets listed prompts with their arguments as a good client does; the passive rules check the
//! answers.

use serde_json::{Map, Value, json};

use super::resources_subscribed::expect_served;
use super::{Listed, Probe, Step};

pub(super) static PROBE: Probe = Probe::walk(&[], run);

/// Prompts asked for.
pub(super) const MOST: usize = 5;

fn run(step: &mut Step<'_, '_>, listed: &Listed) {
    if !step.client.declares("/prompts") {
        return;
    }
    for prompt in listed.prompts.iter().take(MOST) {
        let Some(name) = prompt["name"].as_str() else {
            continue;
        };
        if step.is_over() {
            return;
        }
        let arguments: Map<String, Value> = required(prompt)
            .into_iter()
            .map(|argument| (argument.to_owned(), json!("1")))
            .collect();
        let answer = step.ask("prompts/get", json!({"name": name, "arguments": arguments}));
        expect_served(step, "prompts/get", "prompts", &answer);
    }
}

/// The names of the arguments that a prompt requires.
pub(super) fn required(prompt: &Value) -> Vec<&str> {
    prompt["arguments"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|argument| argument["required"] == json!(true))
        .filter_map(|argument| argument["name"].as_str())
        .collect()
}
