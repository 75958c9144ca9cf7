//! `pagination/missing-is-end`

use crate::rules::prelude::*;

rule! {
    /// A client asks again for the last page instead of ending its walk.
    ///
    /// A page without `nextCursor` is the last. A client that does not see this asks for it over
    /// and over.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"add","inputSchema":{"type":"object"}}],"nextCursor":"page-2"}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"page-2"}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"sub","inputSchema":{"type":"object"}}]}}
    /// --> {"jsonrpc":"2.0","id":3,"method":"tools/list"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"add","inputSchema":{"type":"object"}}],"nextCursor":"page-2"}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"page-2"}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"sub","inputSchema":{"type":"object"}}]}}
    /// --> {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"page-2"}}
    ///                                                                      ^^^^^^^^ its page had no `nextCursor`
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object"}}],"nextCursor":"page-2","ttlMs":60000,"cacheScope":"public","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"page-2","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[{"name":"sub","inputSchema":{"type":"object"}}],"ttlMs":60000,"cacheScope":"public","_meta":{…}}}
    /// === wait 90s
    /// --> {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"page-2","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object"}}],"nextCursor":"page-2","ttlMs":60000,"cacheScope":"public","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"page-2","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[{"name":"sub","inputSchema":{"type":"object"}}],"ttlMs":60000,"cacheScope":"public","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"page-2","_meta":{…}}}
    ///                                                                      ^^^^^^^^ the last page, and still fresh
    /// ```
    RULE = {
        name: "pagination/missing-is-end",
        layer: Session,
        level: Warning,
        party: Client,
        spec: "server/utilities/pagination#implementation-guidelines",
        help: "end the walk when a page has no `nextCursor`",
        check: Check::Group(&super::cursors::GROUP),
    }
}
