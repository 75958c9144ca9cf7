//! `http/response-content-type`

use super::media;
use crate::rules::prelude::*;

rule! {
    /// A request is answered with something other than application/json or text/event-stream.
    ///
    /// Clients choose by this header how to read the answer, and give up on any other type.
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
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1
    ///     content-type: text/plain
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^ neither of the two
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
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1
    ///     content-type: text/plain
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^ neither of the two
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// ```
    RULE = {
        name: "http/response-content-type",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_03_26),
        party: Server,
        spec: "basic/transports/streamable-http#sending-messages",
        help: "label the answer `application/json`, or `text/event-stream` if it is streamed",
        hidden_by: [rules::auth::STATUS_CODES],
        check: Check::Http(&[OnHttp::Response], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Part::Response {
        status, headers, ..
    } = transfer.http.part
    else {
        return;
    };
    let asks = session.state.http.asking(transfer).is_some();
    // A source without headers shows none; a refusal may have any type.
    if !asks || !(200..300).contains(&status) || headers.0.is_empty() || media::is_faulty(transfer)
    {
        return;
    }
    match headers.find("content-type") {
        Some((_, value))
            if media::is_type(value, media::JSON) || media::is_type(value, media::EVENTS) => {}
        Some((position, _)) => findings.head(
            Place::Header(position),
            "the answer is neither `application/json` nor `text/event-stream`",
        ),
        None => findings.head(Place::Head, "the answer to a request has no `Content-Type`"),
    }
}
