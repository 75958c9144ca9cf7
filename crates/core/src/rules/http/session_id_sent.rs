//! `http/session-id-sent`

use crate::rules::prelude::*;
use crate::rules::support::request_head;
use crate::session::initializes;

rule! {
    /// A request does not have the session id that the server has assigned.
    ///
    /// The server cannot tell whose request it is: it answers 400, or serves it outside the
    /// session.
    ///
    /// ```mcp,good,2025-06-18
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 200 #1
    ///     …
    ///     mcp-session-id: 4f9c1b2e-7d53-4a86-9f0e-2c6b8d1a3e57
    ///     {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"garden","version":"3.1.0"}}}
    /// --> POST /mcp #2
    ///     …
    ///     {"jsonrpc":"2.0","method":"notifications/initialized"}
    /// <-- 202 #2
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 200 #1
    ///     …
    ///     mcp-session-id: 4f9c1b2e-7d53-4a86-9f0e-2c6b8d1a3e57
    ///     {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"garden","version":"3.1.0"}}}
    /// --> POST /mcp #2
    ///     ^^^^^^^^^ the session id is missing
    ///     host: localhost:3000
    ///     accept: application/json, text/event-stream
    ///     content-type: application/json
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","method":"notifications/initialized"}
    /// <-- 202 #2
    /// ```
    /// ```mcp,good,2025-06-18
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 200 #1
    ///     …
    ///     mcp-session-id: 4f9c1b2e-7d53-4a86-9f0e-2c6b8d1a3e57
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
    /// --> GET /mcp #4
    ///     …
    /// <-- 405 #4
    ///     allow: POST, DELETE
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 200 #1
    ///     …
    ///     mcp-session-id: 4f9c1b2e-7d53-4a86-9f0e-2c6b8d1a3e57
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
    /// --> GET /mcp #4
    ///     ^^^^^^^^ also where it listens
    ///     host: localhost:3000
    ///     accept: text/event-stream
    ///     mcp-protocol-version: YYYY-MM-DD
    /// <-- 405 #4
    ///     allow: POST, DELETE
    /// ```
    RULE = {
        name: "http/session-id-sent",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_03_26)
            .intersection(RevisionSet::until(Revision::V2025_11_25)),
        party: Client,
        spec: "basic/transports#session-management",
        help: "send `Mcp-Session-Id` with every request after the answer to `initialize`, GET and DELETE included",
        check: Check::Http(&[OnHttp::Request], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some((method, path, headers)) = request_head(transfer) else {
        return;
    };
    let heads = &session.state.http_heads;
    let is_open = heads
        .session
        .as_ref()
        .is_some_and(|open| open.gone.is_none() && !open.deleted);
    let is_judged = matches!(method, "POST" | "GET" | "DELETE")
        && !headers.0.is_empty()
        && heads.is_endpoint(headers, path);
    // Another id belongs to another session, and `initialize` without an id opens another.
    if is_open
        && is_judged
        && headers.get("mcp-session-id").is_none()
        && !(method == "POST" && initializes(transfer))
    {
        findings.head(
            Place::Head,
            "there is no `Mcp-Session-Id`, although the server has assigned one",
        );
    }
}
