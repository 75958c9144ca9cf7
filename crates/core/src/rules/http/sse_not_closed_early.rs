//! `http/sse-not-closed-early`

use crate::rules::prelude::*;

rule! {
    /// The server ends the stream of a request before it has sent the response.
    ///
    /// The client has to notice, to reconnect and to ask for the rest; one that does not will wait
    /// in vain.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1 id:a1
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// <-- end #1
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1 id:a0
    /// <-- end #1 by:server
    ///     ^^^ request 1 is not answered yet
    /// --> GET /mcp #2
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     last-event-id: a0
    /// <-- 200 #2 stream
    ///     …
    /// <-- event #2 id:a1
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// ```
    RULE = {
        name: "http/sse-not-closed-early",
        layer: Http,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2025_03_26)
            .intersection(RevisionSet::until(Revision::V2025_06_18)),
        party: Server,
        spec: "basic/transports#sending-messages-to-the-server",
        help: "keep the stream open until the response was sent",
        check: Check::Http(&[OnHttp::End], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let http = &session.state.http;
    let goes_on = http
        .asking(transfer)
        .is_some_and(|exchange| exchange.has_id);
    if goes_on && transfer.ended_by(Party::Server) && http.cut_short(transfer, session).is_some() {
        findings.head(
            Place::StreamEnd,
            "the stream ends before the response was sent",
        );
    }
}
