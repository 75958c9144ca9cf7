//! `pagination/cursor-same-list`

use crate::rules::prelude::*;

rule! {
    /// A client sends the cursor of one list with the request for another.
    ///
    /// A cursor means nothing outside the list that showed it: some servers refuse it, others show
    /// any page.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{},"resources":{}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"resources/list"}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resources":[{"uri":"file:///a.txt","name":"a"}],"nextCursor":"r-2"}}
    /// --> {"jsonrpc":"2.0","id":3,"method":"resources/list","params":{"cursor":"r-2"}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{},"resources":{}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"resources/list"}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resources":[{"uri":"file:///a.txt","name":"a"}],"nextCursor":"r-2"}}
    /// --> {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"r-2"}}
    ///                                                                      ^^^^^ a cursor of `resources/list`
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{},"resources":{}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"resources/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","resources":[{"uri":"file:///a.txt","name":"a"}],"nextCursor":"r-2","ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":3,"method":"resources/list","params":{"cursor":"r-2","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{},"resources":{}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"resources/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","resources":[{"uri":"file:///a.txt","name":"a"}],"nextCursor":"r-2","ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"r-2","_meta":{…}}}
    ///                                                                      ^^^^^ a cursor of `resources/list`
    /// ```
    RULE = {
        name: "pagination/cursor-same-list",
        layer: Session,
        level: Note,
        party: Client,
        spec: "server/utilities/pagination#request-format",
        code: -32602,
        help: "send a cursor only with the method whose result showed it",
        needs: [Cursors],
        check: Check::Group(&super::cursors::GROUP),
    }
}
