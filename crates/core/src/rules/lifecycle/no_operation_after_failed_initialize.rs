//! `lifecycle/no-operation-after-failed-initialize`

use crate::rules::prelude::*;
use crate::session::Phase;
use crate::session::handshake::is_operation;

rule! {
    /// The client goes to work although `initialize` was answered with an error.
    ///
    /// There is no session: no revision was agreed on and no capability was declared.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"out of memory"}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1"}}}
    /// --> {"jsonrpc":"2.0","method":"notifications/initialized"}
    /// --> {"jsonrpc":"2.0","id":3,"method":"tools/list"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"out of memory"}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list"}
    ///                                      ^^^^^^^^^^^^ `initialize` was refused
    /// ```
    RULE = {
        name: "lifecycle/no-operation-after-failed-initialize",
        layer: Session,
        level: Error,
        revisions: RevisionSet::until(Revision::V2025_11_25),
        party: Client,
        spec: "basic/lifecycle#initialization",
        code: -32600,
        help: "give up, or send `initialize` again with other parameters",
        check: Check::Message(&[On::AnyRequest], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    if session.handshake.phase == Phase::Refused
        && !session.handshake.disordered
        && message.direction() == Some(Direction::ClientToServer)
        && is_operation(message)
    {
        findings.at(
            message.method_or_root(),
            "a request was sent although `initialize` was refused",
        );
    }
}
