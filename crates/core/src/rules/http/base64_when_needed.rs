//! `http/base64-when-needed`

use crate::rules::prelude::*;
use crate::rules::support::{Verdict, each_mirror};

rule! {
    /// A header has a plain value that only the base64 form can carry.
    ///
    /// Headers are ASCII: other characters and outer spaces are changed on the way, and what looks
    /// like the base64 form is decoded by the receiver.
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{},"prompts":{},"resources":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-name: =?base64?R3LDvMOfZQ==?=
    ///     {"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"Grüße","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{},"prompts":{},"resources":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-name: Grüße
    ///     ^^^^^^^^^^^^^^^ not ASCII
    ///     {"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"Grüße","_meta":{…}}}
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
    ///     mcp-param-bed: =?base64?IG5vcnRo?=
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"plant","arguments":{"bed":" north"},"_meta":{…}}}
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
    ///     mcp-param-bed: north
    ///     ^^^^^^^^^^^^^^^^^^^^ the space is lost
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"plant","arguments":{"bed":" north"},"_meta":{…}}}
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
    ///     mcp-param-bed: =?base64?PT9iYXNlNjQ/Ym05eWRHZz0/PQ==?=
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"plant","arguments":{"bed":"=?base64?bm9ydGg=?="},"_meta":{…}}}
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
    ///     mcp-param-bed: =?base64?bm9ydGg=?=
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ this is decoded to another value
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"plant","arguments":{"bed":"=?base64?bm9ydGg=?="},"_meta":{…}}}
    /// ```
    RULE = {
        name: "http/base64-when-needed",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Client,
        spec: "basic/transports/streamable-http#value-encoding",
        code: -32020,
        help: "send the value as `=?base64?`, the base64 of its UTF-8, and `?=`",
        check: Check::Http(&[OnHttp::Request], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    each_mirror(transfer, session, |_, position, verdict| {
        if verdict == Verdict::Uncoded {
            findings.head(
                Place::Header(position),
                "the value cannot be in a header as it is, expected the base64 form",
            );
        }
    });
}
