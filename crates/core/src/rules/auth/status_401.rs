//! `auth/401`; a module cannot be named by a number.

use super::challenge::challenges;
use crate::rules::prelude::*;
use crate::rules::support::{challenge_parameter, response_head};

rule! {
    /// A missing or invalid token is not answered with 401.
    ///
    /// Clients renew a token or ask for one when they see 401; after anything else they give up, or
    /// go on as they are.
    ///
    /// ```mcp,good,2025-06-18
    /// --> POST /mcp #1
    ///     …
    ///     authorization: Bearer 8d3f7c1e-opaque
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 401 #1
    ///     www-authenticate: Bearer error="invalid_token", scope="beds:read", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource"
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> POST /mcp #1
    ///     …
    ///     authorization: Bearer 8d3f7c1e-opaque
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 403 #1
    ///     ^^^ 401 says that the token is invalid
    ///     www-authenticate: Bearer error="invalid_token", scope="beds:read", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource"
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{},"prompts":{},"resources":{}}
    /// --> POST /mcp #1
    ///     …
    ///     authorization: Bearer 8d3f7c1e-opaque
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 401 #1
    ///     www-authenticate: Bearer error="invalid_token", scope="beds:read", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource"
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{},"prompts":{},"resources":{}}
    /// --> POST /mcp #1
    ///     …
    ///     authorization: Bearer 8d3f7c1e-opaque
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 403 #1
    ///     ^^^ 401 says that the token is invalid
    ///     www-authenticate: Bearer error="invalid_token", scope="beds:read", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource"
    /// ```
    /// ```mcp,good,2025-06-18
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 401 #1
    ///     www-authenticate: Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource", scope="beds:read"
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 200 #1
    ///     ^^^ the client takes the request for served
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"Missing bearer token"}}
    /// ```
    RULE = {
        name: "auth/401",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_03_26),
        party: Server,
        spec: "basic/authorization/index#token-handling",
        help: "answer with 401 and `WWW-Authenticate`",
        check: Check::Http(&[OnHttp::Response], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some((status, headers)) = response_head(transfer) else {
        return;
    };
    let is_invalid = |(_, challenge): (u16, &str)| {
        challenge_parameter(challenge, "error") == Some("invalid_token")
    };
    if status != 401 && challenges(headers).any(is_invalid) {
        findings.head(
            Place::Status,
            "an invalid token is refused with another status than 401",
        );
        return;
    }
    let lacked = session
        .state
        .http_heads
        .request(transfer)
        .is_some_and(|pending| !pending.authorised);
    if status == 200 && lacked && transfer.message.is_some_and(wants_token) {
        findings.head(
            Place::Status,
            "a request without a token is refused with 200, expected 401",
        );
    }
}

/// Phrases in errors that refuse a request without a token.
const PHRASES: [&str; 8] = [
    "unauthorized",
    "missing bearer token",
    "missing access token",
    "missing authorization header",
    "bearer token required",
    "bearer token is required",
    "access token required",
    "authorization header required",
];

/// Whether an error refuses a request because it has no token. A tool, a prompt or a resource may
/// need the token of another service.
fn wants_token(message: &Message<'_>) -> bool {
    if matches!(
        message.method(),
        None | Some("tools/call" | "prompts/get" | "resources/read")
    ) {
        return false;
    }
    let said = message
        .exchange
        .envelope
        .error()
        .and_then(|error| error.get("message"))
        .and_then(Node::text)
        .unwrap_or_default();
    let said = said.trim().trim_end_matches(['.', '!']);
    let said = said
        .split_once(": ")
        .filter(|(before, _)| before.eq_ignore_ascii_case("unauthorized"))
        .map_or(said, |(before, _)| before);
    PHRASES
        .iter()
        .any(|phrase| said.eq_ignore_ascii_case(phrase))
}
