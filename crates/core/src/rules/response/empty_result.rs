//! `response/empty-result`

use crate::rules::prelude::*;

rule! {
    /// A request whose success says it all is answered with a result that has members.
    ///
    /// Nobody reads them, and a strict client refuses the answer.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"logging":{}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"info"}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"logging":{}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"info"}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"ok":true}}
    ///                                       ^^^^ nothing but `_meta` is expected here
    /// ```
    ///
    /// The same holds for subscriptions.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"resources":{"subscribe":true}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"file:///a.txt"}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"resources":{"subscribe":true}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"file:///a.txt"}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"subscribed":true}}
    ///                                       ^^^^^^^^^^^^ nothing but `_meta` is expected here
    /// ```
    RULE = {
        name: "response/empty-result",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::until(Revision::V2025_11_25),
        spec: "schema#emptyresult",
        help: "answer with an empty object; only `_meta` may be in it",
        check: Check::Message(
            &[
                On::Result("logging/setLevel"),
                On::Result("resources/subscribe"),
                On::Result("resources/unsubscribe"),
            ],
            check,
        ),
    }
}

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    let members = message.result().map(Node::members);
    let unexpected = members
        .into_iter()
        .flatten()
        .find(|(key, _)| !key.is_text("_meta"));
    if let Some((key, _)) = unexpected {
        findings.at(key, "the result has a member, expected is an empty object");
    }
}
