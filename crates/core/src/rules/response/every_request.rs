//! `response/every-request`

use crate::rules::prelude::*;

rule! {
    /// A request was never answered.
    ///
    /// Its sender waits until it gives up, and the user waits with it.
    ///
    /// A recording may simply stop too early, so this is a note, unless it is certain that no
    /// answer follows: the party that should answer has ended the connection, or it has answered
    /// other requests a minute and more after this one, or after its last progress. Nothing is
    /// certain while that party itself waits for an answer, or where people or tasks decide when
    /// the answer comes.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"no such tool"}}
    /// === end
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"add"}}
    ///     ^ [error] no answer came
    /// === end server
    /// ```
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    /// <-- {"jsonrpc":"2.0","id":6,"result":{"resultType":"complete","content":[],"_meta":{…}}}
    /// === end
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"_meta":{…},"name":"add"}}
    ///     ^ [note] no answer came
    /// === end
    /// ```
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"add"}}
    /// === wait 80s
    /// --> {"jsonrpc":"2.0","id":7,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":7,"result":{"tools":[]}}
    /// <-- {"jsonrpc":"2.0","id":6,"result":{"content":[]}}
    /// === end
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{}}
    /// --> {"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"add"}}
    ///     ^ [error] the server has long answered others
    /// === wait 80s
    /// --> {"jsonrpc":"2.0","id":7,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":7,"result":{"tools":[]}}
    /// === end
    /// ```
    ///
    /// The client answers, too.
    ///
    /// ```mcp,good,2025-06-18
    /// === open client:{"roots":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"roots/list"}
    /// --> {"jsonrpc":"2.0","id":1,"result":{"roots":[]}}
    /// === end
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open client:{"roots":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"roots/list"}
    ///     ^ [error] no answer came
    /// === end client
    /// ```
    RULE = {
        name: "response/every-request",
        layer: Session,
        level: Error,
        spec: "basic/patterns#request-and-response",
        help: "answer every request with a result or an error, unless it was cancelled",
        check: Check::End(check_end),
    }
}

fn check_end(session: &Session, endings: &mut Endings<'_>) {
    for direction in [Direction::ClientToServer, Direction::ServerToClient] {
        for request in session.unanswered(direction) {
            // Other rules report these.
            let is_ping = request.method_name() == Some("ping");
            let is_batched = request.data().is_some_and(|data| data.batch.is_some());
            if !is_ping && !is_batched {
                let answerer = direction.reverse().sender();
                let cause = Cause::request(request, direction);
                if session.is_neglected(request, direction) {
                    endings.missing(answerer, cause, "this request was never answered");
                } else {
                    let text = "this request was not answered before the recording ended";
                    endings.missing_at_most(Level::Note, answerer, cause, text);
                }
            }
        }
    }
}
