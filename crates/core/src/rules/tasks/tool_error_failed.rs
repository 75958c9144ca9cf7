//! `tasks/tool-error-failed`

use crate::rules::prelude::*;
use crate::session::{Status, Task, tasks_in};

rule! {
    /// The tool behind a task failed, and the task does not say so.
    ///
    /// A requestor that looks at the status alone takes the error of the tool for its result.
    ///
    /// ```mcp,good,2025-11-25
    /// === open server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"failed","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000,"statusMessage":"disk full"}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tasks/result","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"disk full"}],"isError":true,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"completed","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tasks/result","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"disk full"}],"isError":true,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}}}
    ///                                                                                                ^^^^ the task was completed
    /// ```
    /// ```mcp,good,2025-11-25
    /// === open server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tasks/result","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"disk full"}],"isError":true,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}}}
    /// --> {"jsonrpc":"2.0","id":3,"method":"tasks/get","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}
    /// <-- {"jsonrpc":"2.0","id":3,"result":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"failed","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000,"statusMessage":"disk full"}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tasks/result","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"disk full"}],"isError":true,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}}}
    /// --> {"jsonrpc":"2.0","id":3,"method":"tasks/get","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}
    /// <-- {"jsonrpc":"2.0","id":3,"result":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"completed","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}
    ///                                                                                                ^^^^^^^^^^^ its result was an error of the tool
    /// ```
    RULE = {
        name: "tasks/tool-error-failed",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::only(Revision::V2025_11_25),
        party: Server,
        spec: "basic/utilities/tasks#task-execution-errors",
        help: "end a task whose tool returns `isError` as `failed`, with a `statusMessage` that says why",
        check: Check::Message(
            &[
                On::Result("tasks/result"),
                On::Result("tasks/get"),
                On::Result("tasks/list"),
                On::Call("notifications/tasks/status"),
            ],
            check,
        ),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some(request_direction) = message.direction().map(Direction::reverse) else {
        return;
    };
    if message.method() == Some("tasks/result") {
        result(message, request_direction, session, findings);
        return;
    }
    let state = &session.state;
    for task in tasks_in(message) {
        let id = task.get("taskId").and_then(|id| state.progress.keys.of(id));
        let known = id.and_then(|id| state.tasks.get(request_direction, id));
        // Only the first report of the end, after the result was seen; an answer to a poll must
        // have the reason every time.
        let is_answer = message.method() == Some("tasks/get");
        let is_report = |known: &Task| {
            let was_reported = known.unexplained || Status::of(task) != Some(Status::Failed);
            known.ended.is_none() || (is_answer && !was_reported)
        };
        if known.is_some_and(|known| known.is_error && is_report(known) && !known.uncertain)
            && let Some(node) = task.get("status")
            && let Some(text) = fault(Status::of(task), task.get("statusMessage").is_none())
        {
            findings.at(node, text);
        }
    }
}

fn result(
    message: &Message<'_>,
    request_direction: Direction,
    session: &Session,
    findings: &mut Findings<'_>,
) {
    let error = message.in_result("isError");
    let request = message.request.and_then(|request| request.data());
    let (Some(error), Some(id)) = (
        error.filter(|error| error.kind() == Kind::True),
        request.and_then(|request| request.task_id),
    ) else {
        return;
    };
    // A result may be fetched more than once.
    let task = session.state.tasks.get(request_direction, id);
    let task = task.filter(|task| !task.is_error && !task.uncertain);
    if let Some(text) = task.and_then(|task| fault(task.status, task.unexplained)) {
        findings.at(error, text);
    }
}

fn fault(status: Option<Status>, unexplained: bool) -> Option<&'static str> {
    match status {
        Some(Status::Completed) => Some("the tool failed, but its task is reported as `completed`"),
        Some(Status::Failed) if unexplained => {
            Some("the tool failed, and no `statusMessage` says why")
        }
        _ => None,
    }
}
