//! `capability/tools-list-changed`

use super::notices::notice_needs;
use crate::rules::prelude::*;

rule! {
    /// A server announces changed tools without having declared `tools.listChanged`.
    ///
    /// The receiver does not expect the notice and may drop it, or trip over it.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{"listChanged":true}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
    ///                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the server has not declared `tools.listChanged`
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{"listChanged":true}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    ///                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the server has not declared `tools.listChanged`
    /// ```
    RULE = {
        name: "capability/tools-list-changed",
        layer: Session,
        level: Error,
        recommended: RevisionSet::until(Revision::V2025_03_26),
        party: Server,
        spec: "server/tools#list-changed-notification",
        help: "declare `tools.listChanged`, or send no such notices",
        uses: [Sender(ToolsListChanged)],
        check: Check::Message(&[On::Call("notifications/tools/list_changed")], notice_needs),
    }
}
