//! `http/notification-202`

use super::media;
use crate::rules::prelude::*;

rule! {
    /// An accepted notification or response is not answered with 202 and an empty body.
    ///
    /// There is nothing to answer it with, so a client that gets anything else takes it for a
    /// failure or waits for a message in it.
    ///
    /// ```mcp,good,2025-06-18
    /// === open client:{"roots":{"listChanged":true}} server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}
    /// <-- 202 #1
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open client:{"roots":{"listChanged":true}} server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}
    /// <-- 200 #1
    ///     ^^^ 202 says that it was accepted
    /// ```
    /// ```mcp,good,2025-06-18
    /// === open client:{"roots":{"listChanged":true}} server:{"tools":{"listChanged":true}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}
    /// <-- 202 #1
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open client:{"roots":{"listChanged":true}} server:{"tools":{"listChanged":true}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}
    /// <-- 202 #1
    ///     …
    ///     {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ no body is expected
    /// ```
    /// ```mcp,good,2025-06-18
    /// === open client:{"roots":{"listChanged":true}} server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1 id:a0
    /// <-- event #1 id:a1
    ///     {"jsonrpc":"2.0","id":"s1","method":"roots/list"}
    /// --> POST /mcp #2
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":"s1","result":{"roots":[]}}
    /// <-- 202 #2
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open client:{"roots":{"listChanged":true}} server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1 id:a0
    /// <-- event #1 id:a1
    ///     {"jsonrpc":"2.0","id":"s1","method":"roots/list"}
    /// --> POST /mcp #2
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":"s1","result":{"roots":[]}}
    /// <-- 204 #2
    ///     ^^^ 202 says that it was accepted
    /// ```
    RULE = {
        name: "http/notification-202",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_03_26),
        party: Server,
        spec: "basic/transports/streamable-http#sending-messages",
        help: "answer a notification or response with 202 and no body",
        check: Check::Http(&[OnHttp::Response], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Part::Response {
        status, streamed, ..
    } = transfer.http.part
    else {
        return;
    };
    let is_notified = session
        .state
        .http
        .streamable(transfer)
        .is_some_and(|exchange| exchange.posts() && exchange.posted_no_request());
    if !is_notified || !(200..300).contains(&status) || media::is_faulty(transfer) {
        return;
    }
    // An error is a refusal with the wrong status, and another rule reports a response that matches
    // no request.
    let answers_nothing = transfer.message.is_some_and(|message| {
        message.kind() == MessageKind::Error
            || message.kind() == MessageKind::Response && message.request.is_none()
    });
    if answers_nothing {
        return;
    }
    if status != 202 {
        findings.head(
            Place::Status,
            "what needs no answer is not answered with 202",
        );
    } else if let Some(message) = transfer.message {
        findings.at(message.root(), "there is a body where none is expected");
    } else if streamed || !transfer.body.is_empty() {
        findings.head(Place::Head, "there is a body where none is expected");
    }
}
