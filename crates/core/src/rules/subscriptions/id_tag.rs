//! `subscriptions/id-tag`

use crate::rules::prelude::*;

rule! {
    /// A notification of a subscription does not say which subscription it belongs to.
    ///
    /// On stdio all subscriptions share one channel, and only the id tells the client where to
    /// forward the notification.
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
    /// <-- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ of which subscription?
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{} server:{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{} server:{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true}}}
    ///                                                                                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ of which subscription?
    /// ```
    RULE = {
        name: "subscriptions/id-tag",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "basic/patterns/subscriptions#receiving-notifications",
        help: "put the id of the `subscriptions/listen` request into `_meta` as `io.modelcontextprotocol/subscriptionId`",
        check: Check::Group(&super::notices::GROUP),
    }
}
