//! `tasks/cancel-shows-cancelled`

use super::cancel_final_reply::had_ended;
use crate::rules::prelude::*;

rule! {
    /// A task that was cancelled is returned with another status.
    ///
    /// The requestor cannot tell whether the task was stopped, and has to go on polling what it
    /// gave up.
    ///
    /// ```mcp,good,2025-11-25
    /// === open server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tasks/cancel","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"cancelled","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tasks/cancel","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}
    ///                                                                                                ^^^^^^^^^ not cancelled
    /// ```
    RULE = {
        name: "tasks/cancel-shows-cancelled",
        layer: Session,
        level: Error,
        revisions: RevisionSet::only(Revision::V2025_11_25),
        spec: "basic/utilities/tasks#task-cancellation",
        help: "move the task to `cancelled` before answering `tasks/cancel`",
        check: Check::Message(&[On::Result("tasks/cancel")], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let status = message.in_result("status");
    if let Some(status) = status.filter(|status| !status.is_text("cancelled"))
        && !had_ended(message, session)
    {
        findings.at(
            status,
            "a task that was cancelled has the status `cancelled`",
        );
    }
}
