//! `capability/logging-set-level`

use crate::rules::prelude::*;
use crate::rules::support::method_needs;

rule! {
    /// A client sets the log level of a server that has not declared `logging`.
    ///
    /// The server has no such methods: it refuses the request, or answers with something nobody
    /// meant.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"logging":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"error"}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{}
    /// --> {"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"error"}}
    ///                                      ^^^^^^^^^^^^^^^^^^ the server has not declared `logging`
    /// ```
    RULE = {
        name: "capability/logging-set-level",
        layer: Session,
        level: Error,
        recommended: RevisionSet::until(Revision::V2025_03_26),
        revisions: RevisionSet::until(Revision::V2025_11_25),
        party: Client,
        spec: "server/utilities/logging#capabilities",
        code: -32601,
        help: "set the log level only where the server has declared `logging`",
        uses: [Receiver(Logging)],
        check: Check::Message(&[On::Call("logging/setLevel")], method_needs),
    }
}
