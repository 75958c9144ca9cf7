//! `cancel/server-only-listen`

use crate::rules::prelude::*;

rule! {
    /// A server cancels something other than a subscription.
    ///
    /// A server has no requests that it could take back, so a client has no code for this: it goes
    /// on waiting for the answer.
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{"listChanged":true}}
    /// --> {"jsonrpc":"2.0","id":5,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":5}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{"listChanged":true}}
    /// --> {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"copy","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}
    ///                                                                               ^ the id of `tools/call`
    /// ```
    RULE = {
        name: "cancel/server-only-listen",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "basic/patterns/cancellation#behavior-requirements",
        help: "answer the request with an error; `notifications/cancelled` of a server ends a subscription and nothing else",
        needs: [Subscriptions],
        check: Check::Group(&super::notice::GROUP),
    }
}
