//! Tasks of the core protocol, from their start to their end: one is followed until it is over,
//! another is cancelled twice. The passive rules check the states and the refusals.

use mcp_assay::model::Fact;
use serde_json::{Value, json};

use super::capability_truthful::read;
use super::{Listed, Probe, Step};
use crate::arguments::Generator;
use crate::raw_client::{Answer, Reply};
use crate::requirement::{ERROR, ONLY_2025_11, Requirement, WARNING};

pub(crate) static BLOCKS: Requirement = Requirement::of_both(
    "tasks/result-blocks",
    ERROR,
    ONLY_2025_11,
    "tasks/result is answered only once the task is in a final state.",
)
.page(
    "basic/utilities/tasks#result-retrieval",
    "A client gets a result that is not final.",
    "hold the answer to `tasks/result` back until the task is over",
);

pub(crate) static COMPLETE: Requirement = Requirement::of_both(
    "tasks/list-complete",
    ERROR,
    ONLY_2025_11,
    "A task reachable by tasks/get shows up in tasks/list, with nextCursor while more tasks \
     remain.",
)
.page(
    "basic/utilities/tasks#task-listing",
    "A client that lost the id of a task cannot find it again.",
    "list every task that `tasks/get` knows",
);

static KEPT: Requirement = Requirement::of_server(
    "tasks/kept-for-ttl",
    WARNING,
    ONLY_2025_11,
    "A task that was not cancelled stays reachable until its ttl has elapsed.",
)
.page(
    "basic/utilities/tasks#ttl-and-resource-management",
    "A client that polls slowly loses the result. The specification lets servers delete a task \
     after its `ttl`, and does not forbid in so many words to do it before, so it is a warning.",
    "keep tasks and their results until `ttl` milliseconds after their creation",
);

static REFUSED: Requirement = Requirement::of_server(
    "tasks/required-reply",
    ERROR,
    ONLY_2025_11,
    "A plain call of a tool that runs only as a task is refused with method-not-found.",
)
.page(
    "basic/utilities/tasks#tool-level-negotiation",
    "A client waits for a result that takes as long as the task, and cannot look at its state.",
    "answer a call without `task` with error -32601, or make `taskSupport` `optional`",
);

static SAME: Requirement = Requirement::of_server(
    "tasks/asked-task",
    ERROR,
    ONLY_2025_11,
    "The answer to tasks/get is about the task that the request names.",
)
.page(
    "basic/utilities/tasks#associating-task-related-messages",
    "A client takes the state of one task for that of another.",
    "look the task up by `taskId` of the params alone",
);

pub(super) static PROBE: Probe = Probe::walk(&ALL, run);

static ALL: [&Requirement; 5] = [&BLOCKS, &COMPLETE, &KEPT, &REFUSED, &SAME];

/// The lifetime that is asked for, in milliseconds.
const TTL: u64 = 60_000;

/// Whether the revision has tasks and the server declares them. A server may declare them in
/// revisions that have none; there, nobody asks for one.
pub(super) fn has_tasks(step: &Step<'_, '_>) -> bool {
    let core = step
        .revision()
        .is_some_and(|revision| revision.has(Fact::CoreTasks));
    core && step.client.declares("/tasks")
}

/// Starts tasks, if a harmless tool can be one, and follows them to their end.
fn run(step: &mut Step<'_, '_>, listed: &Listed) {
    if !has_tasks(step) {
        if !step.client.is_stateless() {
            for requirement in ALL {
                step.not_applicable(requirement, "tasks are not declared");
            }
        }
        return;
    }
    if !step.wants(&ALL) {
        return;
    }
    call_plainly(step, listed);
    let Some(params) = startable(step, listed, &["optional", "required"]) else {
        for id in [&BLOCKS, &COMPLETE, &KEPT, &SAME] {
            step.not_observed(id, "no harmless tool can be a task");
        }
        return;
    };
    let Some((followed, ttl)) = start(step, &params) else {
        return;
    };
    // The ids of tasks that follow each other show whether they can be guessed.
    let cancelled = start(step, &params);
    listed_too(step, &followed);
    if let Some((cancelled, _)) = cancelled.filter(|_| step.client.declares("/tasks/cancel")) {
        cancel_twice(step, &cancelled);
    }
    follow(step, &followed, &ttl);
}

/// Starts a task; its id and its lifetime.
fn start(step: &mut Step<'_, '_>, params: &Value) -> Option<(String, Value)> {
    if step.is_over() {
        return None;
    }
    let mut params = params.clone();
    params["task"] = json!({"ttl": TTL});
    let started = step.ask("tools/call", params);
    let task = &started.result()?["task"];
    Some((task["taskId"].as_str()?.to_owned(), task["ttl"].clone()))
}

