//! `capability/roots-list-changed`

use crate::rules::prelude::*;
use crate::rules::support::method_needs;

rule! {
    /// A client announces changed roots without having declared `roots.listChanged`.
    ///
    /// The receiver does not expect the notice and may drop it, or trip over it.
    ///
    /// ```mcp,good,2025-06-18
    /// === open client:{"roots":{"listChanged":true}}
    /// --> {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open client:{"roots":{}}
    /// --> {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}
    ///                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the client has not declared `roots.listChanged`
    /// ```
    RULE = {
        name: "capability/roots-list-changed",
        layer: Session,
        level: Error,
        recommended: RevisionSet::until(Revision::V2025_03_26),
        revisions: RevisionSet::until(Revision::V2025_11_25),
        party: Client,
        spec: "client/roots#capabilities",
        help: "declare `roots.listChanged`, or send no such notices",
        uses: [Sender(RootsListChanged)],
        check: Check::Message(&[On::Call("notifications/roots/list_changed")], method_needs),
    }
}
