//! `http/mcp-param`

use crate::rules::prelude::*;
use crate::rules::support::posted_request;

rule! {
    /// An argument that the tool wants mirrored is not repeated in its Mcp-Param header.
    ///
    /// The server has asked for the header because something on the way goes by it: without it the
    /// call goes astray, or is refused.
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{},"prompts":{},"resources":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"plant","description":"Plants seeds in a bed.","inputSchema":{"type":"object","properties":{"bed":{"type":"string","x-mcp-header":"Bed"},"rows":{"type":"integer","x-mcp-header":"Rows"},"dry":{"type":"boolean","x-mcp-header":"Dry"}}}}],"ttlMs":60000,"cacheScope":"private","_meta":{…}}}
    /// --> POST /mcp #2
    ///     …
    ///     mcp-param-bed: north
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"plant","arguments":{"bed":"north"},"_meta":{…}}}
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
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"plant","description":"Plants seeds in a bed.","inputSchema":{"type":"object","properties":{"bed":{"type":"string","x-mcp-header":"Bed"},"rows":{"type":"integer","x-mcp-header":"Rows"},"dry":{"type":"boolean","x-mcp-header":"Dry"}}}}],"ttlMs":60000,"cacheScope":"private","_meta":{…}}}
    /// --> POST /mcp #2
    ///     ^^^^^^^^^ Mcp-Param-Bed is missing
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"plant","arguments":{"bed":"north"},"_meta":{…}}}
    /// ```
    RULE = {
        name: "http/mcp-param",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Client,
        spec: "basic/transports/streamable-http#custom-headers-from-tool-parameters",
        code: -32020,
        help: "repeat each argument whose schema has `x-mcp-header` in the header `Mcp-Param-` of that name",
        check: Check::Http(&[OnHttp::Request], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Some((headers, message)) = posted_request(transfer) else {
        return;
    };
    let tool = match message.method() {
        Some("tools/call") => message.param("name").and_then(Node::text),
        _ => None,
    };
    let mirrored = tool.and_then(|tool| session.state.http_heads.mirrored(&tool));
    for one in mirrored.into_iter().flatten() {
        let is_primitive = one
            .argument(message.param("arguments"))
            .is_some_and(|value| !matches!(value.kind(), Kind::Array | Kind::Object));
        if is_primitive && !has(headers, &one.header) {
            findings.head(
                Place::Head,
                "an argument that the tool wants mirrored has no `Mcp-Param-` header",
            );
        }
    }
}

fn has(headers: Headers<'_>, wanted: &str) -> bool {
    headers.iter().any(|(_, name, _)| {
        name.split_at_checked("mcp-param-".len())
            .is_some_and(|(prefix, rest)| {
                prefix.eq_ignore_ascii_case("mcp-param-") && rest.eq_ignore_ascii_case(wanted)
            })
    })
}
