//! `response/every-request`

use crate::rules::prelude::*;

rule! {
    /// A request was never answered.
    ///
    /// Its sender waits until it gives up, and the user waits with it.
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
    ///     ^ no answer came
    /// === end
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
    ///     ^ no answer came
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
    ///     ^ no answer came
    /// === end
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
                endings.missing(answerer, cause, "this request was never answered");
            }
        }
    }
}
