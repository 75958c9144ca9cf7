//! `cancel/own-request`

use crate::rules::prelude::*;

rule! {
    /// A cancellation names a request that its sender never sent.
    ///
    /// Ids are counted by each side for itself: the receiver finds nothing to cancel, or the wrong
    /// request.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"copy","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"copy","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}
    ///                                                                               ^ no such request
    /// ```
    ///
    /// The request of the other side is refused with an error, not cancelled.
    ///
    /// ```mcp,good,2025-06-18
    /// === open client:{"roots":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"roots/list"}
    /// <-- {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open client:{"roots":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"roots/list"}
    /// --> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
    ///                                                                               ^ the server's request
    /// ```
    RULE = {
        name: "cancel/own-request",
        layer: Session,
        level: Error,
        spec: "basic/utilities/cancellation#behavior-requirements",
        help: "cancel only requests of your own, by the id that they were sent with",
        needs: [RequestIds],
        follows: [
            rules::progress::TOKEN_KNOWN,
            rules::logging::OPT_IN,
            rules::subscriptions::ID_MATCHES,
        ],
        reveals: RequestOfSender,
        check: Check::Group(&super::notice::GROUP),
    }
}
