//! `http/mcp-param-matches-body`

use crate::rules::prelude::*;
use crate::rules::support::{Slot, Verdict, each_mirror};

rule! {
    /// An Mcp-Param header has another value than the argument that it repeats.
    ///
    /// A gateway that reads the header acts on another value than the tool, so servers refuse the
    /// call.
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
    ///     …
    ///     mcp-param-bed: south
    ///     ^^^^^^^^^^^^^^^^^^^^ the argument is north
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"plant","arguments":{"bed":"north"},"_meta":{…}}}
    /// ```
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
    ///     mcp-param-rows: 3
    ///     mcp-param-dry: true
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"plant","arguments":{"rows":3,"dry":true},"_meta":{…}}}
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
    ///     …
    ///     mcp-param-rows: 4
    ///     ^^^^^^^^^^^^^^^^^ the argument is 3
    ///     mcp-param-dry: true
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"plant","arguments":{"rows":3,"dry":true},"_meta":{…}}}
    /// ```
    RULE = {
        name: "http/mcp-param-matches-body",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Client,
        spec: "basic/transports/streamable-http#server-behavior-for-custom-headers",
        code: -32020,
        help: "repeat the argument of the body in its `Mcp-Param-` header",
        check: Check::Http(&[OnHttp::Request], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    each_mirror(transfer, session, |slot, position, verdict| {
        if slot == Slot::Argument && verdict == Verdict::Differs {
            findings.head(
                Place::Header(position),
                "the header does not have the value of the argument that it repeats",
            );
        }
    });
}
