//! `roots/list-changed-sent`

use crate::rules::prelude::*;
use crate::session::Lists;

rule! {
    /// The roots have changed without a notice from a client that promised one.
    ///
    /// The server goes on working in folders that it should have left, or misses those that were
    /// added.
    ///
    /// ```mcp,good,2025-06-18
    /// === open client:{"roots":{"listChanged":true}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"roots/list"}
    /// --> {"jsonrpc":"2.0","id":1,"result":{"roots":[{"uri":"file:///home/me/a"}]}}
    /// --> {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}
    /// <-- {"jsonrpc":"2.0","id":2,"method":"roots/list"}
    /// --> {"jsonrpc":"2.0","id":2,"result":{"roots":[{"uri":"file:///home/me/b"}]}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open client:{"roots":{"listChanged":true}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"roots/list"}
    /// --> {"jsonrpc":"2.0","id":1,"result":{"roots":[{"uri":"file:///home/me/a"}]}}
    /// <-- {"jsonrpc":"2.0","id":2,"method":"roots/list"}
    /// --> {"jsonrpc":"2.0","id":2,"result":{"roots":[{"uri":"file:///home/me/b"}]}}
    ///                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the list is another one, and nothing was announced
    /// ```
    RULE = {
        name: "roots/list-changed-sent",
        layer: Session,
        level: Error,
        revisions: RevisionSet::until(Revision::V2025_11_25),
        party: Client,
        spec: "client/roots#root-list-changes",
        help: "send `notifications/roots/list_changed` whenever the roots change, or do not declare `listChanged`",
        needs: [ListChanges],
        check: Check::Message(&[On::Result("roots/list")], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let promised = session
        .declared(Party::Client, message)
        .is_some_and(|declared| declared.has(Capability::RootsListChanged));
    if !promised {
        return;
    }
    let Some((before, now)) = Lists::unannounced(message, session) else {
        return;
    };
    if before.items != now.items
        && let Some(list) = message.in_result("roots")
    {
        findings.at(
            list,
            "the list has changed since it was last shown, and no notice was sent",
        );
    }
}
