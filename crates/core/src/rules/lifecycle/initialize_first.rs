//! `lifecycle/initialize-first`

use crate::rules::prelude::*;
use crate::session::Phase;
use crate::session::handshake::is_operation;

rule! {
    /// The client asks for something before it has opened the session with `initialize`.
    ///
    /// The server does not know yet which revision and which capabilities are in force, and most
    /// servers refuse.
    ///
    /// ```mcp,good,2025-06-18,stdio
    /// --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1"}}}
    /// --> {"jsonrpc":"2.0","method":"notifications/initialized"}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}
    /// ```
    /// ```mcp,bad,2025-06-18,stdio
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list"}
    ///                                      ^^^^^^^^^^^^ no `initialize` came before it
    /// ```
    ///
    /// Only `ping` may come before.
    ///
    /// ```mcp,good,2025-06-18,stdio
    /// --> {"jsonrpc":"2.0","id":0,"method":"ping"}
    /// --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- {"jsonrpc":"2.0","id":0,"result":{}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1"}}}
    /// ```
    /// ```mcp,bad,2025-06-18,stdio
    /// --> {"jsonrpc":"2.0","id":0,"method":"resources/list"}
    ///                                      ^^^^^^^^^^^^^^^^ it is answered before the session is open, if at all
    /// --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- {"jsonrpc":"2.0","id":0,"error":{"code":-32600,"message":"not initialized"}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1"}}}
    /// ```
    RULE = {
        name: "lifecycle/initialize-first",
        layer: Session,
        level: Error,
        revisions: RevisionSet::until(Revision::V2025_11_25),
        party: Client,
        spec: "basic/lifecycle#initialization",
        code: -32600,
        help: "open the session with `initialize` before anything else",
        hidden_by: [rules::inline::WRONG_TYPE],
        check: Check::Message(&[On::AnyRequest], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    if session.handshake.phase == Phase::Closed
        && !session.handshake.disordered
        && message.direction() == Some(Direction::ClientToServer)
        && is_operation(message)
        && session.is_whole(message)
        && !continues_session(message)
    {
        findings.at(
            message.method_or_root(),
            "a request came before `initialize`",
        );
    }
}

/// Whether an HTTP request belongs to a session that was opened before the recording began.
fn continues_session(message: &Message<'_>) -> bool {
    message.frame.http.is_some_and(|http| match http.part {
        Part::Request { headers, .. } => headers.get("mcp-session-id").is_some(),
        _ => false,
    })
}
