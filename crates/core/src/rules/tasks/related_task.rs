//! `tasks/related-task`

use crate::rules::prelude::*;
use crate::session::{Key, State, Status, related_task};

rule! {
    /// A message that belongs to a task does not name it in `_meta`.
    ///
    /// The other side cannot show it with the task, nor drop it when the task is cancelled.
    ///
    /// Progress of a task:
    ///
    /// ```mcp,good,2025-11-25
    /// === open server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{},"_meta":{"progressToken":"a"}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"a","progress":1,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{},"_meta":{"progressToken":"a"}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"a","progress":1}}
    ///                                                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the task is not named
    /// ```
    ///
    /// A request of a task, and the answer to it:
    ///
    /// ```mcp,good,2025-11-25
    /// === open client:{"elicitation":{}} server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"input_required","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}
    /// <-- {"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"message":"Which file?","requestedSchema":{"type":"object","properties":{"file":{"type":"string"}}},"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}}}
    /// --> {"jsonrpc":"2.0","id":7,"result":{"action":"decline","_meta":{"io.modelcontextprotocol/related-task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open client:{"elicitation":{}} server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"input_required","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}
    /// <-- {"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"message":"Which file?","requestedSchema":{"type":"object","properties":{"file":{"type":"string"}}},"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}}}
    /// --> {"jsonrpc":"2.0","id":7,"result":{"action":"decline"}}
    ///                                      ^^^^^^^^^^^^^^^^^^^^ the task is not named
    /// ```
    /// ```mcp,good,2025-11-25
    /// === open client:{"elicitation":{}} server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"input_required","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}
    /// <-- {"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"message":"Which file?","requestedSchema":{"type":"object","properties":{"file":{"type":"string"}}},"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open client:{"elicitation":{}} server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"working","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13","status":"input_required","createdAt":"2025-11-25T10:30:00Z","lastUpdatedAt":"2025-11-25T10:30:00Z","ttl":60000}}
    /// <-- {"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"message":"Which file?","requestedSchema":{"type":"object","properties":{"file":{"type":"string"}}}}}
    ///                                                                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the task that waits for input is not named
    /// ```
    RULE = {
        name: "tasks/related-task",
        layer: Session,
        level: Error,
        revisions: RevisionSet::only(Revision::V2025_11_25),
        spec: "basic/utilities/tasks#associating-task-related-messages",
        help: "name the task in `_meta` under `io.modelcontextprotocol/related-task`",
        check: Check::Message(
            &[
                On::Call("notifications/progress"),
                On::Call("elicitation/create"),
                On::Call("sampling/createMessage"),
                On::Result("elicitation/create"),
                On::Result("sampling/createMessage"),
            ],
            check,
        ),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some(direction) = message.direction() else {
        return;
    };
    // Most sessions have no task.
    let is_notification = message.kind() == MessageKind::Notification;
    if is_notification && session.state.tasks.is_empty(direction.reverse()) {
        return;
    }
    let related = related_task(message);
    let due = if message.kind() == MessageKind::Response {
        message
            .request
            .and_then(|request| request.data()?.related_task)
    } else if let Some(token) = message.param("progressToken") {
        task_of_token(direction.reverse(), token, session)
    } else if related.is_none() && is_asked_for_task(message, direction, session) {
        // The request may belong to one of several tasks.
        report_missing(message, findings);
        return;
    } else {
        return;
    };
    let keys = &session.state.progress.keys;
    match (due, related) {
        (Some(_), None) => report_missing(message, findings),
        (Some(due), Some(related)) if keys.of(related) != Some(due) => {
            // Another rule reports progress of one task under the token of another.
            let other = keys
                .of(related)
                .and_then(|id| session.state.tasks.get(direction.reverse(), id));
            if message.kind() == MessageKind::Response || other.is_none() {
                findings.at(related, "this is not the task that the message belongs to");
            }
        }
        _ => {}
    }
}

fn report_missing(message: &Message<'_>, findings: &mut Findings<'_>) {
    let text = "`_meta` does not name the task under `io.modelcontextprotocol/related-task`";
    let whole = message.params().or_else(|| message.result());
    findings.at(whole.unwrap_or(message.root()), text);
}

/// The unfinished task whose request set a progress token.
fn task_of_token(request_direction: Direction, token: Node<'_>, session: &Session) -> Option<Key> {
    if session.state.tasks.is_empty(request_direction) {
        return None;
    }
    let progress = &session.state.progress;
    let given = progress.given(request_direction, progress.keys.of(token)?)?;
    let State::Task(id) = given.state else {
        return None;
    };
    let task = session.state.tasks.get(request_direction, id)?;
    (task.ended.is_none() && !task.uncertain).then_some(id)
}

/// Whether a request can only come from a task of its sender: it uses the stream on which the
/// result of a task is awaited; or a task waits for input that it has not requested, and no other
/// request is open.
fn is_asked_for_task(message: &Message<'_>, direction: Direction, session: &Session) -> bool {
    let request_direction = direction.reverse();
    if let Some(exchange) = message.now().exchange {
        let mut of_stream = session.in_exchange(request_direction, exchange);
        return of_stream.any(|request| request.method_name() == Some("tasks/result"));
    }
    if session.tally(request_direction).busy > 0 {
        return false;
    }
    let mut waits = session
        .state
        .tasks
        .of(request_direction)
        .filter(|(_, task)| {
            task.status == Some(Status::InputRequired) && !task.uncertain && !task.is_over
        });
    waits.any(|(id, _)| !session.has_related(direction, id))
}
