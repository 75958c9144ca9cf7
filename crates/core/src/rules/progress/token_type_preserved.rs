//! `progress/token-type-preserved`

use crate::rules::prelude::*;

rule! {
    /// A progress token comes back with another JSON type.
    ///
    /// To the receiver `1` and `"1"` are two tokens, and it knows only one of them.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","_meta":{…,"progressToken":1}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":0.5}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","_meta":{…,"progressToken":1}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"1","progress":0.5}}
    ///                                                                                  ^^^ the token was a number
    /// ```
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","_meta":{…,"progressToken":"1"}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"1","progress":0.5}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","_meta":{…,"progressToken":"1"}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":0.5}}
    ///                                                                                  ^ the token was a string
    /// ```
    RULE = {
        name: "progress/token-type-preserved",
        layer: Session,
        level: Error,
        spec: "basic/patterns/progress#progress-flow",
        help: "send the progress token back exactly as it came, a number as a number and a string as a string",
        needs: [ProgressTokens],
        once: [PerValue],
        reveals: RequestOfPeer,
        check: Check::Group(&super::report::GROUP),
    }
}
