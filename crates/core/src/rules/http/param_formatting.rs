//! `http/param-formatting`

use crate::rules::prelude::*;
use crate::rules::support::{Verdict, each_mirror};

rule! {
    /// An Mcp-Param header has the right value in the wrong spelling.
    ///
    /// Gateways compare the header as text: True is not true, and 3.0 is not 3.
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
    ///     mcp-param-dry: true
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"plant","arguments":{"dry":true},"_meta":{…}}}
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
    ///     mcp-param-dry: True
    ///     ^^^^^^^^^^^^^^^^^^^ true is in lower case
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"plant","arguments":{"dry":true},"_meta":{…}}}
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
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"plant","arguments":{"rows":3},"_meta":{…}}}
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
    ///     mcp-param-rows: 3.0
    ///     ^^^^^^^^^^^^^^^^^^^ an integer is in decimal digits
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"plant","arguments":{"rows":3},"_meta":{…}}}
    /// ```
    RULE = {
        name: "http/param-formatting",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Client,
        spec: "basic/transports/streamable-http#value-encoding",
        code: -32020,
        help: "write integers in decimal digits and booleans as `true` or `false`",
        check: Check::Http(&[OnHttp::Request], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    each_mirror(transfer, session, |_, position, verdict| {
        if verdict == Verdict::Misspelled {
            findings.head(
                Place::Header(position),
                "the header has the value of the argument in another spelling",
            );
        }
    });
}
