//! `tasks/no-related-task-where-redundant`

use crate::rules::prelude::*;
use crate::session::RELATED_TASK;

rule! {
    /// A message that has the id of a task in its own members names the task in `_meta`, too.
    ///
    /// The id in the members is the one that counts; a second one can only contradict it.
    ///
    /// ```mcp,good,2025-11-25
    /// --> {"jsonrpc":"2.0","id":2,"method":"tasks/get","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// --> {"jsonrpc":"2.0","id":2,"method":"tasks/get","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","_meta":{"io.modelcontextprotocol/related-task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}}}
    ///                                                                                                                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the id is there already
    /// ```
    /// ```mcp,good,2025-11-25
    /// <-- {"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// <-- {"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}}}
    ///                                                                                                                                                                                                                                                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the id is there already
    /// ```
    RULE = {
        name: "tasks/no-related-task-where-redundant",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::only(Revision::V2025_11_25),
        spec: "basic/utilities/tasks#associating-task-related-messages",
        help: "leave `io.modelcontextprotocol/related-task` out where the message has the id of the task anyway",
        check: Check::Message(
            &[
                On::Call("tasks/get"),
                On::Call("tasks/result"),
                On::Call("tasks/cancel"),
                On::Call("tasks/list"),
                On::Call("notifications/tasks/status"),
                On::Result("tasks/get"),
                On::Result("tasks/cancel"),
                On::Result("tasks/list"),
            ],
            check,
        ),
    }
}

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    if let Some(related) = message.meta().and_then(|meta| meta.get(RELATED_TASK)) {
        findings.at(
            related,
            "the message has the id of the task in its own members",
        );
    }
}
