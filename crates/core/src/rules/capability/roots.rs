//! `capability/roots`

use crate::rules::prelude::*;
use crate::rules::support::method_needs;

rule! {
    /// A server asks for the roots of a client that has not declared `roots`.
    ///
    /// The client has no such method: it refuses the request, and the work that waits for the
    /// answer fails.
    ///
    /// ```mcp,good,2025-06-18
    /// === open client:{"roots":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"roots/list"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open client:{"sampling":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"roots/list"}
    ///                                      ^^^^^^^^^^^^ the client has not declared `roots`
    /// ```
    RULE = {
        name: "capability/roots",
        layer: Session,
        level: Error,
        recommended: RevisionSet::until(Revision::V2025_03_26),
        revisions: RevisionSet::until(Revision::V2025_11_25),
        party: Server,
        spec: "client/roots#capabilities",
        code: -32601,
        help: "ask for roots only where the client has declared them",
        uses: [Receiver(Roots)],
        check: Check::Message(&[On::Call("roots/list")], method_needs),
    }
}
