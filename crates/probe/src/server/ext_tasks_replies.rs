//! The tasks extension: a client that did not declare it, and the id of a task that was never given
//! out. Both are the same requests, without and with the declaration.

use serde_json::json;

use super::{Listed, Probe, Step};
use crate::requirement::{ERROR, Requirement, SINCE_2026_07};

static UNDECLARED: Requirement = Requirement::of_server(
    "ext-tasks/undeclared-reply",
    ERROR,
    SINCE_2026_07,
    "tasks/get, tasks/update, tasks/cancel and task subscriptions from a client that did not \
     declare the extension are refused with the missing-capability error.",
)
.page(
    "seps/2663-tasks-extension#protocol-errors",
    "A client cannot tell that declaring the extension would help.",
    "answer with error -32021 and name the extension in `data`",
);

static UNKNOWN: Requirement = Requirement::of_server(
    "ext-tasks/unknown-id-reply",
    ERROR,
    SINCE_2026_07,
    "tasks/get with an unknown id is answered with invalid-params; for update and cancel that \
     is recommended.",
)
.page(
    "seps/2663-tasks-extension#protocol-errors",
    "A client polls for ever.",
    "answer with error -32602",
);

pub(super) static PROBE: Probe = Probe::walk(&[&UNDECLARED, &UNKNOWN], run);

pub(super) const EXTENSION: &str = "io.modelcontextprotocol/tasks";

/// Methods that a client without the extension may not use.
const METHODS: [&str; 3] = ["tasks/get", "tasks/update", "tasks/cancel"];

/// Whether the server has the extension.
pub(super) fn declares_extension(step: &Step<'_, '_>) -> bool {
    let pointer = format!("/extensions/{}", EXTENSION.replace('/', "~1"));
    step.client.declares(&pointer)
}

fn run(step: &mut Step<'_, '_>, _: &Listed) {
    if !step.client.is_stateless() {
        return;
    }
    if !declares_extension(step) {
        for id in [&UNDECLARED, &UNKNOWN] {
            step.not_applicable(id, "the tasks extension is not declared");
        }
        return;
    }
    let params = json!({"taskId": "mcp-assay-no-such-task"});
    for method in METHODS {
        if step.is_over() || !step.wants(&[&UNDECLARED]) {
            break;
        }
        let mut params = params.clone();
        if method == "tasks/update" {
            params["inputResponses"] = json!({});
        }
        let answer = step.ask(method, params);
        let what = format!("`{method}` of a client that did not declare the extension");
        if !step.expect_code(&UNDECLARED, &answer, &[-32021], &what) {
            break;
        }
    }
    if step.wants(&[&UNKNOWN]) && !step.is_over() {
        let mut params = step.client.with_meta(params);
        params["_meta"]["io.modelcontextprotocol/clientCapabilities"] =
            json!({"extensions": {EXTENSION: {}}});
        let answer = step.client.request_as("tasks/get", params);
        let what = "`tasks/get` with an id that was never given out";
        step.expect_code(&UNKNOWN, &answer, &[-32602], what);
    }
}
