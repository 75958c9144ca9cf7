//! `request/id-unique-in-flight`

use crate::rules::prelude::*;

rule! {
    /// A request uses the id of another one that is still open.
    ///
    /// The answers to the two cannot be told apart.
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","content":[],"_meta":{…}}}
    /// --> {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// --> {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    ///                           ^ is still open
    /// <-- {"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","content":[],"_meta":{…}}}
    /// <-- {"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","content":[],"_meta":{…}}}
    /// ```
    RULE = {
        name: "request/id-unique-in-flight",
        layer: Session,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Client,
        spec: "basic#requests",
        code: -32600,
        help: "take an id that no open request has",
        once: [PerMessage],
        check: Check::Message(&[On::AnyRequest], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let (Some(id), Some(direction)) = (message.id(), message.direction()) else {
        return;
    };
    // In a dialect with null ids, null means no id.
    if id.kind() == Kind::Null {
        return;
    }
    let Some(earlier) = session.open_request(direction, id) else {
        return;
    };
    let answerer = direction.reverse() as usize;
    // A recording of one side contains no answers, and an unreadable line since then may have been
    // one.
    let is_one_sided = session.spoken[answerer] == 0 && !session.is_whole(message);
    let lost = session.losses.unmatched[answerer];
    let may_be_answered = is_one_sided || (lost.count > 0 && earlier.sent.order < lost.last);
    // The rules of HTTP cover the ids of a lost stream.
    let is_over = earlier.cancelled.is_some()
        || earlier.data().is_some_and(|data| {
            // The answer to a faulty request may have come before it, or not at all.
            data.closed || data.faulty || data.reply.is_some_and(|reply| reply.is_over)
        });
    if !may_be_answered && !is_over {
        findings.at(id, "a request with this id is still open");
    }
}
