//! `tasks/capability-cancel`

use crate::rules::prelude::*;
use crate::rules::support::method_needs;

rule! {
    /// `tasks/cancel` is sent to a peer that has not declared `tasks.cancel`.
    ///
    /// The peer has no such method and refuses the request.
    ///
    /// ```mcp,good,2025-11-25
    /// === open server:{"tools":{},"tasks":{"cancel":{},"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tasks/cancel","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open server:{"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tasks/cancel","params":{"taskId":"9f1c6a70-5b1e-4c7e-8d0b-2f4a6c8e0d13"}}
    ///                                      ^^^^^^^^^^^^^^ not declared
    /// ```
    RULE = {
        name: "tasks/capability-cancel",
        layer: Session,
        level: Error,
        revisions: RevisionSet::only(Revision::V2025_11_25),
        spec: "basic/utilities/tasks#capability-negotiation",
        code: -32601,
        help: "send `tasks/cancel` only to a peer that declares `tasks.cancel`",
        uses: [Receiver(TasksCancel)],
        check: Check::Message(&[On::Call("tasks/cancel")], method_needs),
    }
}
