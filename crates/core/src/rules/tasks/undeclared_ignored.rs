//! `tasks/undeclared-ignored`

use super::declared::{Declared, asks_for_task};
use crate::rules::prelude::*;
use crate::session::created_task;

rule! {
    /// A request is answered with a task by a party that has not declared tasks for it.
    ///
    /// The requestor was told that there are no such tasks, and may not know what to do with one.
    ///
    /// ```mcp,good,2025-11-25
    /// === open client:{"sampling":{},"tasks":{"requests":{"sampling":{"createMessage":{}}}}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"Hello"}}],"maxTokens":9,"task":{}}}
    /// --> {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// --> {"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"copy","task":{}}}
    /// === open server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":0,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    ///                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the server has not declared `tasks`
    /// ```
    RULE = {
        name: "tasks/undeclared-ignored",
        layer: Session,
        level: Error,
        revisions: RevisionSet::only(Revision::V2025_11_25),
        spec: "basic/utilities/tasks#task-support-and-handling",
        help: "declare tasks for this kind of request, or ignore `task` and answer as usual",
        uses: [Sender(TasksToolsCall)],
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
    let Some((task, Declared::Without)) =
        created_task(message).map(|task| (task, Declared::of(message, session)))
    else {
        return;
    };
    if asks_for_task(message) {
        findings.at(task, "tasks for this kind of request were not declared");
    }
}
