//! Tasks, of the core in one revision and of the extension later: ids that nobody was given, clients that cannot have any.

use mcp_assay::model::Fact;
use serde_json::json;

use super::{Listed, Step};

const UNKNOWN: &str = "tasks/unknown-id-reply";
const EXT_UNDECLARED: &str = "ext-tasks/undeclared-reply";
const EXT_UNKNOWN: &str = "ext-tasks/unknown-id-reply";
const EXTENSION: &str = "io.modelcontextprotocol/tasks";

pub(crate) fn run(step: &mut Step<'_, '_>, _: &Listed) {
    let stateless = step
        .revision()
        .is_some_and(|revision| revision.has(Fact::Stateless));
    if stateless {
        extension(step);
    } else if step.client.declares("/tasks") {
        core(step);
    } else {
        step.not_applicable(UNKNOWN, "tasks are not declared");
    }
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
