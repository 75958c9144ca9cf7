//! `auth/status-codes`

use super::challenge::challenges;
use crate::rules::prelude::*;
use crate::rules::support::{challenge_parameter, response_head};

rule! {
    /// The status does not fit the reason for which the server refuses a token.
    ///
    /// Clients go by the status: 401 makes them renew a token that is fine, where 403 tells them to
    /// ask for more rights and 400 that the request is malformed.
    ///
    /// ```mcp,good,2025-06-18
    /// --> POST /mcp #1
    ///     …
    ///     authorization: Bearer 8d3f7c1e-opaque
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 403 #1
    ///     www-authenticate: Bearer error="insufficient_scope", scope="beds:write", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource"
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> POST /mcp #1
    ///     …
    ///     authorization: Bearer 8d3f7c1e-opaque
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 401 #1
    ///     ^^^ 403 goes with insufficient_scope
    ///     www-authenticate: Bearer error="insufficient_scope", scope="beds:write", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource"
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{},"prompts":{},"resources":{}}
    /// --> POST /mcp #1
    ///     …
    ///     authorization: Bearer 8d3f7c1e-opaque
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 403 #1
    ///     www-authenticate: Bearer error="insufficient_scope", scope="beds:write", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource"
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{},"prompts":{},"resources":{}}
    /// --> POST /mcp #1
    ///     …
    ///     authorization: Bearer 8d3f7c1e-opaque
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 401 #1
    ///     ^^^ 403 goes with insufficient_scope
    ///     www-authenticate: Bearer error="insufficient_scope", scope="beds:write", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource"
    /// ```
    /// ```mcp,good,2025-06-18
    /// --> POST /mcp #1
    ///     …
    ///     authorization: Bearer 8d3f7c1e-opaque
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 400 #1
    ///     www-authenticate: Bearer error="invalid_request", scope="beds:read", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource"
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> POST /mcp #1
    ///     …
    ///     authorization: Bearer 8d3f7c1e-opaque
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 401 #1
    ///     ^^^ 400 goes with invalid_request
    ///     www-authenticate: Bearer error="invalid_request", scope="beds:read", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource"
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{},"prompts":{},"resources":{}}
    /// --> POST /mcp #1
    ///     …
    ///     authorization: Bearer 8d3f7c1e-opaque
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 400 #1
    ///     www-authenticate: Bearer error="invalid_request", scope="beds:read", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource"
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{},"prompts":{},"resources":{}}
    /// --> POST /mcp #1
    ///     …
    ///     authorization: Bearer 8d3f7c1e-opaque
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 401 #1
    ///     ^^^ 400 goes with invalid_request
    ///     www-authenticate: Bearer error="invalid_request", scope="beds:read", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource"
    /// ```
    RULE = {
        name: "auth/status-codes",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_03_26),
        party: Server,
        spec: "basic/authorization/index#error-handling",
        help: "answer with 403 where rights are missing, and with 400 where the request is malformed",
        check: Check::Http(&[OnHttp::Response], check),
    }
}

fn check(transfer: &Transfer<'_>, _: &Session, findings: &mut Findings<'_>) {
    let Some((status, headers)) = response_head(transfer) else {
        return;
    };
    let error =
        challenges(headers).find_map(|(_, challenge)| challenge_parameter(challenge, "error"));
    match error {
        Some("insufficient_scope") if status != 403 => findings.head(
            Place::Status,
            "insufficient rights are refused with another status than 403",
        ),
        Some("invalid_request") if status != 400 => findings.head(
            Place::Status,
            "a malformed request is refused with another status than 400",
        ),
        _ => {}
    }
}
