//! `lifecycle/server-waits-for-initialized`

use crate::rules::prelude::*;
use crate::session::Phase;
use crate::session::handshake::is_operation;

rule! {
    /// The server sends a request before the client has said that it is ready.
    ///
    /// The client may not have set up its handlers yet, and may refuse or ignore the request.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{"roots":{}},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1"}}}
    /// --> {"jsonrpc":"2.0","method":"notifications/initialized"}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"roots/list"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{"roots":{}},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1"}}}
    /// <-- {"jsonrpc":"2.0","id":1,"method":"roots/list"}
    ///                                      ^^^^^^^^^^^^ `notifications/initialized` has not come
    /// --> {"jsonrpc":"2.0","method":"notifications/initialized"}
    /// ```
    RULE = {
        name: "lifecycle/server-waits-for-initialized",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::until(Revision::V2025_11_25),
        party: Server,
        spec: "basic/lifecycle#initialization",
        code: -32600,
        help: "wait for `notifications/initialized` before the first request; only `ping` and log messages may come earlier",
        check: Check::Message(&[On::AnyRequest], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let handshake = &session.handshake;
    // A client that sends requests without the notification is at fault itself.
    if handshake.phase == Phase::Open
        || handshake.disordered
        || handshake.initialized
        || handshake.operated
        || handshake.hasty[Direction::ServerToClient as usize]
        || message.direction() != Some(Direction::ServerToClient)
    {
        return;
    }
    // Over HTTP the session may have been opened outside the recording.
    let is_closed = handshake.phase == Phase::Closed
        && session.is_whole(message)
        && message.frame.http.is_none();
    if is_operation(message)
        && (handshake.phase == Phase::Answered || is_closed || session.waits_for_handshake())
    {
        findings.at(
            message.method_or_root(),
            "a request was sent before `notifications/initialized` came",
        );
    }
}
