//! `ping/answered`

use crate::rules::prelude::*;
use crate::session::PING_TIMEOUT;

rule! {
    /// A `ping` was not answered, or only after half a minute or more.
    ///
    /// Its sender takes the connection for dead and closes it.
    ///
    /// A missing answer is a note if the recording may have stopped too early: see
    /// `response/every-request`.
    ///
    /// ```mcp,good,2025-06-18
    /// === open
    /// --> {"jsonrpc":"2.0","id":2,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{}}
    /// === end
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open
    /// --> {"jsonrpc":"2.0","id":2,"method":"ping"}
    ///     ^ [error] no answer came
    /// === end server
    /// ```
    ///
    /// ```mcp,good,2025-06-18
    /// === open
    /// <-- {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// === wait 2s
    /// --> {"jsonrpc":"2.0","id":1,"result":{}}
    /// === end
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open
    /// <-- {"jsonrpc":"2.0","id":1,"method":"ping"}
    /// === wait 30s
    /// --> {"jsonrpc":"2.0","id":1,"result":{}}
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ came after 30 seconds
    /// === end
    /// ```
    RULE = {
        name: "ping/answered",
        layer: Session,
        level: Error,
        revisions: RevisionSet::until(Revision::V2025_11_25),
        spec: "basic/utilities/ping#behavior-requirements",
        help: "answer `ping` at once, whatever else is going on",
        check: Check::MessageAndEnd(
            &[On::Result("ping"), On::Error("ping")],
            check,
            check_end,
        ),
    }
}

fn check(message: &Message<'_>, _: &Session, findings: &mut Findings<'_>) {
    let waited = message
        .request
        .and_then(|request| message.now().since(&request.sent));
    if let Some(waited) = waited.filter(|waited| *waited >= PING_TIMEOUT) {
        findings.counted(
            message.root(),
            "`ping` was answered after {} seconds",
            waited.as_secs(),
        );
    }
}

fn check_end(session: &Session, endings: &mut Endings<'_>) {
    for direction in [Direction::ClientToServer, Direction::ServerToClient] {
        for request in session.unanswered(direction) {
            // Another rule reports the missing answers of a batch.
            let is_batched = request.data().is_some_and(|data| data.batch.is_some());
            if request.method_name() == Some("ping") && !is_batched {
                let answerer = direction.reverse().sender();
                let cause = Cause::request(request, direction);
                if session.is_neglected(request, direction) {
                    endings.missing(answerer, cause, "this `ping` was never answered");
                } else {
                    let text = "this `ping` was not answered before the recording ended";
                    endings.missing_at_most(Level::Note, answerer, cause, text);
                }
            }
        }
    }
}
