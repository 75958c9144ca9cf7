//! `tasks/cancel-final-reply`

use crate::rules::prelude::*;

rule! {
    /// The cancellation of a task that has ended is not refused with the code for invalid params.
    ///
    /// The requestor takes for stopped what was completed, and throws its result away.
    ///
    /// ```mcp,good,2025-11-25
    /// === open server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"completed","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tasks/cancel","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}
    /// <-- {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"the task is completed"}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"completed","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tasks/cancel","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"cancelled","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}
    ///                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the task was completed
    /// ```
    RULE = {
        name: "tasks/cancel-final-reply",
        layer: Session,
        level: Error,
        revisions: RevisionSet::only(Revision::V2025_11_25),
        spec: "basic/utilities/tasks#task-cancellation",
        code: -32602,
        help: "refuse to cancel a task that has ended, with the code -32602",
        check: Check::Message(
            &[On::Result("tasks/cancel"), On::Error("tasks/cancel")],
            check,
        ),
    }
}

/// Codes of refusals for other reasons: an unknown method, an internal error.
const OTHER_REASONS: [i64; 2] = [-32601, -32603];

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    if !had_ended(message, session) {
        return;
    }
    if let Some(result) = message.result() {
        findings.at(result, "the task had ended, so there was nothing to cancel");
    } else if let Some(code) = message.exchange.envelope.error_code()
        && let Some(value) = code.as_i64()
        && value != -32602
        && !OTHER_REASONS.contains(&value)
    {
        findings.at(code, "a task that has ended is refused with -32602");
    }
}

/// Whether the end of the task was reported before the request to cancel it.
pub(super) fn had_ended(message: &Message<'_>, session: &Session) -> bool {
    let (Some(request), Some(request_direction)) =
        (message.request, message.direction().map(Direction::reverse))
    else {
        return false;
    };
    let id = request.data().and_then(|data| data.task_id);
    let task = id.and_then(|id| session.state.tasks.get(request_direction, id));
    task.filter(|task| !task.uncertain)
        .and_then(|task| task.ended)
        .is_some_and(|ended| ended.order < request.sent.order)
}
