//! `auth/no-offline-access`

use super::challenge::challenges;
use crate::rules::prelude::*;
use crate::rules::support::{challenge_parameter, response_head};

rule! {
    /// A server asks for the scope `offline_access`.
    ///
    /// The renewal of a token is a matter of the client and the authorization server; the resource
    /// has no use for the scope, and users are asked for more than is needed.
    ///
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
    ///     www-authenticate: Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource", scope="beds:read offline_access"
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ not for the server to ask
    /// ```
    RULE = {
        name: "auth/no-offline-access",
        layer: Http,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "basic/authorization/index#refresh-tokens",
        help: "leave `offline_access` out of challenges and of `scopes_supported`",
        check: Check::Http(&[OnHttp::Response], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some((_, headers)) = response_head(transfer) else {
        return;
    };
    for (position, challenge) in challenges(headers) {
        let scope = challenge_parameter(challenge, "scope").unwrap_or_default();
        if scope.split(' ').any(|scope| scope == "offline_access") {
            findings.head(
                Place::Header(position),
                "the challenge asks for `offline_access`",
            );
        }
    }
    let is_metadata = session
        .state
        .http_heads
        .request(transfer)
        .is_some_and(|pending| pending.metadata);
    if is_metadata && lists_offline_access(transfer.body) {
        findings.head(
            Place::Head,
            "`scopes_supported` of the resource metadata lists `offline_access`",
        );
    }
}

/// Searches the list by its name: the metadata of a resource is no message, so it is not on the
/// tape.
fn lists_offline_access(body: &[u8]) -> bool {
    let Some(start) = memchr::memmem::find(body, b"\"scopes_supported\"") else {
        return false;
    };
    let list = body.get(start..).unwrap_or_default();
    let end = memchr::memchr(b']', list).unwrap_or(list.len());
    let list = list.get(..end).unwrap_or_default();
    memchr::memmem::find(list, b"\"offline_access\"").is_some()
}
