//! `tasks/capability-tools-call`

use crate::rules::prelude::*;

rule! {
    /// A tool is called as a task although the server does not run tools as tasks.
    ///
    /// The server ignores the wish and the client waits for a task that never comes, or takes the
    /// result for one.
    ///
    /// ```mcp,good,2025-11-25
    /// === open server:{"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{}}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","task":{}}}
    ///                                                                                  ^^ the server has not declared `tasks`
    /// ```
    RULE = {
        name: "tasks/capability-tools-call",
        layer: Session,
        level: Error,
        revisions: RevisionSet::only(Revision::V2025_11_25),
        party: Client,
        spec: "basic/utilities/tasks#tool-level-negotiation",
        help: "leave out `task` unless the server declares `tasks.requests.tools.call`",
        uses: [Receiver(TasksToolsCall)],
        check: Check::Keyed(&["task"], &[On::Call("tools/call")], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some(task) = message.param("task") else {
        return;
    };
    // Another rule reports a server without tools.
    let declared = session.declared(Party::Server, message);
    if declared.is_some_and(|declared| {
        declared.has(Capability::Tools) && !declared.has(Capability::TasksToolsCall)
    }) {
        let text = "the server has not declared `{}`";
        findings.named(task, text, Capability::TasksToolsCall.name());
    }
}
