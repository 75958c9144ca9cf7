//! `prompts/list-changed-sent`

use crate::rules::prelude::*;
use crate::session::Lists;

rule! {
    /// The list of prompts has changed without a notice from a server that promised one.
    ///
    /// Clients that rely on `prompts.listChanged` go on with a list that no longer holds.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"prompts":{"listChanged":true}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"prompts/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"prompts":[{"name":"greet"}]}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}
    /// --> {"jsonrpc":"2.0","id":2,"method":"prompts/list"}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"prompts":[{"name":"greet"},{"name":"review"}]}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"prompts":{"listChanged":true}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"prompts/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"prompts":[{"name":"greet"}]}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"prompts/list"}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"prompts":[{"name":"greet"},{"name":"review"}]}}
    ///                                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the list is another one, and nothing was announced
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"prompts":{"listChanged":true}}
    /// --> {"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{"notifications":{"promptsListChanged":true},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"promptsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":"l"}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","prompts":[{"name":"greet"}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/prompts/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"l"}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"prompts/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","prompts":[{"name":"greet"},{"name":"review"}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"prompts":{"listChanged":true}}
    /// --> {"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{"notifications":{"promptsListChanged":true},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"promptsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":"l"}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","prompts":[{"name":"greet"}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"prompts/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","prompts":[{"name":"greet"},{"name":"review"}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    ///                                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the list is another one, and nothing was announced
    /// ```
    RULE = {
        name: "prompts/list-changed-sent",
        layer: Session,
        level: Warning,
        party: Server,
        spec: "server/prompts#list-changed-notification",
        help: "send `notifications/prompts/list_changed` whenever the list changes, or do not declare `listChanged`",
        needs: [ListChanges],
        check: Check::Message(&[On::Result("prompts/list")], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let promised = session
        .declared(Party::Server, message)
        .is_some_and(|declared| declared.has(Capability::PromptsListChanged));
    if !promised {
        return;
    }
    let Some((before, now)) = Lists::unannounced(message, session) else {
        return;
    };
    if before.items != now.items
        && let Some(list) = message.in_result("prompts")
    {
        findings.at(
            list,
            "the list has changed since it was last shown, and no notice was sent",
        );
    }
}
