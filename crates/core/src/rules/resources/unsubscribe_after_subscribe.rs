//! `resources/unsubscribe-after-subscribe`

use crate::rules::prelude::*;

rule! {
    /// A client unsubscribes from a resource that it never subscribed to.
    ///
    /// One of both sides is mistaken about what is subscribed; a URI that is written in two ways
    /// leaves the real subscription open.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"resources":{"subscribe":true}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"file:///a.txt"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"resources/unsubscribe","params":{"uri":"file:///a.txt"}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"resources":{"subscribe":true}}
    /// --> {"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"file:///a.txt"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"resources/unsubscribe","params":{"uri":"file:///A.txt"}}
    ///                                                                              ^^^^^^^^^^^^^^^ never subscribed
    /// ```
    RULE = {
        name: "resources/unsubscribe-after-subscribe",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::until(Revision::V2025_11_25),
        party: Client,
        spec: "schema#unsubscriberequest",
        code: -32602,
        help: "unsubscribe with the URI of the subscription, as it was written there",
        needs: [Subscriptions],
        hidden_by: [rules::resources::URI_VALID],
        follows: [rules::resources::URI_VALID],
        check: Check::Message(&[On::Call("resources/unsubscribe")], check),
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
    if able
        && session.is_whole(message)
        && session.is_opened_for(message)
        && !session.state.resources.was_subscribed(uri)
    {
        findings.at(uri, "the client has never subscribed to this resource");
    }
}
