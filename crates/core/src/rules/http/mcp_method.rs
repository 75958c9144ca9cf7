//! `http/mcp-method`

use crate::rules::prelude::*;
use crate::rules::support::posted_request;

rule! {
    /// A request does not have the Mcp-Method header.
    ///
    /// Gateways route by the header without reading the body, and servers refuse a request that
    /// lacks it.
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
    ///     ^^^^^^^^^ the method is missing
    ///     host: localhost:3000
    ///     accept: application/json, text/event-stream
    ///     content-type: application/json
    ///     mcp-protocol-version: 2026-07-28
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// ```
    RULE = {
        name: "http/mcp-method",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Client,
        spec: "basic/transports/streamable-http#standard-request-headers",
        code: -32020,
        help: "repeat the method of the body in `Mcp-Method`",
        hidden_by: [rules::inline::UNKNOWN_METHOD],
        check: Check::Http(&[OnHttp::Request], check),
    }
}

fn check(transfer: &Transfer<'_>, _: &Session, findings: &mut Findings<'_>) {
    let Some((headers, _)) = posted_request(transfer) else {
        return;
    };
    if headers.get("mcp-method").is_none() {
        findings.head(Place::Head, "there is no `Mcp-Method`");
    }
}
