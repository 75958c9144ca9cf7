//! `resources/updated-only-if-subscribed`

use crate::rules::prelude::*;

rule! {
    /// A server tells of a change of a resource that the client did not subscribe to.
    ///
    /// The client reads what it did not ask for, or takes the notice for a fault.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"resources":{"subscribe":true}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"file:///a.txt"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"file:///a.txt"}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"resources":{"subscribe":true}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"file:///a.txt"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"file:///b.txt"}}
    ///                                                                                 ^^^^^^^^^^^^^^^ never subscribed
    /// ```
    /// ```mcp,good,2025-06-18
    /// === open server:{"resources":{"subscribe":true}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"file:///docs/"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"file:///docs/a.txt"}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"resources/unsubscribe","params":{"uri":"file:///docs/"}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"resources":{"subscribe":true}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"file:///docs/"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"resources/unsubscribe","params":{"uri":"file:///docs/"}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"file:///docs/a.txt"}}
    ///                                                                                 ^^^^^^^^^^^^^^^^^^^^ no longer subscribed
    /// ```
    RULE = {
        name: "resources/updated-only-if-subscribed",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::until(Revision::V2025_11_25),
        party: Server,
        spec: "server/resources#subscriptions",
        help: "notify only subscribers, until they unsubscribe",
        needs: [Subscriptions],
        hidden_by: [rules::resources::URI_VALID],
        follows: [rules::resources::URI_VALID],
        once: [PerSession],
        reveals: RequestOfPeer,
        check: Check::Message(&[On::Call("notifications/resources/updated")], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    // Another rule reports a message without the capability.
    let able = session
        .declared(Party::Server, message)
        .is_none_or(|declared| declared.has(Capability::ResourcesSubscribe));
    let Some(uri) = message.param("uri") else {
        return;
    };
    let lost = session.losses.unread[Direction::ClientToServer as usize] > 0;
    if able
        && !lost
        && session.is_whole(message)
        && session.is_opened_for(message)
        && !session.state.resources.is_subscribed(uri, message)
    {
        findings.at(uri, "the client has not subscribed to this resource");
    }
}
