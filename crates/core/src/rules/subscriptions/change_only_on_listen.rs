//! `subscriptions/change-only-on-listen`

use crate::rules::prelude::*;

rule! {
    /// A change is announced outside of any subscription.
    ///
    /// Clients listen for changes on subscriptions only, so the notice is lost or, on the stream of
    /// another request, an error.
    ///
    /// ```mcp,good,2026-07-28
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":"d","method":"server/discover","params":{"_meta":{…}}}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":"d","result":{"resultType":"complete","supportedVersions":["YYYY-MM-DD"],"capabilities":{"tools":{"listChanged":true}},"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// --> POST /mcp #2
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{…}}}
    /// <-- 200 #2 stream
    ///     …
    /// <-- event #2
    ///     {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    /// <-- event #2
    ///     {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":"d","method":"server/discover","params":{"_meta":{…}}}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":"d","result":{"resultType":"complete","supportedVersions":["YYYY-MM-DD"],"capabilities":{"tools":{"listChanged":true}},"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// --> POST /mcp #2
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"reload","arguments":{},"_meta":{…}}}
    /// <-- 200 #2 stream
    ///     …
    /// <-- event #2
    ///     {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
    ///                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ on the stream of a `tools/call`
    /// ```
    ///
    /// ```mcp,good,2026-07-28,stdio
    /// === open client:{} server:{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    /// ```
    /// ```mcp,bad,2026-07-28,stdio
    /// === open client:{} server:{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
    ///                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ nobody has subscribed
    /// ```
    RULE = {
        name: "subscriptions/change-only-on-listen",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "basic/transports/streamable-http#receiving-messages",
        help: "announce changes to those who asked for them with `subscriptions/listen`",
        check: Check::Group(&super::notices::GROUP),
    }
}
