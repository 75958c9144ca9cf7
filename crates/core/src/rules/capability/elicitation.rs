//! `capability/elicitation`

use crate::rules::prelude::*;
use crate::rules::support::method_needs;

rule! {
    /// A server asks the user of a client that has not declared `elicitation`.
    ///
    /// The client has no such method: it refuses the request, and the work that waits for the
    /// answer fails.
    ///
    /// ```mcp,good,2025-06-18
    /// === open client:{"elicitation":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Which branch?","requestedSchema":{"type":"object","properties":{"branch":{"type":"string"}}}}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open client:{}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Which branch?","requestedSchema":{"type":"object","properties":{"branch":{"type":"string"}}}}}
    ///                                      ^^^^^^^^^^^^^^^^^^^^ the client has not declared `elicitation`
    /// ```
    RULE = {
        name: "capability/elicitation",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_06_18)
            .intersection(RevisionSet::until(Revision::V2025_11_25)),
        party: Server,
        spec: "client/elicitation#capabilities",
        code: -32601,
        help: "ask the user only where the client has declared `elicitation`",
        uses: [Receiver(Elicitation)],
        check: Check::Message(&[On::Call("elicitation/create")], method_needs),
    }
}
