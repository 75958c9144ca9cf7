//! `logging/opt-in`

use crate::rules::prelude::*;

rule! {
    /// A log message is sent although no request asks for any.
    ///
    /// The client did not ask to see the workings of the server, and may have nowhere to put them.
    ///
    /// ```mcp,good,2026-07-28,stdio
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"build","arguments":{},"_meta":{…,"io.modelcontextprotocol/logLevel":"info"}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"compiling"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[],"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28,stdio
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"build","arguments":{},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"compiling"}}
    ///                               ^^^^^^^^^^^^^^^^^^^^^^^ the only open request has no `logLevel`
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[],"_meta":{…}}}
    /// ```
    /// ```mcp,good,2026-07-28,stdio
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"build","arguments":{},"_meta":{…,"io.modelcontextprotocol/logLevel":"info"}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"compiling"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[],"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28,stdio
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"build","arguments":{},"_meta":{…,"io.modelcontextprotocol/logLevel":"info"}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[],"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"compiling"}}
    ///                               ^^^^^^^^^^^^^^^^^^^^^^^ the request is answered
    /// ```
    RULE = {
        name: "logging/opt-in",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "server/utilities/logging#per-request-log-level",
        help: "send log messages only while a request is open that has `io.modelcontextprotocol/logLevel` in its `_meta`",
        needs: [LogLevel],
        follows: [rules::progress::TOKEN_KNOWN, rules::cancel::OWN_REQUEST],
        reveals: RequestOfPeer,
        check: Check::Group(&super::requests::GROUP),
    }
}
