//! `tasks/id-unguessable`

use crate::rules::prelude::*;
use crate::session::{counter, created_task};

rule! {
    /// The ids of tasks are counted up.
    ///
    /// A caller with one id can guess the next, and read or cancel the task of another.
    ///
    /// Without authorisation the id is all that protects a task.
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
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"task-1","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"copy","task":{}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"task":{"taskId":"task-2","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    ///                                                        ^^^^^^^^ one more than the last
    /// ```
    RULE = {
        name: "tasks/id-unguessable",
        layer: Session,
        level: Error,
        revisions: RevisionSet::only(Revision::V2025_11_25),
        spec: "basic/utilities/tasks#task-isolation-and-access-control",
        help: "make task ids from a secure source of randomness",
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
    let tasks = &session.state.tasks;
    let task = created_task(message);
    let (Some(id), Some(request_direction)) = (
        task.and_then(|task| task.get("taskId")),
        message.direction().map(Direction::reverse),
    ) else {
        return;
    };
    let Some(text) = id.text().filter(|_| !tasks.authorized) else {
        return;
    };
    if let Some((prefix, number)) = counter(&text) {
        let prefix = session.state.progress.keys.of_prefix(&text, prefix);
        if tasks.counts_up(request_direction, prefix, number) {
            findings.at(id, "the id is that of the last task plus one");
        }
    }
}
