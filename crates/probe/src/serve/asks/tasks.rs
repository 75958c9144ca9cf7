//! Tasks that a server asks a client for.

use std::collections::VecDeque;

use serde_json::{Value, json};

use super::{Ask, Circumstances, Ids, List};
use crate::serve::answers::{form, sampling, takes_forms};

/// The names by which they are judged: of a task that never was, of the request that makes one, and of what follows it.
pub(in crate::serve) const UNKNOWN_TASK: &str = "unknown task";
pub(in crate::serve) const TASK: &str = "task";
pub(in crate::serve) const TASK_LIST: &str = "task list";
pub(in crate::serve) const TASK_RESULT: &str = "task result";
pub(in crate::serve) const TASK_AFTER: &str = "task after its result";

/// How long a task may be kept, in milliseconds.
const KEPT: u64 = 60_000;

pub(super) fn begin(list: &mut List<'_>, circumstances: &Circumstances<'_>) {
    let capabilities = circumstances.capabilities;
    let tasks = &capabilities["tasks"];
    if !tasks.is_object() {
        return;
    }
    let nobody = json!({"taskId": "00000000-0000-4000-8000-000000000000"});
    list.any_request(UNKNOWN_TASK, "tasks/get", Some(nobody), false);
    let requests = &tasks["requests"];
    let task = json!({"ttl": KEPT});
    if requests["sampling"]["createMessage"].is_object() && capabilities["sampling"].is_object() {
        let mut params = sampling();
        params["task"] = task;
        list.request(TASK, "sampling/createMessage", Some(params));
    } else if requests["elicitation"]["create"].is_object() && takes_forms(capabilities) {
        let mut params = form(circumstances.revision);
        params["task"] = task;
        list.request(TASK, "elicitation/create", Some(params));
    }
}

/// What is asked next once a request was answered.
pub(in crate::serve) fn after(
    name: &str,
    reply: &Value,
    ids: &mut Ids,
    capabilities: &Value,
) -> VecDeque<Ask> {
    let asks = VecDeque::new();
    let mut list = List { ids, asks };
    let id = &reply["result"]["task"]["taskId"];
    let cursor = &reply["result"]["nextCursor"];
    if name == TASK && id.is_string() {
        let task = || Some(json!({"taskId": id}));
        if capabilities["tasks"]["list"].is_object() {
            list.any_request(TASK_LIST, "tasks/list", None, false);
        }
        list.any_request(TASK_RESULT, "tasks/result", task(), false);
        list.any_request(TASK_AFTER, "tasks/get", task(), false);
    } else if name == TASK_LIST && cursor.is_string() {
        // However many pages there are: the scenario ends when too much was said.
        let page = json!({"cursor": cursor});
        list.any_request(TASK_LIST, "tasks/list", Some(page), false);
    }
    list.asks
}
