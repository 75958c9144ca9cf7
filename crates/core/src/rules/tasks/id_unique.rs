//! `tasks/id-unique`

use crate::rules::prelude::*;
use crate::session::created_task;

rule! {
    /// A new task has the id of another one.
    ///
    /// A requestor that polls the first task gets the status and the result of the second.
    ///
    /// ```mcp,good,2025-11-25
    /// === open server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"copy","task":{}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"task":{"taskId":"c07d2e51-8a64-4f3b-9e17-6b5d4c3a2f90","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"copy","task":{}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    ///                                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the id of the first task
    /// ```
    RULE = {
        name: "tasks/id-unique",
        layer: Session,
        level: Error,
        revisions: RevisionSet::only(Revision::V2025_11_25),
        spec: "basic/utilities/tasks#task-id-requirements",
        help: "make a new id for each task",
        check: Check::Keyed(
            &["taskId"],
            &[
                On::Result("tools/call"),
                On::Result("sampling/createMessage"),
                On::Result("elicitation/create"),
            ],
            check,
        ),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let task = created_task(message);
    let (Some(id), Some(request_direction)) = (
        task.and_then(|task| task.get("taskId")),
        message.direction().map(Direction::reverse),
    ) else {
        return;
    };
    let state = &session.state;
    let known = state
        .progress
        .keys
        .of(id)
        .and_then(|key| state.tasks.get(request_direction, key));
    if known.is_some_and(|task| !task.uncertain) {
        findings.at(id, "another task has this id");
    }
}
