//! `http/session-404-restart`

use crate::rules::prelude::*;
use crate::rules::support::request_head;
use crate::session::{ARRIVAL, initializes};

rule! {
    /// A session that the server has ended is used again.
    ///
    /// After 404 the id means nothing any more: whatever is sent with it is refused, until the
    /// client begins anew without it.
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
    /// --> POST /mcp #3
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/list"}
    /// <-- 404 #3
    /// === wait 5s
    /// --> POST /mcp #4
    ///     host: localhost:3000
    ///     accept: application/json, text/event-stream
    ///     content-type: application/json
    ///     {"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 200 #4
    ///     …
    ///     mcp-session-id: b81d0c6a-52e7-4f3b-8a94-e07d6c1f2b35
    ///     {"jsonrpc":"2.0","id":3,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"garden","version":"3.1.0"}}}
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
    /// <-- 404 #3
    /// === wait 5s
    /// --> POST /mcp #4
    ///     …
    ///     mcp-session-id: 4f9c1b2e-7d53-4a86-9f0e-2c6b8d1a3e57
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the session is over
    ///     {"jsonrpc":"2.0","id":3,"method":"tools/list"}
    /// <-- 404 #4
    /// ```
    RULE = {
        name: "http/session-404-restart",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_03_26)
            .intersection(RevisionSet::until(Revision::V2025_11_25)),
        party: Client,
        spec: "basic/transports#session-management",
        help: "send `initialize` without `Mcp-Session-Id` after a 404",
        check: Check::Http(&[OnHttp::Request], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some((method, _, headers)) = request_head(transfer) else {
        return;
    };
    let (Some(open), Some((position, id))) = (
        &session.state.http_heads.session,
        headers.find("mcp-session-id"),
    ) else {
        return;
    };
    let Some(gone) = open.gone.as_ref().filter(|_| open.has_id(id)) else {
        return;
    };
    // A request that was on its way when the 404 came is no fault, and neither is a client that
    // ends the session.
    let is_late = transfer
        .now
        .since(gone)
        .is_none_or(|passed| passed > ARRIVAL);
    // Another rule reports a second `initialize` with an id.
    let is_second = method == "POST" && initializes(transfer);
    if is_late && method != "DELETE" && !is_second {
        findings.head(
            Place::Header(position),
            "the session is over: the server has answered 404 to its id",
        );
    }
}
