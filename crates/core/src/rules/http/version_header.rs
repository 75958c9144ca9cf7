//! `http/version-header`

use crate::rules::prelude::*;
use crate::rules::support::posted_request;

rule! {
    /// A request does not have the MCP-Protocol-Version header.
    ///
    /// Gateways go by the header without reading the body, and servers refuse a request that lacks
    /// it.
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
    ///     ^^^^^^^^^ the version is missing
    ///     host: localhost:3000
    ///     accept: application/json, text/event-stream
    ///     content-type: application/json
    ///     mcp-method: tools/list
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// ```
    RULE = {
        name: "http/version-header",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Client,
        spec: "basic/transports/streamable-http#protocol-version-header",
        code: -32020,
        help: "repeat the protocol version of `_meta` in `MCP-Protocol-Version`",
        hidden_by: [rules::inline::UNKNOWN_METHOD],
        check: Check::Http(&[OnHttp::Request], check),
    }
}

fn check(transfer: &Transfer<'_>, _: &Session, findings: &mut Findings<'_>) {
    let Some((headers, _)) = posted_request(transfer) else {
        return;
    };
    if headers.get("mcp-protocol-version").is_none() {
        findings.head(Place::Head, "there is no `MCP-Protocol-Version`");
    }
}
