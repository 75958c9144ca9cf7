//! `progress/token-known`

use crate::rules::prelude::*;

rule! {
    /// A progress notification names a token that no request of the receiver gave.
    ///
    /// The receiver cannot tell what makes progress, and drops the notification.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","_meta":{…,"progressToken":"a"}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"a","progress":1}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","_meta":{…,"progressToken":"a"}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"b","progress":1}}
    ///                                                                                  ^^^ no request gave this token
    /// ```
    ///
    /// A request without a token wants no progress notifications.
    ///
    /// ```mcp,good,2025-06-18
    /// === open client:{"sampling":{}}
    /// <-- {"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":9,"_meta":{"progressToken":7}}}
    /// --> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":1}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open client:{"sampling":{}}
    /// <-- {"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":9}}
    /// --> {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":1}}
    ///                                                                                  ^ no request gave this token
    /// ```
    RULE = {
        name: "progress/token-known",
        layer: Session,
        level: Error,
        spec: "basic/patterns/progress#behavior-requirements",
        help: "report progress under the token that came with the request, and only if one came",
        needs: [ProgressTokens],
        follows: [rules::logging::OPT_IN, rules::cancel::OWN_REQUEST],
        once: [PerValue],
        reveals: RequestOfPeer,
        check: Check::Group(&super::report::GROUP),
    }
}
