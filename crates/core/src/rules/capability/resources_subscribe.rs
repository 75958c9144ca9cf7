//! `capability/resources-subscribe`

use crate::rules::prelude::*;
use crate::rules::support::method_needs;

rule! {
    /// A client subscribes at a server that has not declared `resources.subscribe`.
    ///
    /// The server tells of no changes: the client waits for notices that never come.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"resources":{"subscribe":true}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"file:///a.txt"}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"resources":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"file:///a.txt"}}
    ///                                      ^^^^^^^^^^^^^^^^^^^^^ the server has not declared `resources.subscribe`
    /// ```
    RULE = {
        name: "capability/resources-subscribe",
        layer: Session,
        level: Error,
        recommended: RevisionSet::until(Revision::V2025_03_26),
        revisions: RevisionSet::until(Revision::V2025_11_25),
        party: Client,
        spec: "server/resources#capabilities",
        code: -32601,
        help: "subscribe only where the server has declared `resources.subscribe`; read again from time to time elsewhere",
        uses: [Receiver(ResourcesSubscribe)],
        check: Check::Message(&[On::Call("resources/subscribe"), On::Call("resources/unsubscribe")], method_needs),
    }
}
