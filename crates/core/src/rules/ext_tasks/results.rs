//! Checks a result once for all rules about results that are tasks.

use super::{declared, result_type, tools_call_only};
use crate::rules::prelude::*;

pub(super) static GROUP: Group = Group {
    keys: &[],
    on: &[On::AnyResult],
    check,
};

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some(result) = message.result() else {
        return;
    };
    let Some(kind) = result.get("resultType") else {
        return;
    };
    if kind.is_text("task") {
        task(message, session, kind, findings);
    } else if kind.is_text("complete") && message.method() == Some("tools/call") && is_task(result)
    {
        findings.raise(&result_type::RULE, kind, "a new task is marked as `task`");
    }
}

fn task(message: &Message<'_>, session: &Session, kind: Node<'_>, findings: &mut Findings<'_>) {
    match message.method() {
        // Another rule checks the end of a subscription.
        None | Some("subscriptions/listen") => {}
        Some("tools/call") => {
            let declared = session.declared(Party::Client, message);
            if declared.is_some_and(|declared| !declared.has(Capability::TasksExtension)) {
                let text =
                    "the request did not declare the extension `io.modelcontextprotocol/tasks`";
                findings.raise(&declared::RULE, kind, text);
            }
        }
        Some("tasks/get" | "tasks/update" | "tasks/cancel") => {
            let text = "`task` marks a new task only; here it is `complete`";
            findings.raise(&result_type::RULE, kind, text);
        }
        Some(_) => {
            let text = "only `tools/call` may be answered with a task";
            findings.raise(&tools_call_only::RULE, kind, text);
        }
    }
}

fn is_task(result: Node<'_>) -> bool {
    ["taskId", "status", "createdAt"]
        .iter()
        .all(|name| result.get(name).is_some())
}
