//! `auth/bearer-header`

use crate::rules::prelude::*;
use crate::rules::support::request_head;
use crate::session::{is_bearer, key_header};

rule! {
    /// A token is not sent in the Authorization header with the Bearer scheme.
    ///
    /// The server looks for it there and nowhere else: the request counts as one without a token.
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
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 401 #1
    ///     www-authenticate: Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource", scope="beds:read"
    /// --> POST /mcp #2
    ///     …
    ///     x-api-key: 8d3f7c1e-opaque
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^ not where the server looks
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
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
    ///     x-api-key: 8d3f7c1e-opaque
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^ not where the server looks
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// ```
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
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 401 #1
    ///     www-authenticate: Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource", scope="beds:read"
    /// --> POST /mcp #2
    ///     …
    ///     authorization: Token 8d3f7c1e-opaque
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ another scheme
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// ```
    RULE = {
        name: "auth/bearer-header",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_03_26),
        party: Client,
        spec: "basic/authorization/index#token-requirements",
        help: "send `Authorization: Bearer` and the token",
        check: Check::Http(&[OnHttp::Request], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some((_, path, headers)) = request_head(transfer) else {
        return;
    };
    let heads = &session.state.http_heads;
    if !heads.has_challenged(headers, path) {
        return;
    }
    match headers.find("authorization") {
        Some((position, value)) if !is_bearer(value) && !is_bound(value) => findings.head(
            Place::Header(position),
            "the server has asked for a bearer token, and `Authorization` has another scheme",
        ),
        None if !heads.keyed => key_instead(headers, findings),
        _ => {}
    }
}

/// Reports a key in another header that was absent before the server demanded a token: it is the
/// token.
fn key_instead(headers: Headers<'_>, findings: &mut Findings<'_>) {
    if let Some(position) = key_header(headers) {
        findings.head(
            Place::Header(position),
            "the server has asked for a bearer token, which is in another header than `Authorization`",
        );
    }
}

/// Whether a token is bound to a key, which has a scheme of its own (RFC 9449).
fn is_bound(value: &str) -> bool {
    let scheme = value.trim_start().split(' ').next();
    scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("dpop"))
}
