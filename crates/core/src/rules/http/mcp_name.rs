//! `http/mcp-name`

use crate::rules::prelude::*;
use crate::rules::support::{mirrored_name, posted_request};

rule! {
    /// A request that names a tool, a prompt or a resource does not have the Mcp-Name header.
    ///
    /// Gateways route and count by the header without reading the body, and servers refuse a
    /// request that lacks it.
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{},"prompts":{},"resources":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"plant","description":"Plants seeds in a bed.","inputSchema":{"type":"object"}}],"ttlMs":60000,"cacheScope":"private","_meta":{…}}}
    /// --> POST /mcp #2
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"plant","_meta":{…}}}
    /// <-- 200 #2
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"done"}],"_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{},"prompts":{},"resources":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"plant","description":"Plants seeds in a bed.","inputSchema":{"type":"object"}}],"ttlMs":60000,"cacheScope":"private","_meta":{…}}}
    /// --> POST /mcp #2
    ///     ^^^^^^^^^ the name of the tool is missing
    ///     host: localhost:3000
    ///     accept: application/json, text/event-stream
    ///     content-type: application/json
    ///     mcp-protocol-version: 2026-07-28
    ///     mcp-method: tools/call
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"plant","_meta":{…}}}
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{},"prompts":{},"resources":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///beds/north.md","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{},"prompts":{},"resources":{}}
    /// --> POST /mcp #1
    ///     ^^^^^^^^^ the URI of the resource is missing
    ///     host: localhost:3000
    ///     accept: application/json, text/event-stream
    ///     content-type: application/json
    ///     mcp-protocol-version: 2026-07-28
    ///     mcp-method: resources/read
    ///     {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///beds/north.md","_meta":{…}}}
    /// ```
    RULE = {
        name: "http/mcp-name",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Client,
        spec: "basic/transports/streamable-http#standard-request-headers",
        code: -32020,
        help: "repeat `params.name` or `params.uri` in `Mcp-Name`",
        check: Check::Http(&[OnHttp::Request], check),
    }
}

fn check(transfer: &Transfer<'_>, _: &Session, findings: &mut Findings<'_>) {
    let Some((headers, message)) = posted_request(transfer) else {
        return;
    };
    if mirrored_name(message).is_some() && headers.get("mcp-name").is_none() {
        findings.head(Place::Head, "there is no `Mcp-Name`");
    }
}
