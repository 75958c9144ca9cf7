//! Tasks, of the core in one revision and of the extension later: ids that nobody was given, clients that cannot have any.

use mcp_assay::model::Fact;
use serde_json::{Value, json};

use super::{Listed, Step, lists};
use crate::arguments::Generator;
use crate::client::Reply;

const UNKNOWN: &str = "tasks/unknown-id-reply";
const BLOCKS: &str = "tasks/result-blocks";
const COMPLETE: &str = "tasks/list-complete";
const EXT_UNDECLARED: &str = "ext-tasks/undeclared-reply";
const EXT_UNKNOWN: &str = "ext-tasks/unknown-id-reply";
const EXTENSION: &str = "io.modelcontextprotocol/tasks";

pub(crate) fn run(step: &mut Step<'_, '_>, listed: &Listed) {
    let has = |fact| step.revision().is_some_and(|revision| revision.has(fact));
    // A server may declare them in revisions that have none; there, nobody asks for one.
    let core_tasks = has(Fact::CoreTasks);
    if has(Fact::Stateless) {
        extension(step);
    } else if core_tasks && step.client.declares("/tasks") {
        whole(step, listed);
        core(step);
    } else {
        for id in [UNKNOWN, BLOCKS, COMPLETE] {
            step.not_applicable(id, "tasks are not declared");
        }
    }
}

/// Starts a task, if a harmless tool can be one, and follows it to its end.
fn whole(step: &mut Step<'_, '_>, listed: &Listed) {
    if !step.wants(&[BLOCKS, COMPLETE]) {
        return;
    }
    let Some((name, arguments)) = startable(step, listed) else {
        for id in [BLOCKS, COMPLETE] {
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
        let tasks = lists::read(step, "tasks/list", "tasks").unwrap_or_default();
        let evidence: Vec<usize> = (before..step.client.records.len()).take(4).collect();
        if tasks.iter().any(|task| task["taskId"] == id.as_str()) {
            step.pass(COMPLETE);
        } else if !step.is_over() {
            step.fail(
                COMPLETE,
                "a task that was just started is on no list",
                &evidence,
            );
        }
    }
    let params = json!({"taskId": id});
    // It may take longer than we wait.
    let mut answer = step.client.request("tasks/result", params.clone());
    if !matches!(answer.reply, Reply::Result(_)) {
        step.not_observed(BLOCKS, "no task ended in time");
        return;
    }
    let state = step.ask("tasks/get", params);
    match state.result().and_then(|task| task["status"].as_str()) {
        Some(status @ ("working" | "submitted")) => {
            answer.evidence.extend(&state.evidence);
            let message = format!("`tasks/result` was answered while the task is `{status}`");
            step.fail(BLOCKS, message, &answer.evidence);
        }
        Some(_) => step.pass(BLOCKS),
        None => step.not_observed(BLOCKS, "the task is gone"),
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

fn core(step: &mut Step<'_, '_>) {
    if step.client.declares("/tasks/list") {
        step.ask("tasks/list", json!({}));
    }
    if !step.wants(&[UNKNOWN]) {
        return;
    }
    let mut methods = vec!["tasks/get", "tasks/result"];
    if step.client.declares("/tasks/cancel") {
        methods.push("tasks/cancel");
    }
    for method in methods {
        let answer = step.ask(method, json!({"taskId": "mcp-assay-no-such-task"}));
        let what = format!("`{method}` with an id that was never given out");
        if !step.expect_code(UNKNOWN, &answer, &[-32602], &what) {
            return;
        }
    }
}

fn extension(step: &mut Step<'_, '_>) {
    let pointer = format!("/extensions/{}", EXTENSION.replace('/', "~1"));
    if !step.client.declares(&pointer) {
        for id in [EXT_UNDECLARED, EXT_UNKNOWN] {
            step.not_applicable(id, "the tasks extension is not declared");
        }
        return;
    }
    let params = json!({"taskId": "mcp-assay-no-such-task"});
    if step.wants(&[EXT_UNDECLARED]) {
        let answer = step.ask("tasks/get", params.clone());
        let what = "`tasks/get` of a client that did not declare the extension";
        step.expect_code(EXT_UNDECLARED, &answer, &[-32021], what);
    }
    if step.wants(&[EXT_UNKNOWN]) {
        let mut params = step.client.with_meta(params);
        params["_meta"]["io.modelcontextprotocol/clientCapabilities"] =
            json!({"extensions": {EXTENSION: {}}});
        let answer = step.client.request_as("tasks/get", params);
        let what = "`tasks/get` with an id that was never given out";
        step.expect_code(EXT_UNKNOWN, &answer, &[-32602], what);
    }
}
