//! `http/refusal-body-no-id`

use crate::rules::prelude::*;

rule! {
    /// The error that refuses a notification or a response has an id.
    ///
    /// The client takes it for the answer to the request with this id, and gives that one up.
    ///
    /// ```mcp,good,2025-06-18
    /// === open client:{"roots":{"listChanged":true}} server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// --> POST /mcp #2
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}
    /// <-- 500 #2
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open client:{"roots":{"listChanged":true}} server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// --> POST /mcp #2
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}
    /// <-- 500 #2
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"not now"}}
    ///                           ^ belongs to a request that was posted elsewhere
    /// ```
    /// ```mcp,good,2025-11-25,only
    /// === open client:{"roots":{"listChanged":true}} server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// --> POST /mcp #2
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}
    /// <-- 500 #2
    ///     …
    ///     {"jsonrpc":"2.0","error":{"code":-32603,"message":"not now"}}
    /// ```
    /// ```mcp,bad,2025-11-25,only
    /// === open client:{"roots":{"listChanged":true}} server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// --> POST /mcp #2
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}
    /// <-- 500 #2
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"not now"}}
    ///                           ^ belongs to a request that was posted elsewhere
    /// ```
    RULE = {
        name: "http/refusal-body-no-id",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_03_26),
        party: Server,
        spec: "basic/transports/streamable-http#sending-messages",
        help: "leave the `id` out of the error",
        check: Check::Http(&[OnHttp::Response], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Part::Response { status, .. } = transfer.http.part else {
        return;
    };
    let is_refused = status >= 400
        && session
            .state
            .http
            .streamable(transfer)
            .is_some_and(|exchange| exchange.posts() && exchange.posted_no_request());
    // Another rule reports an id that matches no request.
    let error = transfer.message.filter(|message| {
        message.sound && message.kind() == MessageKind::Error && message.request.is_some()
    });
    if is_refused && let Some(id) = error.and_then(Message::id) {
        findings.at(
            id,
            "the error refuses what is no request, but has the id of a request",
        );
    }
}
