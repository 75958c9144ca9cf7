//! `pagination/advances`

use crate::rules::prelude::*;

rule! {
    /// A server hands out the cursor that it was given.
    ///
    /// A client that follows it walks in a circle, and never ends if it does not notice.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"add","inputSchema":{"type":"object"}}],"nextCursor":"a"}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"a"}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"sub","inputSchema":{"type":"object"}}],"nextCursor":"b"}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"add","inputSchema":{"type":"object"}}],"nextCursor":"a"}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"a"}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"sub","inputSchema":{"type":"object"}}],"nextCursor":"a"}}
    ///                                                                                                             ^^^ the cursor of this very page
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object"}}],"nextCursor":"a","ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"a","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[{"name":"sub","inputSchema":{"type":"object"}}],"nextCursor":"b","ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object"}}],"nextCursor":"a","ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"a","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[{"name":"sub","inputSchema":{"type":"object"}}],"nextCursor":"a","ttlMs":0,"cacheScope":"public","_meta":{…}}}
    ///                                                                                                                                     ^^^ the cursor of this very page
    /// ```
    RULE = {
        name: "pagination/advances",
        layer: Session,
        level: Note,
        party: Server,
        spec: "server/utilities/pagination#implementation-guidelines",
        help: "give each page a cursor of its own, and the last one none",
        check: Check::Message(
            &[
                On::Result("tools/list"),
                On::Result("prompts/list"),
                On::Result("resources/list"),
                On::Result("resources/templates/list"),
                On::Result("tasks/list"),
            ],
            check,
        ),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let next = message.in_result("nextCursor");
    if let Some(next) = next.filter(|next| session.state.lists.repeats_cursor(message, *next)) {
        findings.at(
            next,
            "`nextCursor` is the cursor that this page was asked for with",
        );
    }
}
