//! `capability/resources-list-changed`

use super::notices::notice_needs;
use crate::rules::prelude::*;

rule! {
    /// A server announces changed resources without having declared `resources.listChanged`.
    ///
    /// The receiver does not expect the notice and may drop it, or trip over it.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"resources":{"listChanged":true}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/resources/list_changed"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"resources":{}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/resources/list_changed"}
    ///                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the server has not declared `resources.listChanged`
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"resources":{"listChanged":true}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"resourcesListChanged":true},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"resourcesListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/resources/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"resources":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"resourcesListChanged":true},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"resourcesListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/resources/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    ///                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the server has not declared `resources.listChanged`
    /// ```
    RULE = {
        name: "capability/resources-list-changed",
        layer: Session,
        level: Error,
        recommended: RevisionSet::until(Revision::V2025_03_26),
        party: Server,
        spec: "server/resources#list-changed-notification",
        help: "declare `resources.listChanged`, or send no such notices",
        uses: [Sender(ResourcesListChanged)],
        check: Check::Message(&[On::Call("notifications/resources/list_changed")], notice_needs),
    }
}
