//! `pagination/cursor-opaque`

use crate::rules::prelude::*;

rule! {
    /// A client sends a cursor that no page has shown.
    ///
    /// A cursor means something to its server alone. One that is made up or changed is refused, or
    /// leads to the wrong page.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"add","inputSchema":{"type":"object"}}],"nextCursor":"cGFnZTI="}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"cGFnZTI="}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"add","inputSchema":{"type":"object"}}],"nextCursor":"page-2"}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"page-3"}}
    ///                                                                      ^^^^^^^^ no page has shown this cursor
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object"}}],"nextCursor":"page-2","ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"page-2","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object"}}],"nextCursor":"page-2","ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"2","_meta":{…}}}
    ///                                                                      ^^^ a part of the cursor
    /// ```
    RULE = {
        name: "pagination/cursor-opaque",
        layer: Session,
        level: Error,
        party: Client,
        spec: "server/utilities/pagination#implementation-guidelines",
        code: -32602,
        help: "send `nextCursor` back as it was received",
        needs: [Cursors],
        check: Check::Group(&super::cursors::GROUP),
    }
}
