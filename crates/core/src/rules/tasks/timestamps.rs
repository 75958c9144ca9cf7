//! `tasks/timestamps`

use crate::rules::prelude::*;
use crate::rules::support::is_timestamp;
use crate::session::{created_task, tasks_in};

rule! {
    /// A time of a task is not an ISO 8601 timestamp.
    ///
    /// The requestor cannot tell how old the task is, nor when its lifetime is over.
    ///
    /// ```mcp,good,2025-11-25
    /// <-- {"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// <-- {"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"now","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}
    ///                                                                                                                                                     ^^^^^ not a time
    /// ```
    /// ```mcp,good,2025-11-25
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"25/11/2025 10:30","ttl":60000}}}
    ///                                                                                                                                                                     ^^^^^^^^^^^^^^^^^^ not ISO 8601
    /// ```
    RULE = {
        name: "tasks/timestamps",
        layer: Session,
        level: Error,
        revisions: RevisionSet::only(Revision::V2025_11_25),
        spec: "basic/utilities/tasks#ttl-and-resource-management",
        help: "write `createdAt` and `lastUpdatedAt` as in `2025-11-25T10:30:00Z`",
        check: Check::Keyed(
            &["createdAt", "lastUpdatedAt"],
            &[
                On::Result("tools/call"),
                On::Result("sampling/createMessage"),
                On::Result("elicitation/create"),
                On::Result("tasks/get"),
                On::Result("tasks/cancel"),
                On::Result("tasks/list"),
                On::Call("notifications/tasks/status"),
            ],
            check,
        ),
    }
}

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    if let Some(task) = created_task(message) {
        check_task(task, findings);
        return;
    }
    // The other answers of these methods are no tasks.
    if matches!(
        message.method(),
        Some("tools/call" | "sampling/createMessage" | "elicitation/create")
    ) {
        return;
    }
    for task in tasks_in(message) {
        check_task(task, findings);
    }
}

fn check_task(task: Node<'_>, findings: &mut Findings<'_>) {
    for name in ["createdAt", "lastUpdatedAt"] {
        if let Some(time) = task.get(name)
            && let Some(text) = time.text()
            && !is_timestamp(&text)
        {
            findings.at(time, "this is not an ISO 8601 timestamp");
        }
    }
}
