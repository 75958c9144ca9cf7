//! The id of a task that was never given out.

use serde_json::json;

use super::tasks_followed::has_tasks;
use super::{Listed, Probe, Step};
use crate::requirement::{ERROR, ONLY_2025_11, Requirement};

pub(crate) static UNKNOWN: Requirement = Requirement::of_both(
    "tasks/unknown-id-reply",
    ERROR,
    ONLY_2025_11,
    "tasks/get, tasks/result and tasks/cancel with an unknown id are answered with \
     invalid-params.",
)
.page(
    "basic/utilities/tasks#protocol-errors",
    "A client polls for ever.",
    "answer with error -32602",
);

pub(super) static PROBE: Probe = Probe::walk(&[&UNKNOWN], run);

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    if !has_tasks(step) {
        if !step.client.is_stateless() {
            step.not_applicable(&UNKNOWN, "tasks are not declared");
        }
        return;
    }
    if step.client.declares("/tasks/list") {
        step.ask("tasks/list", json!({}));
    }
    if !step.wants(&[&UNKNOWN]) {
        return;
    }
    let mut methods = vec!["tasks/get", "tasks/result"];
    if step.client.declares("/tasks/cancel") {
        methods.push("tasks/cancel");
    }
    for method in methods {
        let answer = step.ask(method, json!({"taskId": "mcp-assay-no-such-task"}));
        let what = format!("`{method}` with an id that was never given out");
        if !step.expect_code(&UNKNOWN, &answer, &[-32602], &what) {
            return;
        }
    }
}
