//! `http/accept-both`

use super::media;
use crate::rules::prelude::*;

rule! {
    /// The Accept header of a POST does not list both application/json and text/event-stream.
    ///
    /// The server is free to answer either way, and many servers refuse a client that does not say
    /// that it understands both.
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
    ///     accept: application/json
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^ text/event-stream is missing
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
    ///     accept: text/event-stream
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^ application/json is missing
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// ```
    /// ```mcp,good,2025-03-26,only
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// ```
    /// ```mcp,bad,2025-03-26,only
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     ^^^^ there is no Accept header
    ///     content-type: application/json
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// ```
    RULE = {
        name: "http/accept-both",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_03_26),
        party: Client,
        spec: "basic/transports/streamable-http#sending-messages",
        help: "send `Accept: application/json, text/event-stream` with every POST",
        check: Check::Http(&[OnHttp::Request], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some(headers) = media::posted(transfer, session) else {
        return;
    };
    if media::accepts(headers, media::JSON) && media::accepts(headers, media::EVENTS) {
        return;
    }
    match headers.find("accept") {
        Some((position, _)) => findings.head(
            Place::Header(position),
            "`Accept` does not list both `application/json` and `text/event-stream`",
        ),
        None => findings.head(
            Place::Head,
            "there is no `Accept`, which has to list `application/json` and `text/event-stream`",
        ),
    }
}
