//! `lifecycle/no-operation-before-initialized`

use crate::rules::prelude::*;
use crate::session::Phase;

rule! {
    /// The client sends a request after the answer to `initialize`, before its notification.
    ///
    /// The specification does not forbid it in so many words, but strict servers refuse such
    /// requests.
    ///
    /// Reported when the notification comes; if it never comes, `lifecycle/initialized-sent`
    /// reports that.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1"}}}
    /// --> {"jsonrpc":"2.0","method":"notifications/initialized"}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1"}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}
    /// --> {"jsonrpc":"2.0","method":"notifications/initialized"}
    ///                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^ `tools/list` was sent before it
    /// ```
    RULE = {
        name: "lifecycle/no-operation-before-initialized",
        layer: Session,
        level: Note,
        revisions: RevisionSet::until(Revision::V2025_11_25),
        party: Client,
        spec: "basic/lifecycle#initialization",
        code: -32600,
        help: "send `notifications/initialized` first, then the requests",
        check: Check::Message(&[On::Call("notifications/initialized")], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let handshake = &session.handshake;
    if handshake.phase == Phase::Answered
        && !handshake.disordered
        && handshake.operated
        && message.has(Fact::Handshake)
    {
        findings.at(
            message.method_or_root(),
            "requests were sent before this notification, and strict servers refuse them",
        );
    }
}
