//! Tasks that a server asks a client for.

use std::collections::VecDeque;

use serde_json::{Value, json};

use super::{Ask, Asks, Circumstances, Ids};
use crate::serve::answers::{form, sampling, takes_forms};

/// Names for checks: of a task that never was, of the request that makes one, and of what follows.
pub(crate) const UNKNOWN_TASK: &str = "unknown task";
pub(crate) const TASK: &str = "task";
pub(crate) const TASK_LIST: &str = "task list";
pub(crate) const TASK_RESULT: &str = "task result";
pub(crate) const TASK_AFTER: &str = "task after its result";

/// How long a task may be kept, in milliseconds.
const KEPT: u64 = 60_000;

pub(crate) fn begin(asks: &mut Asks<'_>, circumstances: &Circumstances<'_>) {
    let capabilities = circumstances.capabilities;
    let tasks = &capabilities["tasks"];
    if !tasks.is_object() {
        return;
    }
    let nobody = json!({"taskId": "00000000-0000-4000-8000-000000000000"});
    asks.any_request(UNKNOWN_TASK, "tasks/get", Some(nobody), false);
    let requests = &tasks["requests"];
    let task = json!({"ttl": KEPT});
    if requests["sampling"]["createMessage"].is_object() && capabilities["sampling"].is_object() {
        let mut params = sampling();
        params["task"] = task;
        asks.request(TASK, "sampling/createMessage", Some(params));
    } else if requests["elicitation"]["create"].is_object() && takes_forms(capabilities) {
        let mut params = form(circumstances.revision);
        params["task"] = task;
        asks.request(TASK, "elicitation/create", Some(params));
    }
}

/// The messages that follow once a request was answered.
pub(crate) fn after(
    name: &str,
    reply: &Value,
    ids: &mut Ids,
    capabilities: &Value,
) -> VecDeque<Ask> {
    let mut asks = Asks::new(ids);
    let id = &reply["result"]["task"]["taskId"];
    let cursor = &reply["result"]["nextCursor"];
    if name == TASK && id.is_string() {
        let task = || Some(json!({"taskId": id}));
        if capabilities["tasks"]["list"].is_object() {
            asks.any_request(TASK_LIST, "tasks/list", None, false);
        }
        asks.any_request(TASK_RESULT, "tasks/result", task(), false);
        asks.any_request(TASK_AFTER, "tasks/get", task(), false);
    } else if name == TASK_LIST && cursor.is_string() {
        // However many pages there are: the scenario ends when too much was said.
        let page = json!({"cursor": cursor});
        asks.any_request(TASK_LIST, "tasks/list", Some(page), false);
    }
    asks.asks
}
