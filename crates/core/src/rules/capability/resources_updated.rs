//! `capability/resources-updated`

use super::notices::notice_needs;
use crate::rules::prelude::*;

rule! {
    /// A server announces changes of resources without having declared `resources.subscribe`.
    ///
    /// The receiver does not expect the notice and may drop it, or trip over it.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"resources":{"subscribe":true}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"file:///a.txt"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"file:///a.txt"}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"resources":{}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"file:///a.txt"}}
    ///                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the server has not declared `resources.subscribe`
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"resources":{"subscribe":true}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["file:///a.txt"]},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"resourceSubscriptions":["file:///a.txt"]},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1},"uri":"file:///a.txt"}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"resources":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["file:///a.txt"]},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"resourceSubscriptions":["file:///a.txt"]},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1},"uri":"file:///a.txt"}}
    ///                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the server has not declared `resources.subscribe`
    /// ```
    RULE = {
        name: "capability/resources-updated",
        layer: Session,
        level: Error,
        recommended: RevisionSet::until(Revision::V2025_03_26),
        party: Server,
        spec: "architecture/index#capability-negotiation",
        help: "declare `resources.subscribe`, or send no such notices",
        uses: [Sender(ResourcesSubscribe)],
        check: Check::Message(&[On::Call("notifications/resources/updated")], notice_needs),
    }
}
