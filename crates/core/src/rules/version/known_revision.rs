//! `version/known-revision`

use crate::rules::prelude::*;

rule! {
    /// The handshake names a version that is no released revision.
    ///
    /// A peer can hardly know it: it offers another one, or gives up.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1"}}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"1.0","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    ///                                                                               ^^^^^ is no revision
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1"}}}
    /// ```
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1"}}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"latest","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1"}}}
    ///                                                         ^^^^^^^^ is no revision
    /// ```
    RULE = {
        name: "version/known-revision",
        layer: Session,
        level: Note,
        revisions: RevisionSet::until(Revision::V2025_11_25),
        spec: "basic/lifecycle#version-negotiation",
        code: -32602,
        help: "name a released revision, such as 2025-11-25",
        check: Check::Message(&[On::Call("initialize"), On::Result("initialize")], check),
    }
}

fn check(message: &Message<'_>, session: &Session, findings: &mut Findings<'_>) {
    let offer = message.params().or_else(|| message.result());
    let version = offer.and_then(|offer| offer.get("protocolVersion"));
    let Some(version) = version.filter(|version| version.kind() == Kind::String) else {
        return;
    };
    // A server that agrees to an invented version adds nothing to the fault.
    let repeats = message.request.is_some()
        && session.handshake.initialize_count > 0
        && !session.handshake.requested_released;
    let released = Revision::ALL
        .into_iter()
        .any(|revision| version.is_text(revision.name()));
    if !released && !repeats {
        findings.at(version, "the version is no released revision");
    }
}
