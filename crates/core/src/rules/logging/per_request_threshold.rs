//! `logging/per-request-threshold`

use crate::rules::prelude::*;

rule! {
    /// A log message is below the level that the request asked for.
    ///
    /// The client is flooded with what it asked not to see.
    ///
    /// ```mcp,good,2026-07-28,stdio
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"build","arguments":{},"_meta":{…,"io.modelcontextprotocol/logLevel":"error"}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"critical","data":"compiling"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[],"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28,stdio
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"build","arguments":{},"_meta":{…,"io.modelcontextprotocol/logLevel":"error"}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"compiling"}}
    ///                                                                         ^^^^^^ the request asked for `error` and above
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[],"_meta":{…}}}
    /// ```
    RULE = {
        name: "logging/per-request-threshold",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "server/utilities/logging#per-request-log-level",
        help: "send only messages at the level of the request or above",
        check: Check::Group(&super::requests::GROUP),
    }
}
