//! Tasks of the extension, from their start to their end: each tool that answers with a task is
//! followed, its questions are answered with `tasks/update`, and one task is cancelled twice. The
//! passive rules check states, acknowledgements and keys.

use std::time::Duration;

use serde_json::{Value, json};

use super::ext_tasks_replies::{EXTENSION, declares_extension};
use super::mrtr_rounds::accepted;
use super::{Listed, Probe, Step};
use crate::arguments::Generator;
use crate::raw_client::{Answer, Reply};
use crate::requirement::{Requirement, SINCE_2026_07, WARNING};

static GOES_ON: Requirement = Requirement::of_server(
    "ext-tasks/input-taken",
    WARNING,
    SINCE_2026_07,
    "Once every outstanding input was given through tasks/update, the task goes on.",
)
.page(
    "seps/2663-tasks-extension#task-update-requests",
    "A user answered, and the task waits for ever. The specification lets a server take the \
     answers over late, so it is a warning.",
    "take the answers of `tasks/update` over, and leave `input_required` once none is missing",
);

static SAME: Requirement = Requirement::of_server(
    "ext-tasks/asked-task",
    WARNING,
    SINCE_2026_07,
    "The answer to tasks/get is about the task that the request names.",
)
.page(
    "seps/2663-tasks-extension#task-polling",
    "A client takes the state of one task for that of another. The specification takes it for \
     granted, so it is a warning.",
    "look the task up by `taskId` of the params alone",
);

pub(super) static PROBE: Probe = Probe::walk(&[&GOES_ON, &SAME], run);

/// Tools called.
const MAX_CALLS: usize = 16;

/// Tasks that are followed.
const MAX_FOLLOWED: usize = 2;

/// Looks at one task.
const MAX_POLLS: usize = 40;

/// The shortest and the longest time between two looks.
const POLL: [Duration; 2] = [Duration::from_millis(10), Duration::from_millis(250)];

fn run(step: &mut Step<'_, '_>, listed: &Listed) {
    if !step.client.is_stateless() || !declares_extension(step) {
        return;
    }
    let options = step.client.options.clone();
    let mut generator = Generator::new(options.seed);
    let (mut called, mut followed, mut last) = (0, 0, None);
    for tool in &listed.tools {
        let harmless = tool["annotations"]["readOnlyHint"] == json!(true) || options.call_tools;
        let arguments = generator.arguments(&tool["inputSchema"]);
        let is_slow = tool["name"]
            .as_str()
            .is_none_or(|name| step.findings.slow.contains(name));
        if !harmless || is_slow || called >= MAX_CALLS || followed >= MAX_FOLLOWED {
            continue;
        }
        if step.is_over() {
            return;
        }
        called += 1;
        let params = json!({"name": tool["name"], "arguments": arguments});
        if let Some(task) = start(step, &params) {
            followed += 1;
            if !follow(step, &task) {
                return;
            }
            last = Some(params);
        }
    }
    match last {
        Some(params) => cancel_twice(step, &params),
        None => {
            for id in [&GOES_ON, &SAME] {
                step.not_observed(id, "no tool that was called answers with a task");
            }
        }
    }
}

/// A request of a client that declares the extension and every capability.
fn request(step: &mut Step<'_, '_>, method: &str, params: Value) -> Answer {
    let mut params = step.client.with_meta(params);
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({
        "elicitation": {"form": {}}, "sampling": {}, "roots": {}, "extensions": {EXTENSION: {}},
    });
    let answer = step.client.request_as(method, params);
    step.note_silence(method, &answer);
    answer
}

/// Calls a tool; the task that it answers with.
fn start(step: &mut Step<'_, '_>, params: &Value) -> Option<Value> {
    let answer = request(step, "tools/call", params.clone());
    let result = answer.result()?;
    (result["resultType"] == "task").then(|| result.clone())
}

/// Looks at a task until it is over, and answers what it asks for; whether it is the task that was
/// asked about.
fn follow(step: &mut Step<'_, '_>, task: &Value) -> bool {
    let params = json!({"taskId": task["taskId"]});
    let mut answered: Option<(Vec<String>, Answer)> = None;
    for _ in 0..MAX_POLLS {
        if step.is_over() {
            return true;
        }
        let answer = request(step, "tasks/get", params.clone());
        let Reply::Result(state) = &answer.reply else {
            return true;
        };
        if state["taskId"].is_string() && state["taskId"] != task["taskId"] {
            let message = "`tasks/get` was answered with another task than it was asked about";
            step.fail(&SAME, message, &answer.evidence);
            return false;
        }
        step.pass(&SAME);
        let keys = keys(state);
        match state["status"].as_str() {
            Some("input_required") if answered.is_none() && !keys.is_empty() => {
                let mut update = params.clone();
                update["inputResponses"] = accepted(state);
                let update = request(step, "tasks/update", update);
                answered = Some((keys, update));
            }
            Some("completed" | "failed" | "cancelled") => {
                if answered.is_some() {
                    step.pass(&GOES_ON);
                }
                // A finished task stays as it is.
                request(step, "tasks/cancel", params.clone());
                request(step, "tasks/get", params.clone());
                return true;
            }
            Some(_) => {
                let is_new = |(known, _): &(Vec<String>, Answer)| {
                    keys.iter().any(|key| !known.contains(key))
                };
                // Other questions are another round.
                let goes_on = state["status"] == "working" || answered.as_ref().is_some_and(is_new);
                if goes_on && answered.take().is_some() {
                    step.pass(&GOES_ON);
                }
            }
            None => return true,
        }
        let interval = state["pollIntervalMs"].as_u64().unwrap_or_default();
        let [least, most] = POLL;
        let interval = Duration::from_millis(interval).clamp(least, most);
        step.client.wait(interval, |_| false);
    }
    if let Some((_, update)) = answered.filter(|(_, update)| update.result().is_some()) {
        let message = "a task still is `input_required` for the same input long after \
                       `tasks/update` gave it";
        step.fail(&GOES_ON, message, &update.evidence);
    }
    true
}

/// The keys that a task asks for.
fn keys(state: &Value) -> Vec<String> {
    let requests = state["inputRequests"].as_object().into_iter().flatten();
    requests.map(|(key, _)| key.clone()).collect()
}

/// Cancels a task, once more, and looks at it.
fn cancel_twice(step: &mut Step<'_, '_>, params: &Value) {
    let Some(task) = (!step.is_over()).then(|| start(step, params)).flatten() else {
        return;
    };
    for method in ["tasks/get", "tasks/cancel", "tasks/cancel", "tasks/get"] {
        if !step.is_over() {
            request(step, method, json!({"taskId": task["taskId"]}));
        }
    }
}
