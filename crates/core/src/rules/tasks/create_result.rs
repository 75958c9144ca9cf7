//! `tasks/create-result`

use super::declared::{Declared, asks_for_task};
use crate::rules::prelude::*;
use crate::session::{Support, created_task};

rule! {
    /// A request for a task is answered with a plain result, or another request with a task.
    ///
    /// The requestor polls for a task that does not exist, or finds no result in what it got.
    ///
    /// ```mcp,good,2025-11-25
    /// === open server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
    ///                                      ^^^^^^^^^^^^^^ the request asked for a task
    /// ```
    /// ```mcp,good,2025-11-25
    /// === open server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    ///                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the request did not ask for a task
    /// ```
    RULE = {
        name: "tasks/create-result",
        layer: Session,
        level: Error,
        revisions: RevisionSet::only(Revision::V2025_11_25),
        spec: "basic/utilities/tasks#result-retrieval",
        help: "answer a request that asks for a task with the task, and no other request",
        needs: [Tasks],
        follows: [rules::tasks::TOOL_REQUIRED],
        check: Check::Message(
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
    let (Some(result), true) = (message.result(), message.request.is_some()) else {
        return;
    };
    match (created_task(message), asks_for_task(message)) {
        (Some(task), false) => findings.at(task, "the request did not ask to be run as a task"),
        (None, true)
            if Declared::of(message, session) == Declared::With
                && !is_refused(result)
                && !is_forbidden(message, session) =>
        {
            findings.at(
                result,
                "the request asked to be run as a task, and this is none",
            );
        }
        _ => {}
    }
}

/// Whether a tool refused the call: then it was not accepted as a task.
fn is_refused(result: Node<'_>) -> bool {
    result.get("isError").map(Node::kind) == Some(Kind::True)
}

/// Whether the tool must not run as a task: then the request is at fault.
fn is_forbidden(message: &Message<'_>, session: &Session) -> bool {
    let data = message.request.and_then(|request| request.data());
    let tool = data.and_then(|data| data.task_tool);
    let support = tool.and_then(|tool| session.state.tasks.support(tool));
    matches!(support, Some(Support::Forbidden | Support::RequestMut))
}
