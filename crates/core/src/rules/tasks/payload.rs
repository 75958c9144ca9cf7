//! Checks the answer to `tasks/result`: whether it is the result of the original method, and
//! whether it names its task.

use super::{result_exact, result_related_task};
use crate::model::Method;
use crate::model::shape::fits;
use crate::rules::prelude::*;
use crate::session::{created_task, related_task};

/// Checks the results of tasks.
pub(super) static GROUP: Group = Group {
    keys: &[],
    on: &[On::Result("tasks/result")],
    check,
};

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let (Some(result), Some(request_direction)) = (
        message.result(),
        message.direction().map(Direction::reverse),
    ) else {
        return;
    };
    let request = message.request.and_then(|request| request.data());
    let Some(id) = request.and_then(|request| request.task_id) else {
        return;
    };
    let task = session.state.tasks.get(request_direction, id);
    let method = task.and_then(|task| task.method);
    if !is_result_of(method, result, message) {
        let text = "this is not a result of the request that made the task";
        findings.raise(&result_exact::RULE, result, text);
        return;
    }
    match related_task(message) {
        None => {
            let text =
                "`_meta` does not name the task under `io.modelcontextprotocol/related-task`";
            findings.raise(&result_related_task::RULE, result, text);
        }
        Some(related) if session.state.progress.keys.of(related) != Some(id) => {
            let text = "this is not the task that was request_direction for";
            findings.raise(&result_related_task::RULE, related, text);
        }
        Some(_) => {}
    }
}

/// Whether a result is what a method returns without a task. For an unknown method only tasks are
/// excluded.
fn is_result_of(method: Option<&Method>, result: Node<'_>, message: &Message<'_>) -> bool {
    let revision = message.revision();
    let has = |name: &str, kind: Kind| result.get(name).map(Node::kind) == Some(kind);
    let is_task = has("taskId", Kind::String) && has("createdAt", Kind::String);
    let form = method.and_then(|method| method.forms[revision.index()]);
    !is_task
        && created_task(message).is_none()
        && form.is_none_or(|form| fits(result, form.result, revision))
}
