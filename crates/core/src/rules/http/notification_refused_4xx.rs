//! `http/notification-refused-4xx`

use crate::rules::prelude::*;

rule! {
    /// A notification or response that is not accepted is answered with the status of success.
    ///
    /// The client takes it for accepted; the status is all that it looks at, for no message answers
    /// a notification.
    ///
    /// ```mcp,good,2025-11-25,only
    /// === open client:{"roots":{"listChanged":true}} server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}
    /// <-- 400 #1
    ///     …
    ///     {"jsonrpc":"2.0","error":{"code":-32600,"message":"not now"}}
    /// ```
    /// ```mcp,bad,2025-11-25,only
    /// === open client:{"roots":{"listChanged":true}} server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}
    /// <-- 200 #1
    ///     ^^^ says that it was accepted
    ///     …
    ///     {"jsonrpc":"2.0","error":{"code":-32600,"message":"not now"}}
    /// ```
    RULE = {
        name: "http/notification-refused-4xx",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_03_26),
        party: Server,
        spec: "basic/transports/streamable-http#sending-messages",
        help: "refuse with an HTTP error status such as 400",
        check: Check::Http(&[OnHttp::Response], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Part::Response { status, .. } = transfer.http.part else {
        return;
    };
    let Some(exchange) = session
        .state
        .http
        .streamable(transfer)
        .filter(|exchange| exchange.posts())
    else {
        return;
    };
    let is_error = transfer.message.is_some_and(|message| {
        message.sound && message.kind() == MessageKind::Error && message.id().is_none()
    });
    if exchange.posted_no_request() && is_error && (200..300).contains(&status) {
        findings.head(
            Place::Status,
            "an error answers what was posted, but the status says that it was accepted",
        );
    }
    // Nobody can accept an unreadable body: accepting it is a fault of the server.
    if exchange.posted_unreadable() && exchange.at_endpoint && status == 202 {
        findings.head(
            Place::Status,
            "what was posted is no JSON, but the status says that it was accepted",
        );
    }
}
