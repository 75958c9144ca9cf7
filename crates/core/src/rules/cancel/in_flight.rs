//! `cancel/in-flight`

use crate::rules::prelude::*;

rule! {
    /// A cancellation names a request that was answered long before.
    ///
    /// There is nothing left to cancel, so the sender has lost track of what it waits for.
    ///
    /// An answer that may have crossed the cancellation on the wire does not count.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"copy","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":3,"result":{"content":[]}}
    /// --> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"copy","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":3,"result":{"content":[]}}
    /// === wait 5s
    /// --> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}
    ///                                                                               ^ answered five seconds ago
    /// ```
    /// ```mcp,good,2026-07-28,stdio
    /// --> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"copy","_meta":{…}}}
    /// === wait 5s
    /// --> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}
    /// ```
    /// ```mcp,bad,2026-07-28,stdio
    /// --> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"copy","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","content":[],"_meta":{…}}}
    /// === wait 5s
    /// --> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}
    ///                                                                               ^ answered five seconds ago
    /// ```
    RULE = {
        name: "cancel/in-flight",
        layer: Session,
        level: Error,
        spec: "basic/utilities/cancellation#behavior-requirements",
        help: "cancel a request only while its answer has not come",
        check: Check::Group(&super::notice::GROUP),
    }
}
