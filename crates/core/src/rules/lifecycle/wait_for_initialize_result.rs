//! `lifecycle/wait-for-initialize-result`

use crate::rules::prelude::*;
use crate::session::Phase;
use crate::session::handshake::is_operation;

rule! {
    /// The client sends a request while `initialize` is not answered yet.
    ///
    /// Neither side knows yet what was agreed on, so the request may be refused or understood in
    /// another revision.
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
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list"}
    ///                                      ^^^^^^^^^^^^ `initialize` is not answered
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1"}}}
    /// --> {"jsonrpc":"2.0","method":"notifications/initialized"}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}
    /// ```
    ///
    /// A `ping` may be sent at any time.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"ping"}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1"}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{}}
    /// --> {"jsonrpc":"2.0","method":"notifications/initialized"}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// --> {"jsonrpc":"2.0","id":2,"method":"prompts/list"}
    ///                                      ^^^^^^^^^^^^^^ `initialize` is not answered
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"prompts":{}},"serverInfo":{"name":"server","version":"1"}}}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"prompts":[]}}
    /// --> {"jsonrpc":"2.0","method":"notifications/initialized"}
    /// ```
    RULE = {
        name: "lifecycle/wait-for-initialize-result",
        layer: Session,
        level: Warning,
        revisions: RevisionSet::until(Revision::V2025_11_25),
        party: Client,
        spec: "basic/lifecycle#initialization",
        code: -32600,
        help: "wait for the answer to `initialize` before the next request; only `ping` need not wait",
        check: Check::Message(&[On::AnyRequest], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let handshake = &session.handshake;
    if handshake.phase == Phase::Pending
        && !handshake.disordered
        && !handshake.hasty[Direction::ClientToServer as usize]
        && message.direction() == Some(Direction::ClientToServer)
        && is_operation(message)
        && session.waits_for_handshake()
    {
        findings.at(
            message.method_or_root(),
            "a request was sent while `initialize` waits for its answer",
        );
    }
}
