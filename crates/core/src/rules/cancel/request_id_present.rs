//! `cancel/request-id-present`

use crate::rules::prelude::*;

rule! {
    /// A cancellation does not say which request it takes back.
    ///
    /// The receiver can only ignore it, and the work goes on that nobody waits for.
    ///
    /// In all revisions but 2025-11-25 the definition of the notification demands the member, and
    /// its absence is a fault of the shape.
    ///
    /// ```mcp,good,2025-11-25,only
    /// --> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"copy","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3,"reason":"bored"}}
    /// ```
    /// ```mcp,bad,2025-11-25,only
    /// --> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"copy","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"reason":"bored"}}
    ///                                                                  ^^^^^^^^^^^^^^^^^^ `requestId` is missing
    /// ```
    RULE = {
        name: "cancel/request-id-present",
        layer: Session,
        level: Error,
        spec: "schema#cancellednotificationparams",
        help: "name the request in `requestId`",
        check: Check::Group(&super::notice::GROUP),
    }
}
