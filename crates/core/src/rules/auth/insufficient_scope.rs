//! `auth/insufficient-scope`

use super::challenge::{challenges, is_stated};
use crate::rules::prelude::*;
use crate::rules::support::{challenge_parameter, response_head};

rule! {
    /// A token with too little scope is refused without saying what is missing.
    ///
    /// The client cannot ask the user for the right that it lacks, and gives up where one click
    /// would do.
    ///
    /// ```mcp,good,2025-11-25
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 401 #1
    ///     www-authenticate: Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource", scope="beds:read"
    /// --> POST /mcp #2
    ///     …
    ///     authorization: Bearer 8d3f7c1e-opaque
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 403 #2
    ///     www-authenticate: Bearer error="insufficient_scope", scope="beds:write", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource"
    /// ```
    /// ```mcp,bad,2025-11-25
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 401 #1
    ///     www-authenticate: Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource", scope="beds:read"
    /// --> POST /mcp #2
    ///     …
    ///     authorization: Bearer 8d3f7c1e-opaque
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 403 #2
    ///     www-authenticate: Bearer error="insufficient_scope"
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ which scopes would do
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
    /// <-- 403 #2
    ///     www-authenticate: Bearer error="insufficient_scope", scope="beds:write", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource"
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
    /// <-- 403 #2
    ///     www-authenticate: Bearer error="insufficient_scope"
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ which scopes would do
    /// ```
    /// ```mcp,good,2025-11-25
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 401 #1
    ///     www-authenticate: Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource", scope="beds:read"
    /// --> POST /mcp #2
    ///     …
    ///     authorization: Bearer 8d3f7c1e-opaque
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 403 #2
    ///     www-authenticate: Bearer error="insufficient_scope", scope="beds:write", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource"
    /// ```
    /// ```mcp,bad,2025-11-25
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 401 #1
    ///     www-authenticate: Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource", scope="beds:read"
    /// --> POST /mcp #2
    ///     …
    ///     authorization: Bearer 8d3f7c1e-opaque
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 403 #2
    ///     ^^^ no challenge
    ///     content-length: 0
    /// ```
    RULE = {
        name: "auth/insufficient-scope",
        layer: Http,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2025_11_25),
        party: Server,
        spec: "basic/authorization/index#runtime-insufficient-scope-errors",
        help: "answer with 403 and `WWW-Authenticate: Bearer error=\"insufficient_scope\"` with `scope` and `resource_metadata`",
        check: Check::Http(&[OnHttp::Response], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some((403, headers)) = response_head(transfer) else {
        return;
    };
    if !is_stated(&RULE, transfer, session) {
        return;
    }
    if let Some((position, challenge)) = challenges(headers).next() {
        let has = |name| challenge_parameter(challenge, name).is_some();
        let is_meant = matches!(
            challenge_parameter(challenge, "error"),
            None | Some("insufficient_scope")
        );
        if is_meant && !(has("error") && has("scope") && has("resource_metadata")) {
            findings.head(
                Place::Header(position),
                "the challenge lacks `error`, `scope` or `resource_metadata`",
            );
        }
        return;
    }
    let heads = &session.state.http_heads;
    // A server also refuses a foreign origin, and many other requests, with 403.
    let is_about_token = heads
        .request(transfer)
        .is_some_and(|pending| heads.wants_token(pending) && pending.authorised && !pending.origin);
    if is_about_token && !headers.0.is_empty() && headers.get("www-authenticate").is_none() {
        findings.head(
            Place::Status,
            "a request with a token is refused with 403 and no `WWW-Authenticate`",
        );
    }
}
