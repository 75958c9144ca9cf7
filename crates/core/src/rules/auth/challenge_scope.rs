//! `auth/challenge-scope`

use super::challenge::{challenges, is_stated};
use crate::rules::prelude::*;
use crate::rules::support::{challenge_parameter, response_head};

rule! {
    /// A challenge does not name the scopes that are needed.
    ///
    /// The client has to guess, and asks the user for too many rights or for too few.
    ///
    /// ```mcp,good,2025-11-25
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 401 #1
    ///     www-authenticate: Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource", scope="beds:read"
    /// ```
    /// ```mcp,bad,2025-11-25
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 401 #1
    ///     www-authenticate: Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource"
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ which scope
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{},"prompts":{},"resources":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 401 #1
    ///     www-authenticate: Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource", scope="beds:read"
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{},"prompts":{},"resources":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 401 #1
    ///     www-authenticate: Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource"
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ which scope
    /// ```
    RULE = {
        name: "auth/challenge-scope",
        layer: Http,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2025_11_25),
        party: Server,
        spec: "basic/authorization/index#scope-selection-strategy",
        help: "add `scope` with the scopes of the request to the challenge",
        check: Check::Http(&[OnHttp::Response], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some((401, headers)) = response_head(transfer) else {
        return;
    };
    let names = |(_, challenge): (u16, &str)| challenge_parameter(challenge, "scope").is_some();
    if challenges(headers).any(names) || !is_stated(&RULE, transfer, session) {
        return;
    }
    if let Some((position, _)) = challenges(headers).next() {
        findings.head(
            Place::Header(position),
            "the challenge does not name the scopes that are needed",
        );
    }
}
