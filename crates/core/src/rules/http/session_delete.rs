//! `http/session-delete`

use crate::rules::prelude::*;

rule! {
    /// The client leaves without ending its session.
    ///
    /// The server keeps what it holds for the session until some timeout, for nobody.
    ///
    /// ```mcp,good,2025-06-18
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 200 #1
    ///     …
    ///     mcp-session-id: 4f9c1b2e-7d53-4a86-9f0e-2c6b8d1a3e57
    ///     {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"garden","version":"3.1.0"}}}
    /// --> POST /mcp #2
    ///     …
    ///     {"jsonrpc":"2.0","method":"notifications/initialized"}
    /// <-- 202 #2
    /// --> POST /mcp #3
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/list"}
    /// <-- 200 #3
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}
    /// --> DELETE /mcp #4
    ///     …
    /// <-- 200 #4
    /// === end
    /// ```
    /// ```mcp,bad,2025-06-18
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"rake","version":"1.2.0"}}}
    /// <-- 200 #1
    ///     ^^^ this session is never ended
    ///     …
    ///     mcp-session-id: 4f9c1b2e-7d53-4a86-9f0e-2c6b8d1a3e57
    ///     {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{"tools":{}},"serverInfo":{"name":"garden","version":"3.1.0"}}}
    /// --> POST /mcp #2
    ///     …
    ///     {"jsonrpc":"2.0","method":"notifications/initialized"}
    /// <-- 202 #2
    /// --> POST /mcp #3
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/list"}
    /// <-- 200 #3
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}
    /// === end
    /// ```
    RULE = {
        name: "http/session-delete",
        layer: Http,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2025_03_26)
            .intersection(RevisionSet::until(Revision::V2025_11_25)),
        party: Client,
        spec: "basic/transports#session-management",
        help: "send DELETE with the session id when the session is no longer needed",
        follows: [rules::http::SESSION_ID_SENT, rules::http::GET_SSE_OR_405],
        check: Check::End(check),
    }
}

fn check(session: &Session, endings: &mut Endings<'_>) {
    let Some(open) = &session.state.http_heads.session else {
        return;
    };
    // With open requests the recording was cut, not the session.
    let mut waiting = session.waiting(Direction::ClientToServer).iter();
    let is_cut = !session.was_whole()
        || waiting.any(|request| request.cancelled.is_none() && !request.was_refused());
    if open.used && !open.deleted && open.gone.is_none() && !is_cut {
        let cause = Cause::at(open.opened, Direction::ServerToClient, Some(open.revision));
        // The client may go on after the recording.
        let at_most = if session.was_closed_by(Party::Client) {
            Level::Error
        } else {
            Level::Note
        };
        let text = "the client has not ended the session with DELETE";
        endings.missing_at_most(at_most, Party::Client, cause, text);
    }
}
