//! `logging/own-stream`

use crate::rules::prelude::*;

rule! {
    /// A log message is on another stream than the answer to its request, or comes after it.
    ///
    /// Nobody there knows which request it belongs to, so it is lost or taken for something else.
    ///
    /// ```mcp,good,2026-07-28
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{…}}}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1
    ///     {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":"l"}}}
    /// --> POST /mcp #2
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"build","arguments":{},"_meta":{…,"io.modelcontextprotocol/logLevel":"info"}}}
    /// <-- 200 #2 stream
    ///     …
    /// <-- event #2
    ///     {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"compiling"}}
    /// <-- event #2
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[],"_meta":{…}}}
    /// <-- end #2
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{…}}}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1
    ///     {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":"l"}}}
    /// --> POST /mcp #2
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"build","arguments":{},"_meta":{…,"io.modelcontextprotocol/logLevel":"info"}}}
    /// <-- 200 #2 stream
    ///     …
    /// <-- event #1
    ///     {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"compiling"}}
    ///                               ^^^^^^^^^^^^^^^^^^^^^^^ the stream of a subscription
    /// <-- event #2
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[],"_meta":{…}}}
    /// <-- end #2
    /// ```
    /// ```mcp,good,2026-07-28
    /// --> POST /mcp #2
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"build","arguments":{},"_meta":{…,"io.modelcontextprotocol/logLevel":"info"}}}
    /// <-- 200 #2 stream
    ///     …
    /// <-- event #2
    ///     {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"compiling"}}
    /// <-- event #2
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[],"_meta":{…}}}
    /// <-- end #2
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> POST /mcp #2
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"build","arguments":{},"_meta":{…,"io.modelcontextprotocol/logLevel":"info"}}}
    /// <-- 200 #2 stream
    ///     …
    /// <-- event #2
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[],"_meta":{…}}}
    /// <-- event #2
    ///     {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"compiling"}}
    ///                               ^^^^^^^^^^^^^^^^^^^^^^^ after the answer
    /// <-- end #2
    /// ```
    RULE = {
        name: "logging/own-stream",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "server/utilities/logging#per-request-log-level",
        help: "send log messages on the stream of the request that asked for them, before its answer",
        check: Check::Group(&super::requests::GROUP),
    }
}