/// Calls a tool that runs only as a task, without one.
fn call_plainly(step: &mut Step<'_, '_>, listed: &Listed) {
    let Some(params) = startable(step, listed, &["required"]) else {
        return step.not_observed(&REFUSED, "no harmless tool runs only as a task");
    };
    let answer = step.client.request("tools/call", params);
    let what = "a plain call of a tool that runs only as a task";
    step.expect_code(&REFUSED, &answer, &[-32601, -32600], what);
}

/// A task that was just started is on the list.
fn listed_too(step: &mut Step<'_, '_>, id: &str) {
    if !step.client.declares("/tasks/list") || step.is_over() {
        return;
    }
    let before = step.client.records.len();
    let tasks = read(step, "tasks/list", "tasks").unwrap_or_default();
    let evidence: Vec<usize> = (before..step.client.records.len()).take(4).collect();
    if tasks.iter().any(|task| task["taskId"] == id) {
        step.pass(&COMPLETE);
    } else if step.client.broken.iter().any(|one| one.at >= before) {
        step.not_observed(&COMPLETE, "the list is malformed");
    } else if !step.is_over() {
        step.fail(
            &COMPLETE,
            "a task that was just started is on no list",
            &evidence,
        );
    }
}

/// Cancels a task that may be running, once more, and looks at it. It may be deleted.
fn cancel_twice(step: &mut Step<'_, '_>, id: &str) {
    for method in ["tasks/cancel", "tasks/get", "tasks/cancel", "tasks/get"] {
        if !step.is_over() {
            step.ask(method, json!({"taskId": id}));
        }
    }
}

/// Waits for the end of a task, and looks at it afterwards.
fn follow(step: &mut Step<'_, '_>, id: &str, ttl: &Value) {
    let params = json!({"taskId": id});
    if step.is_over() {
        return;
    }
    let state = step.ask("tasks/get", params.clone());
    if let Some(found) = state.result().and_then(|task| task["taskId"].as_str()) {
        if found != id {
            let message = "`tasks/get` was answered with another task than it was asked about";
            return step.fail(&SAME, message, &state.evidence);
        }
        step.pass(&SAME);
    }
    // It may take longer than we wait.
    let mut answer = step.client.request("tasks/result", params.clone());
    if !matches!(answer.reply, Reply::Result(_)) {
        step.not_observed(&BLOCKS, "no task ended in time");
        return;
    }
    let state = step.ask("tasks/get", params.clone());
    match status(&state) {
        Some(status @ ("working" | "submitted" | "input_required")) => {
            answer.evidence.extend(&state.evidence);
            let message = format!("`tasks/result` was answered while the task is `{status}`");
            return step.fail(&BLOCKS, message, &answer.evidence);
        }
        Some(_) => step.pass(&BLOCKS),
        None => step.not_observed(&BLOCKS, "the task is gone"),
    }
    // A server may choose another lifetime than it was asked for.
    let is_long = ttl.is_null() || ttl.as_u64().is_some_and(|ttl| ttl >= TTL / 2);
    match state.reply {
        Reply::Error(-32602, _) if is_long => {
            let message = format!(
                "`tasks/get` no longer knows a task right after its result, although its `ttl` is \
                 {ttl}"
            );
            return step.fail(&KEPT, message, &state.evidence);
        }
        Reply::Result(_) => step.pass(&KEPT),
        _ => step.not_observed(&KEPT, "the task has a short lifetime"),
    }
    // A finished task stays as it is, and cannot be cancelled.
    step.ask("tasks/result", params.clone());
    if step.client.declares("/tasks/cancel") && !step.is_over() {
        step.ask("tasks/cancel", params.clone());
    }
    if !step.is_over() {
        step.ask("tasks/get", params);
    }
}

fn status(answer: &Answer) -> Option<&str> {
    answer.result()?["status"].as_str()
}

/// The params of a call of a tool that may be called, and whose support for tasks is one of these.
fn startable(step: &Step<'_, '_>, listed: &Listed, supports: &[&str]) -> Option<Value> {
    let options = step.client.options.clone();
    if !step.client.declares("/tasks/requests/tools/call") {
        return None;
    }
    listed.tools.iter().find_map(|tool| {
        let support = tool["execution"]["taskSupport"].as_str()?;
        let harmless = tool["annotations"]["readOnlyHint"] == json!(true) || options.call_tools;
        let arguments = Generator::new(options.seed).arguments(&tool["inputSchema"]);
        let able = harmless && supports.contains(&support) && tool["name"].is_string();
        able.then(|| json!({"name": tool["name"], "arguments": arguments}))
    })
}
