//! `elicitation/id-unique`

use crate::rules::prelude::*;
use crate::session::{is_url, required};

rule! {
    /// Two elicitations have the same `elicitationId`.
    ///
    /// When the server says that one is complete, the client cannot tell which, and closes the
    /// wrong one.
    ///
    /// ```mcp,good,2025-11-25
    /// === open client:{"elicitation":{"form":{},"url":{}}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url","message":"Please sign in","elicitationId":"e1","url":"https://example.com/sign-in"}}
    /// --> {"jsonrpc":"2.0","id":1,"result":{"action":"accept"}}
    /// <-- {"jsonrpc":"2.0","id":2,"method":"elicitation/create","params":{"mode":"url","message":"Please sign in","elicitationId":"e2","url":"https://example.com/sign-in"}}
    /// --> {"jsonrpc":"2.0","id":2,"result":{"action":"accept"}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open client:{"elicitation":{"form":{},"url":{}}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url","message":"Please sign in","elicitationId":"e1","url":"https://example.com/sign-in"}}
    /// --> {"jsonrpc":"2.0","id":1,"result":{"action":"accept"}}
    /// <-- {"jsonrpc":"2.0","id":2,"method":"elicitation/create","params":{"mode":"url","message":"Please sign in","elicitationId":"e1","url":"https://example.com/sign-in"}}
    ///                                                                                                                             ^^^^ the first one has it
    /// --> {"jsonrpc":"2.0","id":2,"result":{"action":"accept"}}
    /// ```
    RULE = {
        name: "elicitation/id-unique",
        layer: Session,
        level: Error,
        revisions: RevisionSet::only(Revision::V2025_11_25),
        party: Server,
        spec: "schema#elicitrequesturlparams",
        code: -32602,
        help: "make up a new id for each elicitation",
        check: Check::Message(&[On::Call("elicitation/create"), On::AnyError], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    if session.is_repetition(message) {
        return;
    }
    let elicitations = &session.state.elicitation;
    let is_own = message.method() == Some("elicitation/create");
    let own = message.params().filter(|params| is_own && is_url(*params));
    let listed = required(message).into_iter().flat_map(Node::items);
    for params in own.into_iter().chain(listed) {
        if let Some(id) = params.get("elicitationId")
            && elicitations.is_used(id, params.get("url"), own.is_some())
        {
            findings.at(id, "another elicitation has this id already");
        }
    }
}
