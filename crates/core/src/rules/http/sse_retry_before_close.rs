//! `http/sse-retry-before-close`

use crate::rules::prelude::*;

rule! {
    /// The server drops the connection of a stream that goes on without having sent a retry field.
    ///
    /// The client has to guess when to come back: too soon is a burden to the server, too late
    /// delays the response.
    ///
    /// ```mcp,good,2025-11-25
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1 id:a0
    /// <-- event #1 retry:1000
    /// <-- end #1
    /// === wait 2s
    /// --> GET /mcp #2
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     last-event-id: a0
    /// <-- 200 #2 stream
    ///     …
    /// <-- event #2 id:a1
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1 id:a0
    /// <-- end #1 by:server
    ///     ^^^ nothing says when to come back
    /// === wait 2s
    /// --> GET /mcp #2
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     last-event-id: a0
    /// <-- 200 #2 stream
    ///     …
    /// <-- event #2 id:a1
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// ```
    RULE = {
        name: "http/sse-retry-before-close",
        layer: Http,
        level: Warning,
        revisions: RevisionSet::only(Revision::V2025_11_25),
        party: Server,
        spec: "basic/transports#sending-messages-to-the-server",
        help: "send an event with a `retry` field before the connection is closed",
        follows: [rules::http::SSE_PRIMING_EVENT],
        check: Check::Http(&[OnHttp::End], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let http = &session.state.http;
    let is_untold = http
        .asking(transfer)
        .is_some_and(|exchange| exchange.has_id && exchange.retry.is_none());
    if is_untold && transfer.ended_by(Party::Server) && http.cut_short(transfer, session).is_some()
    {
        findings.head(
            Place::StreamEnd,
            "the connection is closed before the response, and no `retry` field was sent",
        );
    }
}
