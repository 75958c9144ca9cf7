//! `capability/prompts-list-changed`

use super::notices::notice_needs;
use crate::rules::prelude::*;

rule! {
    /// A server announces changed prompts without having declared `prompts.listChanged`.
    ///
    /// The receiver does not expect the notice and may drop it, or trip over it.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"prompts":{"listChanged":true}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"prompts":{}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}
    ///                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the server has not declared `prompts.listChanged`
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"prompts":{"listChanged":true}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"promptsListChanged":true},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"promptsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/prompts/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"prompts":{}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"promptsListChanged":true},"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"promptsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/prompts/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
    ///                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the server has not declared `prompts.listChanged`
    /// ```
    RULE = {
        name: "capability/prompts-list-changed",
        layer: Session,
        level: Error,
        recommended: RevisionSet::until(Revision::V2025_03_26),
        party: Server,
        spec: "server/prompts#list-changed-notification",
        help: "declare `prompts.listChanged`, or send no such notices",
        uses: [Sender(PromptsListChanged)],
        check: Check::Message(&[On::Call("notifications/prompts/list_changed")], notice_needs),
    }
}
