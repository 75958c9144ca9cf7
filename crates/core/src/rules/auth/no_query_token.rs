//! `auth/no-query-token`

use super::query::token_in;
use crate::rules::prelude::*;
use crate::rules::support::request_head;

rule! {
    /// A token is in the URL.
    ///
    /// URLs end up in logs, histories and caches, and whoever reads them has the token.
    ///
    /// ```mcp,good,2025-06-18
    /// --> POST /mcp #1
    ///     …
    ///     authorization: Bearer 8d3f7c1e-opaque
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> POST /mcp?access_token=8d3f7c1e #1
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ for all logs to keep
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{},"prompts":{},"resources":{}}
    /// --> POST /mcp #1
    ///     …
    ///     authorization: Bearer 8d3f7c1e-opaque
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":60000,"cacheScope":"private","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{},"prompts":{},"resources":{}}
    /// --> POST /mcp?access_token=8d3f7c1e #1
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ for all logs to keep
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":60000,"cacheScope":"private","_meta":{…}}}
    /// ```
    RULE = {
        name: "auth/no-query-token",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_03_26),
        party: Client,
        spec: "basic/authorization/index#token-requirements",
        help: "send the token in the `Authorization` header",
        check: Check::Http(&[OnHttp::Request], check),
    }
}

fn check(transfer: &Transfer<'_>, _: &Session, findings: &mut Findings<'_>) {
    if request_head(transfer).is_some_and(|(_, path, _)| token_in(path)) {
        findings.head(
            Place::RequestLine,
            "there is a token in the URL, expected in `Authorization`",
        );
    }
}
