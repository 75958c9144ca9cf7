//! `http/sse-response-arrives`

use crate::rules::prelude::*;

rule! {
    /// The stream that was opened for a request ends without the response.
    ///
    /// Nothing can follow on a stream that has ended and cannot be taken up again: the client waits
    /// in vain.
    ///
    /// Reported only if the recording says that the server ended the stream: a client that leaves
    /// may have lost interest. A stream that is still open at the end of a recording is a note,
    /// unless the server has answered other requests long after.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1
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
    /// <-- end #1 by:server
    ///     ^^^ request 1 is not answered
    /// ```
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1 id:a0
    /// <-- event #1 id:a1
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// <-- end #1
    /// === end
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    ///     ^ [note] not answered yet
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1 id:a0
    /// === end
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// <-- end #1
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1 stream
    ///     …
    /// <-- end #1 by:server
    ///     ^^^ request 1 is not answered
    /// ```
    RULE = {
        name: "http/sse-response-arrives",
        layer: Http,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2025_03_26),
        party: Server,
        spec: "basic/transports#sending-messages-to-the-server",
        help: "send the response before the stream ends, be it an error",
        check: Check::HttpAndEnd(&[OnHttp::End], check, check_end),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let http = &session.state.http;
    let (Some(exchange), Some(request)) =
        (http.asking(transfer), http.cut_short(transfer, session))
    else {
        return;
    };
    let is_over = !exchange.has_id || !transfer.revision.has(Fact::HttpResumption);
    // A subscription has other ends; another rule reports a client that continues without the
    // answer to its handshake.
    let is_exempt = match request.method_name() {
        Some("subscriptions/listen") => true,
        Some("initialize") => session.handshake.disordered,
        _ => false,
    };
    if is_over && !is_exempt && transfer.ended_by(Party::Server) {
        findings.head(
            Place::StreamEnd,
            "the stream ends for good, but the request that opened it is not answered",
        );
    }
}

fn check_end(session: &Session, endings: &mut Endings<'_>) {
    if !session.was_whole() {
        return;
    }
    // An unmatched answer may have been the response.
    let lost = session.losses.unmatched[Direction::ServerToClient as usize];
    for request in session.state.http.left_open(session) {
        let is_lost = lost.count > 0 && request.sent.order < lost.last;
        if request.method_name() != Some("subscriptions/listen") && !is_lost {
            let direction = Direction::ClientToServer;
            let at_most = if session.is_neglected(request, direction) {
                Level::Error
            } else {
                Level::Note
            };
            endings.missing_at_most(
                at_most,
                Party::Server,
                Cause::request(request, direction),
                "the stream that was opened for this request never carried the response",
            );
        }
    }
}
