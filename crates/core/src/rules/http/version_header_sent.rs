//! `http/version-header-sent`

use crate::rules::prelude::*;
use crate::rules::support::request_head;
use crate::session::{Phase, initializes};

rule! {
    /// A request after the handshake does not have the MCP-Protocol-Version header.
    ///
    /// A server that finds no header takes the request for one of 2025-03-26, and reads it by other
    /// rules.
    ///
    /// ```mcp,good,2025-06-18
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"garden","version":"3.1.0"}}}
    /// --> POST /mcp #2
    ///     …
    ///     {"jsonrpc":"2.0","method":"notifications/initialized"}
    /// <-- 202 #2
    /// --> POST /mcp #3
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/list"}
    /// <-- 200 #3
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"garden","version":"3.1.0"}}}
    /// --> POST /mcp #2
    ///     …
    ///     {"jsonrpc":"2.0","method":"notifications/initialized"}
    /// <-- 202 #2
    /// --> POST /mcp #3
    ///     ^^^^^^^^^ the negotiated version is missing
    ///     host: localhost:3000
    ///     accept: application/json, text/event-stream
    ///     content-type: application/json
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/list"}
    /// <-- 200 #3
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}
    /// ```
    RULE = {
        name: "http/version-header-sent",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_06_18)
            .intersection(RevisionSet::until(Revision::V2025_11_25)),
        party: Client,
        spec: "basic/transports#protocol-version-header",
        help: "send `MCP-Protocol-Version` with the negotiated version on every request after `initialize`",
        needs: [AgreedRevision],
        hidden_by: [rules::inline::UNKNOWN_METHOD],
        check: Check::Http(&[OnHttp::Request], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some((method, path, headers)) = request_head(transfer) else {
        return;
    };
    let heads = &session.state.http_heads;
    let is_judged = matches!(method, "POST" | "GET" | "DELETE")
        && !headers.0.is_empty()
        && (heads.is_endpoint(headers, path) || transfer.message.is_some());
    if is_judged
        && session.handshake.phase >= Phase::Answered
        && headers.get("mcp-protocol-version").is_none()
        && !session.state.http.has_two_endpoints()
        && !(method == "POST" && initializes(transfer))
    {
        findings.head(
            Place::Head,
            "there is no `MCP-Protocol-Version`, although the version is negotiated",
        );
    }
}
