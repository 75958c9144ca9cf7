//! `tasks/finished`

use crate::rules::prelude::*;
use crate::session::{OpenRequest, Task};

rule! {
    /// A task was still under way when the session ended.
    ///
    /// Its result may be lost: a task may be fetched later only where its holder keeps it and knows
    /// the requestor again.
    ///
    /// ```mcp,good,2025-11-25
    /// === open server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"completed","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}
    /// === end
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    ///                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ never reported as ended
    /// === end
    /// ```
    RULE = {
        name: "tasks/finished",
        layer: Session,
        level: Note,
        revisions: RevisionSet::only(Revision::V2025_11_25),
        spec: "basic/utilities/tasks#task-status-lifecycle",
        help: "let tasks come to an end, or cancel them, before the session is closed",
        needs: [Tasks],
        check: Check::End(check),
    }
}

fn check(session: &Session, endings: &mut Endings<'_>) {
    if !session.was_whole() {
        return;
    }
    for request_direction in [Direction::ClientToServer, Direction::ServerToClient] {
        let tasks = session
            .state
            .tasks
            .of(request_direction)
            .map(|(_, task)| task);
        let mut open: Vec<&Task> = tasks
            .filter(|task| task.ended.is_none() && !task.is_over && !task.uncertain)
            .collect();
        open.sort_by_key(|task| task.created.order);
        // A missing answer, which is reported, may have their final status.
        let is_asked_for = |request: &&OpenRequest| {
            let method = request.method_name();
            method.is_some_and(|method| method.starts_with("tasks/"))
        };
        if session
            .unanswered(request_direction)
            .iter()
            .any(is_asked_for)
        {
            continue;
        }
        for task in open {
            let holder = request_direction.reverse();
            let mut cause = Cause::at(task.created.at, holder, Some(task.revision));
            if let Some(method) = task.method {
                cause = cause.kind(MessageKind::Response, method.name);
            }
            let text = "the task was still under way when the session ended";
            endings.missing(holder.sender(), cause, text);
        }
    }
}
