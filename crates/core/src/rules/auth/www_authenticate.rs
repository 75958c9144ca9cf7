//! `auth/www-authenticate`

use super::challenge::{challenges, is_stated};
use crate::rules::prelude::*;
use crate::rules::support::{challenge_parameter, response_head};

rule! {
    /// A 401 does not say in WWW-Authenticate where the resource metadata is.
    ///
    /// Without it a client does not find the authorization server, and cannot get a token.
    ///
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
    /// <-- 401 #1
    ///     ^^^ where is a token to be had
    ///     content-length: 0
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
    /// <-- 401 #1
    ///     www-authenticate: Bearer scope="beds:read"
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ resource_metadata is missing
    /// ```
    RULE = {
        name: "auth/www-authenticate",
        layer: Http,
        level: Error,
        revisions: RevisionSet::only(Revision::V2025_06_18),
        party: Server,
        spec: "basic/authorization#authorization-server-location",
        help: "answer with `WWW-Authenticate: Bearer resource_metadata=` and the URL of the metadata",
        check: Check::Http(&[OnHttp::Response], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some((401, headers)) = response_head(transfer) else {
        return;
    };
    if headers.0.is_empty() || !is_stated(&RULE, transfer, session) {
        return;
    }
    let tells =
        |(_, challenge): (u16, &str)| challenge_parameter(challenge, "resource_metadata").is_some();
    if challenges(headers).any(tells) {
        return;
    }
    match challenges(headers).next() {
        Some((position, _)) => findings.head(
            Place::Header(position),
            "the challenge has no `resource_metadata`",
        ),
        // Another scheme is another way to authorise clients.
        None if headers.get("www-authenticate").is_some() => {}
        None => findings.head(Place::Status, "a 401 without `WWW-Authenticate`"),
    }
}
