//! `jsonrpc/batch-answer-per-request`

use crate::rules::prelude::*;

rule! {
    /// A request of a batch was never answered.
    ///
    /// The sender of the batch waits for all its answers, often before it reads any of them.
    ///
    /// ```mcp,good,2025-03-26
    /// === open server:{"tools":{}}
    /// --> [{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"tools/list"}]
    /// <-- [{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}]
    /// === end
    /// ```
    /// ```mcp,bad,2025-03-26
    /// === open server:{"tools":{}}
    /// --> [{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"tools/list"}]
    ///                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ no answer came to the second
    /// <-- [{"jsonrpc":"2.0","id":1,"result":{}}]
    /// === end
    /// ```
    RULE = {
        name: "jsonrpc/batch-answer-per-request",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::only(Revision::V2025_03_26),
        spec: "basic#batching",
        help: "answer every request of a batch, in one batch or in several messages",
        hidden_by: [rules::inline::BATCH_ONE_KIND],
        follows: [rules::inline::BATCH_ONE_KIND, rules::inline::BATCH_NOT_EMPTY],
        check: Check::End(check_end),
    }
}

fn check_end(session: &Session, endings: &mut Endings<'_>) {
    for direction in [Direction::ClientToServer, Direction::ServerToClient] {
        let mut reported = None;
        for request in session.unanswered(direction) {
            let is_batched = request.data().is_some_and(|data| data.batch.is_some());
            // A batch without any answer is one fault.
            let batch = (request.sent.at, request.sent.exchange);
            if is_batched && reported != Some(batch) {
                reported = Some(batch);
                let answerer = direction.reverse().sender();
                let cause = Cause::request(request, direction);
                if session.is_neglected(request, direction) {
                    let text = "this request of a batch was never answered";
                    endings.missing(answerer, cause, text);
                } else {
                    let text =
                        "this request of a batch was not answered before the recording ended";
                    endings.missing_at_most(Level::Note, answerer, cause, text);
                }
            }
        }
    }
}
