//! `progress/token-unique`

use crate::rules::prelude::*;
use crate::session::{is_in_use, token_of};

rule! {
    /// Two open requests of one sender have the same progress token.
    ///
    /// Nobody can tell any more which of the two a progress notification is about.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","_meta":{…,"progressToken":1}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"copy","_meta":{…,"progressToken":2}}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy","_meta":{…,"progressToken":1}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"copy","_meta":{…,"progressToken":1}}}
    ///                                                                                                      ^ an open request has this token
    /// ```
    ///
    /// A token may be used again once its request is answered or cancelled.
    ///
    /// ```mcp,good,2025-06-18
    /// <-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":9,"_meta":{"progressToken":"a"}}}
    /// --> {"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"the user said no"}}
    /// <-- {"jsonrpc":"2.0","id":2,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":9,"_meta":{"progressToken":"a"}}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// <-- {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":9,"_meta":{"progressToken":"a"}}}
    /// <-- {"jsonrpc":"2.0","id":2,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":9,"_meta":{"progressToken":"a"}}}
    ///                                                                                                                              ^^^ an open request has this token
    /// ```
    RULE = {
        name: "progress/token-unique",
        layer: Session,
        level: Error,
        spec: "basic/patterns/progress#progress-flow",
        code: -32602,
        help: "give each request a progress token of its own, at least while it is open",
        needs: [ProgressTokens],
        reveals: AnswerToSender,
        check: Check::Keyed(&["progressToken"], &[On::AnyRequest], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let (Some(token), Some(direction)) = (token_of(message), message.direction()) else {
        return;
    };
    let Some(key) = session.state.progress.keys.of(token) else {
        return;
    };
    // Another rule reports a request that reuses an open id.
    let repeated = message
        .id()
        .and_then(|id| session.open_request(direction, id));
    if repeated.is_none() && is_in_use(session, direction, key) {
        findings.at(
            token,
            "an open request of the same sender has this progress token",
        );
    }
}
