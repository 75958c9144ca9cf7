//! `tools/list-order`

use crate::rules::prelude::*;
use crate::session::List;

rule! {
    /// An unchanged list of tools comes back in another order.
    ///
    /// Lists become part of prompts, and another order makes caches of prompts useless.
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object"}},{"name":"sub","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object"}},{"name":"sub","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object"}},{"name":"sub","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[{"name":"sub","inputSchema":{"type":"object"}},{"name":"add","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    ///                                                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ it was `add`, `sub` before
    /// ```
    RULE = {
        name: "tools/list-order",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "server/tools#capabilities",
        help: "list tools in a fixed order, for example by name",
        check: Check::Message(&[On::Result("tools/list")], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let lists = &session.state.lists;
    let Some(before) = lists.last(List::Tools) else {
        return;
    };
    let Some((_, now)) = lists.completed(message) else {
        return;
    };
    let unchanged = before.items == now.items && before.count == now.count;
    if unchanged
        && before.order != now.order
        && let Some(list) = message.in_result("tools")
    {
        findings.at(list, "the same tools as before, in another order");
    }
}
