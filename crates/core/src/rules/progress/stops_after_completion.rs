//! `progress/stops-after-completion`

use crate::rules::prelude::*;

rule! {
    /// Progress is reported for a request that was answered.
    ///
    /// The receiver has forgotten the token by then, or shows as under way what is finished.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","_meta":{…,"progressToken":1}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","_meta":{…,"progressToken":1}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}
    ///                                                                                  ^ the request was answered
    /// ```
    /// ```mcp,good,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","_meta":{…,"progressToken":1}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[],"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","_meta":{…,"progressToken":1}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[],"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}
    ///                                                                                  ^ the request was answered
    /// ```
    RULE = {
        name: "progress/stops-after-completion",
        layer: Session,
        level: Error,
        spec: "basic/patterns/progress#implementation-notes",
        help: "send the last progress notification before the answer",
        needs: [ProgressTokens],
        once: [PerValue],
        reveals: RequestOfPeer,
        check: Check::Group(&super::report::GROUP),
    }
}
