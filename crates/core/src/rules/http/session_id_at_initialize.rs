//! `http/session-id-at-initialize`

use crate::rules::prelude::*;
use crate::rules::support::response_head;

rule! {
    /// A new session id comes with another answer than the one to initialize.
    ///
    /// Clients look for an id there and nowhere else: they never send this one, and the server
    /// waits for it.
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
    /// <-- 200 #3
    ///     …
    ///     mcp-session-id: 4f9c1b2e-7d53-4a86-9f0e-2c6b8d1a3e57
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
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/list"}
    /// <-- 200 #3
    ///     …
    ///     mcp-session-id: 4f9c1b2e-7d53-4a86-9f0e-2c6b8d1a3e57
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ no client looks for it here
    ///     {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}
    /// ```
    RULE = {
        name: "http/session-id-at-initialize",
        layer: Http,
        level: Note,
        revisions: RevisionSet::since(Revision::V2025_03_26)
            .intersection(RevisionSet::until(Revision::V2025_11_25)),
        party: Server,
        spec: "basic/transports#session-management",
        help: "send `Mcp-Session-Id` with the answer to `initialize`",
        follows: [rules::inline::UNKNOWN_METHOD],
        check: Check::Http(&[OnHttp::Response], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some((status, headers)) = response_head(transfer) else {
        return;
    };
    let heads = &session.state.http_heads;
    let Some((position, id)) = headers.find("mcp-session-id") else {
        return;
    };
    // Reported once in a session: later responses repeat the fault.
    let Some(pending) = heads.request(transfer).filter(|pending| {
        pending.at_endpoint
            && !pending.initialize
            && !pending.revision.has(Fact::Stateless)
            && !heads.strayed
    }) else {
        return;
    };
    let open = heads.session.as_ref();
    let is_open = open.is_some_and(|open| open.has_id(id));
    if status < 400 && !id.is_empty() && !is_open && !pending.names(id) {
        findings.head(
            Place::Header(position),
            "a new session id outside the answer to `initialize`",
        );
    }
}
