//! `capability/sampling`

use crate::rules::prelude::*;
use crate::rules::support::method_needs;

rule! {
    /// A server asks for sampling from a client that has not declared `sampling`.
    ///
    /// The client has no such method: it refuses the request, and the work that waits for the
    /// answer fails.
    ///
    /// ```mcp,good,2025-06-18
    /// === open client:{"sampling":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"Hello"}}],"maxTokens":100}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open client:{}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"Hello"}}],"maxTokens":100}}
    ///                                      ^^^^^^^^^^^^^^^^^^^^^^^^ the client has not declared `sampling`
    /// ```
    RULE = {
        name: "capability/sampling",
        layer: Session,
        level: Error,
        recommended: RevisionSet::until(Revision::V2025_03_26),
        revisions: RevisionSet::until(Revision::V2025_11_25),
        party: Server,
        spec: "client/sampling#capabilities",
        code: -32601,
        help: "ask for sampling only where the client has declared it",
        uses: [Receiver(Sampling)],
        check: Check::Message(&[On::Call("sampling/createMessage")], method_needs),
    }
}
