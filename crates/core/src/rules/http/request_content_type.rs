//! `http/request-content-type`

use super::media;
use crate::rules::prelude::*;

rule! {
    /// The body of a POST is not labelled application/json.
    ///
    /// The specification does not demand it in so many words, but most servers refuse a body of
    /// another type unread.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     content-type: text/plain
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^ not application/json
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     content-type: text/plain
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^ not application/json
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// ```
    RULE = {
        name: "http/request-content-type",
        layer: Http,
        level: Note,
        revisions: RevisionSet::since(Revision::V2025_03_26),
        party: Client,
        spec: "basic/transports/streamable-http#standard-request-headers",
        help: "send `Content-Type: application/json` with every POST",
        check: Check::Http(&[OnHttp::Request], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some(headers) = media::posted(transfer, session) else {
        return;
    };
    match headers.find("content-type") {
        Some((_, value)) if media::is_type(value, media::JSON) => {}
        Some((position, _)) => findings.head(
            Place::Header(position),
            "the body is labelled with another type than `application/json`",
        ),
        None => findings.head(
            Place::Head,
            "the body has no `Content-Type`, which should be `application/json`",
        ),
    }
}
