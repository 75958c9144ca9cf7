//! `subscriptions/no-request-scoped`

use crate::rules::prelude::*;

rule! {
    /// Progress or a log message is sent on a subscription.
    ///
    /// Both belong to a request and come where its answer comes. The client looks for them there
    /// and not among the changes.
    ///
    /// ```mcp,good,2026-07-28
    /// === open client:{} server:{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"reload","arguments":{},"_meta":{…,"progressToken":"p"}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open client:{} server:{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"reload","arguments":{},"_meta":{…,"progressToken":"p"}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1,"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    ///                               ^^^^^^^^^^^^^^^^^^^^^^^^ belongs to the `tools/call`
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"reload","arguments":{},"_meta":{…,"io.modelcontextprotocol/logLevel":"info"}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"reloaded"}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"reload","arguments":{},"_meta":{…,"io.modelcontextprotocol/logLevel":"info"}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"reloaded","_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    ///                               ^^^^^^^^^^^^^^^^^^^^^^^ belongs to the `tools/call`
    /// ```
    RULE = {
        name: "subscriptions/no-request-scoped",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "basic/transports/streamable-http#receiving-messages",
        help: "send progress and log messages with the request that they are about",
        check: Check::Group(&super::notices::GROUP),
    }
}
