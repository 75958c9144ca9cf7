//! `tools/list-changed-sent`

use crate::rules::prelude::*;
use crate::session::Lists;

rule! {
    /// The list of tools has changed without a notice from a server that promised one.
    ///
    /// Clients that rely on `tools.listChanged` go on offering tools that are gone, and never learn
    /// of new ones.
    ///
    /// ```mcp,good,2024-11-05
    /// === open server:{"tools":{"listChanged":true}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"add","inputSchema":{"type":"object"}}]}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"add","inputSchema":{"type":"object"}},{"name":"sub","inputSchema":{"type":"object"}}]}}
    /// ```
    /// ```mcp,bad,2024-11-05
    /// === open server:{"tools":{"listChanged":true}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"add","inputSchema":{"type":"object"}}]}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"add","inputSchema":{"type":"object"}},{"name":"sub","inputSchema":{"type":"object"}}]}}
    ///                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ another list, and nothing was announced
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{"listChanged":true}}
    /// --> {"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":"l"}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"l"}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object"}},{"name":"sub","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{"listChanged":true}}
    /// --> {"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":"l"}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object"}},{"name":"sub","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    ///                                                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ another list, and nothing was announced
    /// ```
    RULE = {
        name: "tools/list-changed-sent",
        layer: Session,
        level: Warning,
        party: Server,
        spec: "server/tools#list-changed-notification",
        help: "send `notifications/tools/list_changed` whenever the list changes, or do not declare `listChanged`",
        needs: [ListChanges],
        check: Check::Message(&[On::Result("tools/list")], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let promised = session
        .declared(Party::Server, message)
        .is_some_and(|declared| declared.has(Capability::ToolsListChanged));
    if !promised {
        return;
    }
    let Some((before, now)) = Lists::unannounced(message, session) else {
        return;
    };
    if before.items != now.items
        && let Some(list) = message.in_result("tools")
    {
        findings.at(
            list,
            "the list has changed since it was last shown, and no notice was sent",
        );
    }
}
