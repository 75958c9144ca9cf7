//! `cancel/http-no-notification`

use crate::rules::prelude::*;

rule! {
    /// A client cancels over HTTP with a notification.
    ///
    /// The notification comes in an exchange of its own, which the server need not connect with the
    /// request, so the work may go on.
    ///
    /// Closing the stream of a response cancels its request.
    ///
    /// ```mcp,good,2026-07-28
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"copy","_meta":{…}}}
    /// <-- 200 #1 stream
    ///     …
    /// --> end #1
    /// ```
    /// ```mcp,bad,2026-07-28
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"copy","_meta":{…}}}
    /// <-- 200 #1 stream
    ///     …
    /// --> POST /mcp #2
    ///     …
    ///     {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}
    ///                               ^^^^^^^^^^^^^^^^^^^^^^^^^ close the stream instead
    /// <-- 202 #2
    /// ```
    RULE = {
        name: "cancel/http-no-notification",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Client,
        spec: "basic/patterns/cancellation#transport-specific-cancellation",
        help: "close the response stream of the request",
        check: Check::Group(&super::notice::GROUP),
    }
}
