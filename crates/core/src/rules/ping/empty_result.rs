//! `ping/empty-result`

use crate::rules::prelude::*;

rule! {
    /// The answer to `ping` is not empty.
    ///
    /// A strict client refuses the answer and takes the connection for dead.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"pong":true}}
    ///                                       ^^^^^^ the result has to be empty
    /// ```
    RULE = {
        name: "ping/empty-result",
        layer: Session,
        level: Error,
        revisions: RevisionSet::until(Revision::V2025_11_25),
        spec: "basic/utilities/ping#behavior-requirements",
        help: "answer `ping` with an empty object",
        check: Check::Message(&[On::Result("ping")], check),
    }
}

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    let members = message.result().map(Node::members);
    // Every result may have `_meta`.
    let unexpected = members
        .into_iter()
        .flatten()
        .find(|(key, _)| !key.is_text("_meta"));
    if let Some((key, _)) = unexpected {
        findings.at(
            key,
            "the answer to `ping` has a member, expected is an empty object",
        );
    }
}
