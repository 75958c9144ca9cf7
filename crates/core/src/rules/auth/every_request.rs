//! `auth/every-request`

use super::query::token_in;
use crate::rules::prelude::*;
use crate::rules::support::request_head;
use crate::session::{initializes, key_header};

rule! {
    /// A request does not have the token that others of the same client have.
    ///
    /// A server does not store a token: each request is authorised by itself, also within one
    /// session.
    ///
    /// ```mcp,good,2025-06-18
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 401 #1
    ///     www-authenticate: Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource", scope="beds:read"
    /// --> POST /mcp #2
    ///     …
    ///     authorization: Bearer 8d3f7c1e-opaque
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 200 #2
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"garden","version":"3.1.0"}}}
    /// --> POST /mcp #3
    ///     …
    ///     authorization: Bearer 8d3f7c1e-opaque
    ///     {"jsonrpc":"2.0","method":"notifications/initialized"}
    /// <-- 202 #3
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 401 #1
    ///     www-authenticate: Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource", scope="beds:read"
    /// --> POST /mcp #2
    ///     …
    ///     authorization: Bearer 8d3f7c1e-opaque
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 200 #2
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"garden","version":"3.1.0"}}}
    /// --> POST /mcp #3
    ///     ^^^^^^^^^ the token is missing
    ///     …
    ///     {"jsonrpc":"2.0","method":"notifications/initialized"}
    /// <-- 202 #3
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{},"prompts":{},"resources":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 401 #1
    ///     www-authenticate: Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource", scope="beds:read"
    /// --> POST /mcp #2
    ///     …
    ///     authorization: Bearer 8d3f7c1e-opaque
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #2
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":60000,"cacheScope":"private","_meta":{…}}}
    /// --> POST /mcp #3
    ///     …
    ///     authorization: Bearer 8d3f7c1e-opaque
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #3
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[],"ttlMs":60000,"cacheScope":"private","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{},"prompts":{},"resources":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 401 #1
    ///     www-authenticate: Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource", scope="beds:read"
    /// --> POST /mcp #2
    ///     …
    ///     authorization: Bearer 8d3f7c1e-opaque
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #2
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":60000,"cacheScope":"private","_meta":{…}}}
    /// --> POST /mcp #3
    ///     ^^^^^^^^^ the token is missing
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{…}}}
    /// ```
    RULE = {
        name: "auth/every-request",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_03_26),
        party: Client,
        spec: "basic/authorization/index#token-requirements",
        help: "send `Authorization` with every request, GET and DELETE included",
        check: Check::Http(&[OnHttp::Request], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some((method, path, headers)) = request_head(transfer) else {
        return;
    };
    let heads = &session.state.http_heads;
    let is_judged = matches!(method, "POST" | "GET" | "DELETE")
        && heads.authorised
        && heads.has_challenged(headers, path)
        && headers.get("authorization").is_none();
    // A request that opens another session, or reads the metadata, may come from another client.
    let is_another = method == "POST"
        && (initializes(transfer)
            || transfer
                .message
                .is_some_and(|message| message.method() == Some("server/discover")));
    // Another rule reports a token in the wrong place.
    let is_elsewhere = token_in(path) || (!heads.keyed && key_header(headers).is_some());
    if is_judged && !is_another && !is_elsewhere {
        findings.head(
            Place::Head,
            "there is no `Authorization`, although the server has asked for a token",
        );
    }
}
