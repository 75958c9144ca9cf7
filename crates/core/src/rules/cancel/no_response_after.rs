//! `cancel/no-response-after`

use crate::rules::prelude::*;

rule! {
    /// A request is answered although its cancellation has arrived.
    ///
    /// The sender has forgotten the request by then, so the answer is work and traffic for nothing.
    ///
    /// Reported only if the answer and the cancellation cannot have crossed: after an answer to a
    /// later request, or over HTTP a second after the response to the cancellation. Time alone
    /// proves nothing, because a server that is busy or still starting has not read it yet.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"copy","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":8}}
    /// === wait 30s
    /// <-- {"jsonrpc":"2.0","id":8,"result":{"content":[]}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"copy","_meta":{…}}}
    /// --> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":8}}
    /// --> {"jsonrpc":"2.0","id":9,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":9,"result":{}}
    /// <-- {"jsonrpc":"2.0","id":8,"result":{"content":[]}}
    ///                           ^ `ping` was sent after the cancellation
    /// ```
    RULE = {
        name: "cancel/no-response-after",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::until(Revision::V2025_11_25),
        spec: "basic/utilities/cancellation#behavior-requirements",
        help: "stop the work when a request is cancelled, and send no answer",
        check: Check::Message(&[On::AnyResult, On::AnyError], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    if let Some(id) = answers_after_cancellation(message, session) {
        findings.at(
            id,
            "the request was cancelled, and the cancellation has arrived",
        );
    }
}

/// The id of an answer to a request whose cancellation has arrived.
pub(super) fn answers_after_cancellation<'a>(
    message: &Message<'a>,
    session: &Session,
) -> Option<Node<'a>> {
    let request = message.request?;
    let cancelled = request.cancelled?;
    let request_direction = message.direction()?.reverse();
    // A server that ends a subscription itself may do so in two ways.
    let closed = request.data().is_some_and(|data| data.closed);
    let read = !closed && session.was_cancellation_read(&cancelled, request_direction, message);
    message.id().filter(|_| read)
}
