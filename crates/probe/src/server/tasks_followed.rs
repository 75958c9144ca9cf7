//! A task that is started and followed to its end. One task shows both requirements.

use mcp_assay::model::Fact;
use serde_json::{Value, json};

use super::capability_truthful::read;
use super::{Listed, Probe, Step};
use crate::arguments::Generator;
use crate::raw_client::Reply;
use crate::requirement::{ERROR, ONLY_2025_11, Requirement};

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

pub(super) static PROBE: Probe = Probe::walk(&[&BLOCKS, &COMPLETE], run);

/// Whether the revision has tasks and the server declares them. A server may declare them in
/// revisions that have none; there, nobody asks for one.
pub(super) fn has_tasks(step: &Step<'_, '_>) -> bool {
    let core = step
        .revision()
        .is_some_and(|revision| revision.has(Fact::CoreTasks));
    core && step.client.declares("/tasks")
}

/// Starts a task, if a harmless tool can be one, and follows it to its end.
fn run(step: &mut Step<'_, '_>, listed: &Listed) {
    if !has_tasks(step) {
        if !step.client.is_stateless() {
            for requirement in [&BLOCKS, &COMPLETE] {
                step.not_applicable(requirement, "tasks are not declared");
            }
        }
        return;
    }
    if !step.wants(&[&BLOCKS, &COMPLETE]) {
        return;
    }
    let Some((name, arguments)) = startable(step, listed) else {
        for id in [&BLOCKS, &COMPLETE] {
            step.not_observed(id, "no harmless tool can be a task");
        }
        return;
    };
    let params = json!({"name": name, "arguments": arguments, "task": {}});
    let started = step.ask("tools/call", params);
    let Some(id) = started
        .result()
        .and_then(|result| result["task"]["taskId"].as_str())
        .map(str::to_owned)
    else {
        return;
    };
    if step.client.declares("/tasks/list") {
        let before = step.client.records.len();
        let tasks = read(step, "tasks/list", "tasks").unwrap_or_default();
        let evidence: Vec<usize> = (before..step.client.records.len()).take(4).collect();
        if tasks.iter().any(|task| task["taskId"] == id.as_str()) {
            step.pass(&COMPLETE);
        } else if !step.is_over() {
            step.fail(
                &COMPLETE,
                "a task that was just started is on no list",
                &evidence,
            );
        }
    }
    let params = json!({"taskId": id});
    // It may take longer than we wait.
    let mut answer = step.client.request("tasks/result", params.clone());
    if !matches!(answer.reply, Reply::Result(_)) {
        step.not_observed(&BLOCKS, "no task ended in time");
        return;
    }
    let state = step.ask("tasks/get", params);
    match state.result().and_then(|task| task["status"].as_str()) {
        Some(status @ ("working" | "submitted")) => {
            answer.evidence.extend(&state.evidence);
            let message = format!("`tasks/result` was answered while the task is `{status}`");
            step.fail(&BLOCKS, message, &answer.evidence);
        }
        Some(_) => step.pass(&BLOCKS),
        None => step.not_observed(&BLOCKS, "the task is gone"),
    }
}

/// A tool that may be called and may be a task, with arguments.
fn startable(step: &Step<'_, '_>, listed: &Listed) -> Option<(String, Value)> {
    let options = step.client.options.clone();
    if !step.client.declares("/tasks/requests/tools/call") {
        return None;
    }
    listed.tools.iter().find_map(|tool| {
        let able = matches!(
            tool["execution"]["taskSupport"].as_str(),
            Some("optional" | "required")
        );
        let harmless = tool["annotations"]["readOnlyHint"] == json!(true) || options.call_tools;
        let arguments = Generator::new(options.seed).arguments(&tool["inputSchema"]);
        (able && harmless).then_some((tool["name"].as_str()?.to_owned(), arguments))
    })
}
