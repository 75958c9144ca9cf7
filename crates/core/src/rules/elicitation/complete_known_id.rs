//! `elicitation/complete-known-id`

use crate::rules::prelude::*;

rule! {
    /// A server says that an elicitation is complete which the client was never given.
    ///
    /// The client ignores it, and goes on waiting for the one that was meant.
    ///
    /// ```mcp,good,2025-11-25
    /// === open client:{"elicitation":{"form":{},"url":{}}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url","message":"Please sign in","elicitationId":"e1","url":"https://example.com/sign-in"}}
    /// --> {"jsonrpc":"2.0","id":1,"result":{"action":"accept"}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e1"}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open client:{"elicitation":{"form":{},"url":{}}} server:{"tools":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url","message":"Please sign in","elicitationId":"e1","url":"https://example.com/sign-in"}}
    /// --> {"jsonrpc":"2.0","id":1,"result":{"action":"accept"}}
    /// <-- {"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e9"}}
    ///                                                                                              ^^^^ only `e1` was given out
    /// ```
    RULE = {
        name: "elicitation/complete-known-id",
        layer: Session,
        level: Error,
        revisions: RevisionSet::only(Revision::V2025_11_25),
        party: Server,
        spec: "client/elicitation#completion-notifications-for-url-mode-elicitation",
        help: "repeat the `elicitationId` of the elicitation",
        needs: [Elicitations],
        reveals: AnswerToPeer,
        check: Check::Message(&[On::Call("notifications/elicitation/complete")], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    // An unreadable answer may have issued it.
    let unread = session.losses.answers[Direction::ServerToClient as usize] > 0;
    if let Some(id) = message.param("elicitationId")
        && session.state.elicitation.is_unknown(id)
        && session.is_whole(message)
        && !unread
    {
        findings.at(id, "no elicitation with this id was given to the client");
    }
}
