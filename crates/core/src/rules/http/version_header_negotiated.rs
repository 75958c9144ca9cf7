//! `http/version-header-negotiated`

use crate::rules::prelude::*;
use crate::rules::support::request_head;
use crate::session::initializes;

rule! {
    /// The MCP-Protocol-Version header has another version than the one that was negotiated.
    ///
    /// The server reads the request by rules that the session was not opened under, or refuses it.
    ///
    /// ```mcp,good,2025-06-18,only
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
    ///     mcp-protocol-version: 2025-06-18
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/list"}
    /// <-- 200 #3
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}
    /// ```
    /// ```mcp,bad,2025-06-18,only
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
    ///     mcp-protocol-version: 2025-11-25
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ 2025-06-18 was negotiated
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/list"}
    /// <-- 200 #3
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}
    /// ```
    RULE = {
        name: "http/version-header-negotiated",
        layer: Http,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2025_06_18)
            .intersection(RevisionSet::until(Revision::V2025_11_25)),
        party: Client,
        spec: "basic/transports#protocol-version-header",
        help: "send the version that the answer to `initialize` names",
        check: Check::Http(&[OnHttp::Request], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some((method, path, headers)) = request_head(transfer) else {
        return;
    };
    let heads = &session.state.http_heads;
    let (Some(negotiated), Some((position, version))) =
        (&heads.negotiated, headers.find("mcp-protocol-version"))
    else {
        return;
    };
    let is_judged = heads.is_endpoint(headers, path) || transfer.message.is_some();
    if is_judged
        && !negotiated.has_name(version.trim())
        && !(method == "POST" && initializes(transfer))
    {
        findings.head(
            Place::Header(position),
            "`MCP-Protocol-Version` is not the negotiated version",
        );
    }
}
