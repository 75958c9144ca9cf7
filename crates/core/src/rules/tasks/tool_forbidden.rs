//! `tasks/tool-forbidden`

use crate::rules::prelude::*;
use crate::session::Support;

rule! {
    /// A tool is called as a task that does not say that it can be one.
    ///
    /// The server refuses the call. A tool without `execution.taskSupport` forbids it.
    ///
    /// ```mcp,good,2025-11-25
    /// === open server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"copy","description":"Copies a file.","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}}]}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"copy","task":{}}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"copy","description":"Copies a file.","inputSchema":{"type":"object"}}]}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"copy","task":{}}}
    ///                                                                                  ^^ the tool has no `execution`
    /// ```
    RULE = {
        name: "tasks/tool-forbidden",
        layer: Session,
        level: Error,
        revisions: RevisionSet::only(Revision::V2025_11_25),
        party: Client,
        spec: "basic/utilities/tasks#tool-level-negotiation",
        code: -32601,
        help: "call the tool without `task`",
        check: Check::Keyed(&["task"], &[On::Call("tools/call")], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some(task) = message.param("task") else {
        return;
    };
    let Some(name) = message.param("name") else {
        return;
    };
    // Another rule reports a server that runs no tools as tasks.
    let declared = session.declared(Party::Server, message);
    if declared.is_some_and(|declared| !declared.has(Capability::TasksToolsCall)) {
        return;
    }
    let state = &session.state;
    let support = state
        .progress
        .keys
        .of(name)
        .and_then(|tool| state.tasks.support(tool));
    if support == Some(Support::Forbidden) {
        findings.at(task, "the tool does not say that it can be run as a task");
    }
}
