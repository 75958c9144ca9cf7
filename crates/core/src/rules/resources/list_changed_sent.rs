//! `resources/list-changed-sent`

use crate::rules::prelude::*;
use crate::session::Lists;

rule! {
    /// The list of resources has changed without a notice from a server that promised one.
    ///
    /// Clients that rely on `resources.listChanged` go on with a list that no longer holds.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"resources":{"listChanged":true}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resources":[{"uri":"file:///a.txt","name":"a.txt"}]}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/resources/list_changed"}
    /// --> {"jsonrpc":"2.0","id":2,"method":"resources/list"}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resources":[{"uri":"file:///b.txt","name":"b.txt"}]}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"resources":{"listChanged":true}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/list"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resources":[{"uri":"file:///a.txt","name":"a.txt"}]}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"resources/list"}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resources":[{"uri":"file:///b.txt","name":"b.txt"}]}}
    ///                                                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the list is another one, and nothing was announced
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"resources":{"listChanged":true}}
    /// --> {"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{"notifications":{"resourcesListChanged":true},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"resourcesListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":"l"}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","resources":[{"uri":"file:///a.txt","name":"a.txt"}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/resources/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"l"}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"resources/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","resources":[{"uri":"file:///b.txt","name":"b.txt"}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"resources":{"listChanged":true}}
    /// --> {"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{"notifications":{"resourcesListChanged":true},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"resourcesListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":"l"}}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","resources":[{"uri":"file:///a.txt","name":"a.txt"}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"resources/list","params":{"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","resources":[{"uri":"file:///b.txt","name":"b.txt"}],"ttlMs":0,"cacheScope":"public","_meta":{…}}}
    ///                                                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the list is another one, and nothing was announced
    /// ```
    RULE = {
        name: "resources/list-changed-sent",
        layer: Session,
        level: Warning,
        party: Server,
        spec: "server/resources#list-changed-notification",
        help: "send `notifications/resources/list_changed` whenever the list changes, or do not declare `listChanged`",
        needs: [ListChanges],
        check: Check::Message(&[On::Result("resources/list")], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let promised = session
        .declared(Party::Server, message)
        .is_some_and(|declared| declared.has(Capability::ResourcesListChanged));
    if !promised {
        return;
    }
    let Some((before, now)) = Lists::unannounced(message, session) else {
        return;
    };
    if before.items != now.items
        && let Some(list) = message.in_result("resources")
    {
        findings.at(
            list,
            "the list has changed since it was last shown, and no notice was sent",
        );
    }
}
