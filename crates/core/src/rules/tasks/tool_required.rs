//! `tasks/tool-required`

use crate::rules::prelude::*;
use crate::session::Support;

rule! {
    /// A tool that runs only as a task is called without one.
    ///
    /// The server has to refuse the call.
    ///
    /// ```mcp,good,2025-11-25
    /// === open server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"copy","description":"Copies a file.","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}}]}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"copy","task":{}}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open server:{"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"copy","description":"Copies a file.","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}}]}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"copy"}}
    ///                                                                    ^^^^^^ `task` is missing
    /// ```
    RULE = {
        name: "tasks/tool-required",
        layer: Session,
        level: Error,
        revisions: RevisionSet::only(Revision::V2025_11_25),
        party: Client,
        spec: "basic/utilities/tasks#tool-level-negotiation",
        code: -32601,
        help: "call the tool with `task`",
        check: Check::Message(&[On::Call("tools/call")], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    if !session.state.tasks.some_required {
        return;
    }
    let Some(name) = message
        .param("name")
        .filter(|_| message.param("task").is_none())
    else {
        return;
    };
    let state = &session.state;
    let support = state
        .progress
        .keys
        .of(name)
        .and_then(|tool| state.tasks.support(tool));
    let declared = session.declared(Party::Server, message);
    if support == Some(Support::Required)
        && declared.is_some_and(|declared| declared.has(Capability::TasksToolsCall))
    {
        findings.at(name, "the tool runs only as a task, and `task` is missing");
    }
}
