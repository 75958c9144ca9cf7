//! `http/base64-form`

use crate::rules::prelude::*;
use crate::rules::support::{Verdict, each_mirror};

rule! {
    /// The base64 form of a header value is not well formed.
    ///
    /// It begins with `=?base64?` in lower case, ends with `?=` and has base64 of UTF-8 in between;
    /// anything else is taken for the value itself.
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
    ///     mcp-name: =?base64?cGxhbnQ=?=
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
    ///     …
    ///     mcp-name: =?BASE64?cGxhbnQ=?=
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ not in lower case
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"plant","_meta":{…}}}
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
    ///     mcp-param-bed: =?base64?bm9ydGg=?=
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
    ///     mcp-param-bed: =?base64?bm9ydGg?=
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the padding is missing
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"plant","arguments":{"bed":"north"},"_meta":{…}}}
    /// ```
    RULE = {
        name: "http/base64-form",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Client,
        spec: "basic/transports/streamable-http#value-encoding",
        code: -32020,
        help: "write `=?base64?`, the padded base64 of the UTF-8, and `?=`",
        check: Check::Http(&[OnHttp::Request], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    each_mirror(transfer, session, |_, position, verdict| {
        if verdict == Verdict::Malformed {
            findings.head(
                Place::Header(position),
                "this looks like the base64 form and is not",
            );
        }
    });
}
