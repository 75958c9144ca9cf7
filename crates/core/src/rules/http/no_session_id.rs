//! `http/no-session-id`

use crate::rules::prelude::*;
use crate::rules::support::response_head;

rule! {
    /// A response has a session id, which this revision does not know.
    ///
    /// There are no sessions any more: a client that believes the header keeps to something that
    /// means nothing.
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{},"prompts":{},"resources":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":60000,"cacheScope":"private","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{},"prompts":{},"resources":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1
    ///     …
    ///     mcp-session-id: 4f9c1b2e-7d53-4a86-9f0e-2c6b8d1a3e57
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ nobody needs it
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":60000,"cacheScope":"private","_meta":{…}}}
    /// ```
    RULE = {
        name: "http/no-session-id",
        layer: Http,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "basic/transports/streamable-http#earlier-streamable-http-revisions",
        help: "do not send `Mcp-Session-Id`, not even where the request has one",
        follows: [rules::inline::UNKNOWN_METHOD],
        check: Check::Http(&[OnHttp::Response], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some((_, headers)) = response_head(transfer) else {
        return;
    };
    // If a server speaks both eras, a part without a message belongs to the era of its request.
    let is_stateless = session
        .state
        .http_heads
        .request(transfer)
        .map_or(transfer.message.is_some(), |pending| {
            pending.revision.has(Fact::Stateless) && !pending.initialize
        });
    if let (true, Some((position, _))) = (is_stateless, headers.find("mcp-session-id")) {
        findings.head(
            Place::Header(position),
            "`Mcp-Session-Id` in a revision without sessions",
        );
    }
}
