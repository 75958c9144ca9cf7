//! `lifecycle/initialize-once`

use crate::rules::prelude::*;
use crate::session::Phase;

rule! {
    /// The client sends `initialize` again in a session that is open.
    ///
    /// A second handshake is not foreseen: most servers refuse it, and others lose what was agreed
    /// on.
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
    /// --> {"jsonrpc":"2.0","method":"notifications/initialized"}
    /// --> {"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    ///                                      ^^^^^^^^^^^^ the session is open
    /// ```
    RULE = {
        name: "lifecycle/initialize-once",
        layer: Session,
        level: Note,
        revisions: RevisionSet::until(Revision::V2025_11_25),
        party: Client,
        spec: "basic/lifecycle#initialization",
        code: -32600,
        help: "open a new connection for a new session",
        check: Check::Message(&[On::Call("initialize")], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let is_second = match session.handshake.phase {
        Phase::Closed | Phase::Refused => false,
        Phase::Pending => session.waits_for_handshake(),
        // If only its answer was seen, the fault was reported for the answer.
        Phase::Answered | Phase::Open => !session.handshake.seeming,
    };
    if is_second && message.kind() == MessageKind::Request && stays_in_session(message) {
        findings.at(
            message.method_or_root(),
            "`initialize` was sent before in this session",
        );
    }
}

/// Whether the message stays in the session: over HTTP a client without a session id opens another
/// one.
fn stays_in_session(message: &Message<'_>) -> bool {
    message.frame.http.is_none_or(|http| match http.part {
        Part::Request { headers, .. } => headers.get("mcp-session-id").is_some(),
        _ => false,
    })
}
