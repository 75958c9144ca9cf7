//! `lifecycle/initialized-after-result`

use crate::rules::prelude::*;
use crate::session::Phase;

rule! {
    /// The client says that it is ready before the server has answered `initialize`.
    ///
    /// The client cannot know yet whether it speaks the version that the server chooses, and the
    /// server takes the session for open.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1"}}}
    /// --> {"jsonrpc":"2.0","method":"notifications/initialized"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// --> {"jsonrpc":"2.0","method":"notifications/initialized"}
    ///                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^ `initialize` is not answered
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1"}}}
    /// ```
    ///
    /// A refusal is no result: the session stays closed.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"out of memory"}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"out of memory"}}
    /// --> {"jsonrpc":"2.0","method":"notifications/initialized"}
    ///                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^ `initialize` was refused
    /// ```
    RULE = {
        name: "lifecycle/initialized-after-result",
        layer: Session,
        level: Error,
        revisions: RevisionSet::until(Revision::V2025_11_25),
        party: Client,
        spec: "basic/lifecycle#initialization",
        help: "send `notifications/initialized` only after `initialize` was answered with a result",
        check: Check::Message(&[On::Call("notifications/initialized")], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let handshake = &session.handshake;
    if handshake.disordered || !message.has(Fact::Handshake) {
        return;
    }
    let text = match handshake.phase {
        Phase::Closed if session.is_whole(message) && message.frame.http.is_none() => {
            "`notifications/initialized` was sent without `initialize`"
        }
        Phase::Pending if session.waits_for_handshake() => {
            "`notifications/initialized` was sent before `initialize` was answered"
        }
        Phase::Refused => "`notifications/initialized` was sent although `initialize` was refused",
        _ => return,
    };
    findings.at(message.method_or_root(), text);
}
