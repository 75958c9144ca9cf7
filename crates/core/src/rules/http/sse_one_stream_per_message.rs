//! `http/sse-one-stream-per-message`

use crate::rules::prelude::*;

rule! {
    /// The same message goes out on two streams of a session.
    ///
    /// The client reads both and handles the message twice.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{"listChanged":true}}
    /// --> GET /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    /// <-- 200 #1 stream
    ///     …
    /// --> GET /mcp #2
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    /// <-- 200 #2 stream
    ///     …
    /// <-- event #1 id:a1
    ///     {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{"listChanged":true}}
    /// --> GET /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    /// <-- 200 #1 stream
    ///     …
    /// --> GET /mcp #2
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    /// <-- 200 #2 stream
    ///     …
    /// <-- event #1 id:a1
    ///     {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
    /// <-- event #2 id:b1
    ///     {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
    ///                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ was sent on another stream
    /// ```
    RULE = {
        name: "http/sse-one-stream-per-message",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_03_26)
            .intersection(RevisionSet::until(Revision::V2025_11_25)),
        party: Server,
        spec: "basic/transports#multiple-connections",
        help: "choose one of the open streams for each message",
        check: Check::Http(&[OnHttp::Event], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let http = &session.state.http;
    let Some(message) = transfer.message else {
        return;
    };
    // Repeated requests and responses are detected by their ids.
    if message.kind() != MessageKind::Notification {
        return;
    }
    let exchange = http
        .streamable(transfer)
        .filter(|exchange| !exchange.resumes);
    if exchange.is_some_and(|exchange| http.went_elsewhere(transfer, exchange, session)) {
        findings.at(
            message.method_or_root(),
            "the same notification was just sent on another stream",
        );
    }
}
