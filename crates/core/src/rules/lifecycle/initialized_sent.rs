//! `lifecycle/initialized-sent`

use crate::rules::prelude::*;

rule! {
    /// The client goes to work without ever sending `notifications/initialized`.
    ///
    /// The server waits for it before it sends requests of its own, and strict servers refuse all
    /// requests until it comes.
    ///
    /// ```mcp,good,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1"}}}
    /// --> {"jsonrpc":"2.0","method":"notifications/initialized"}
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}
    /// === end
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1"}}}
    ///     ^ `notifications/initialized` never follows
    /// --> {"jsonrpc":"2.0","id":2,"method":"tools/list"}
    /// <-- {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}
    /// === end
    /// ```
    RULE = {
        name: "lifecycle/initialized-sent",
        layer: Session,
        level: Error,
        revisions: RevisionSet::until(Revision::V2025_11_25),
        party: Client,
        spec: "basic/lifecycle#initialization",
        help: "send `notifications/initialized` as soon as `initialize` is answered",
        check: Check::End(check_end),
    }
}

fn check_end(session: &Session, endings: &mut Endings<'_>) {
    let handshake = &session.handshake;
    let lacking = handshake
        .unfinished
        .as_deref()
        .copied()
        .or(handshake.lacks_initialized());
    if let Some((answered_at, agreed)) = lacking.filter(|_| session.was_whole()) {
        let result = Cause::at(answered_at, Direction::ServerToClient, agreed);
        endings.missing(
            Party::Client,
            result.kind(MessageKind::Response, "initialize"),
            "the client never sent `notifications/initialized` after this answer",
        );
    }
}
