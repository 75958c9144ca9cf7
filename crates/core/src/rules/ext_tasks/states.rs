//! Checks the state of a task, in the answer to `tasks/get` or in a notification, once for all
//! rules about it.

use super::{failed_is_jsonrpc, input_key_unique, status_payload, terminal_final};
use crate::rules::prelude::*;
use crate::session::Status;
use crate::session::message::inputs;

pub(super) static GROUP: Group = Group {
    keys: &[],
    on: &[On::Result("tasks/get"), On::Call("notifications/tasks")],
    check,
};

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some(task) = message.result().or_else(|| message.params()) else {
        return;
    };
    let (Some(status), Some(named)) = (task.get("status"), Status::of(task)) else {
        return;
    };
    payload(task, status, named, findings);
    let tasks = &session.state.ext_tasks;
    let Some(known) = task.get("taskId").and_then(|id| tasks.get(id)) else {
        return;
    };
    if let Some(input) = inputs(message).find(|input| tasks.changes(known, input)) {
        let text = "this key stood for another request of the same task";
        findings.raise(&input_key_unique::RULE, input.key, text);
    }
    let Some((ended, since)) = known.ended.filter(|(ended, _)| *ended != named) else {
        return;
    };
    // A message that was sent before the end may arrive after it.
    let is_later = match message.request {
        Some(request) => request.sent.order > since.order,
        None => message.frame.carrier != Carrier::Http || message.now().exchange == since.exchange,
    };
    // A task beyond its lifetime may be reported as failed.
    let expired = named == Status::Failed && !known.is_kept(&message.now());
    if is_later && !expired {
        let text = match ended {
            Status::Completed => "the task was `completed`, which is final",
            Status::Failed => "the task was `failed`, which is final",
            _ => "the task was `cancelled`, which is final",
        };
        findings.raise(&terminal_final::RULE, status, text);
    }
}

/// Checks the members that each status demands.
fn payload(task: Node<'_>, status: Node<'_>, named: Status, findings: &mut Findings<'_>) {
    let has = |name: &str| {
        task.get(name)
            .is_some_and(|value| value.kind() == Kind::Object)
    };
    let text = match named {
        Status::Failed if has("result") => {
            let text = "a task with a result is `completed`, also if the tool reports an error";
            findings.raise(&failed_is_jsonrpc::RULE, status, text);
            return;
        }
        Status::InputRequired if !has("inputRequests") => "`inputRequests` is missing",
        Status::Completed if !has("result") => "`result` is missing",
        Status::Failed if !has("error") => "`error` is missing",
        _ => return,
    };
    findings.raise(&status_payload::RULE, status, text);
}
