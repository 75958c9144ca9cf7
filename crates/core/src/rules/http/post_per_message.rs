//! `http/post-per-message`

use super::media;
use crate::rules::prelude::*;

rule! {
    /// A client sends a message by another HTTP method than POST, or to another place.
    ///
    /// A server takes messages only by POST and only at its one endpoint, so the message is lost.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{}}
    /// --> PUT /mcp #1
    ///     ^^^ messages are sent by POST
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// ```
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// --> POST /mcp #2
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":2,"method":"ping"}
    /// <-- 200 #2
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"result":{}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// --> POST /mcp/ping #2
    ///          ^^^^^^^^^ the endpoint is another one
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":2,"method":"ping"}
    /// <-- 200 #2
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"result":{}}
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> PUT /mcp #1
    ///     ^^^ messages are sent by POST
    ///     …
    ///     accept: application/json, text/event-stream
    ///     content-type: application/json
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// ```
    RULE = {
        name: "http/post-per-message",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_03_26),
        party: Client,
        spec: "basic/transports/streamable-http#sending-messages",
        help: "send each message as the body of a POST to the endpoint of the server",
        check: Check::Http(&[OnHttp::Request], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Part::Request {
        method,
        path,
        headers,
    } = transfer.http.part
    else {
        return;
    };
    let http = &session.state.http;
    if !media::is_message(transfer) || http.has_two_endpoints() {
        return;
    }
    if method != "POST" {
        findings.head(
            Place::RequestLine,
            "a message is sent by another method than POST",
        );
        return;
    }
    // A request that opens a session may be for another server.
    let opens = transfer
        .message
        .and_then(Message::method)
        .is_some_and(|method| matches!(method, "initialize" | "server/discover"));
    if !opens
        && http
            .endpoints
            .is_elsewhere(http.endpoints.place(headers, path))
    {
        findings.head(
            Place::RequestLine,
            "the message goes to another path than the messages before it",
        );
    }
}
