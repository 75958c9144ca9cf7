//! `tasks/capability-list`

use crate::rules::prelude::*;
use crate::rules::support::method_needs;

rule! {
    /// `tasks/list` is sent to a peer that has not declared `tasks.list`.
    ///
    /// The peer has no such method and refuses the request.
    ///
    /// ```mcp,good,2025-11-25
    /// === open server:{"tools":{},"tasks":{"list":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tasks/list"}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open server:{"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tasks/list"}
    ///                                      ^^^^^^^^^^^^ not declared
    /// ```
    RULE = {
        name: "tasks/capability-list",
        layer: Session,
        level: Error,
        revisions: RevisionSet::only(Revision::V2025_11_25),
        spec: "basic/utilities/tasks#capability-negotiation",
        code: -32601,
        help: "send `tasks/list` only to a peer that declares `tasks.list`",
        uses: [Receiver(TasksList)],
        check: Check::Message(&[On::Call("tasks/list")], method_needs),
    }
}
