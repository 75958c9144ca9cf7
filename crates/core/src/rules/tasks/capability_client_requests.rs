//! `tasks/capability-client-requests`

use crate::rules::prelude::*;

rule! {
    /// A client is asked to run a request as a task although it has not declared that it can.
    ///
    /// The client ignores the wish, and the server waits for a task that never comes.
    ///
    /// ```mcp,good,2025-11-25
    /// === open client:{"sampling":{},"tasks":{"requests":{"sampling":{"createMessage":{}}}}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"Hello"}}],"maxTokens":9,"task":{}}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open client:{"sampling":{},"tasks":{"requests":{"elicitation":{"create":{}}}}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"Hello"}}],"maxTokens":9,"task":{}}}
    ///                                                                                                                                                                    ^^ the client has not declared it
    /// ```
    RULE = {
        name: "tasks/capability-client-requests",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::only(Revision::V2025_11_25),
        party: Server,
        spec: "basic/utilities/tasks#capability-negotiation",
        help: "leave out `task` unless the client declares the kind of request under `tasks.requests`",
        uses: [Receiver(TasksToolsCall)],
        check: Check::Message(
            &[On::Call("sampling/createMessage"), On::Call("elicitation/create")],
            check,
        ),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some(task) = message.param("task") else {
        return;
    };
    let (at_all, as_task) = if message.method() == Some("elicitation/create") {
        (Capability::Elicitation, Capability::TasksElicitation)
    } else {
        (Capability::Sampling, Capability::TasksSampling)
    };
    // Another rule reports a request that the client does not support at all.
    let declared = session.declared(Party::Client, message);
    if declared.is_some_and(|declared| declared.has(at_all) && !declared.has(as_task)) {
        let text = "the client has not declared `{}`";
        findings.named(task, text, as_task.name());
    }
}
