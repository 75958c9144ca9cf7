//! `subscriptions/ack-first`

use crate::rules::prelude::*;

rule! {
    /// A notification of a subscription comes before its acknowledgment.
    ///
    /// The client does not know yet that the subscription exists and may throw the notification
    /// away.
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{} server:{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{} server:{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    ///                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ a notification was sent before
    /// ```
    RULE = {
        name: "subscriptions/ack-first",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "basic/patterns/subscriptions#acknowledgment",
        help: "acknowledge a subscription before anything is sent for it",
        check: Check::Group(&super::notices::GROUP),
    }
}
