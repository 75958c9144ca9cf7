//! `http/sse-resume-by-get`

use crate::rules::prelude::*;

rule! {
    /// A client repeats a request whose stream broke off, instead of taking the stream up again.
    ///
    /// The server is still at work on the first request, and now does everything twice.
    ///
    /// ```mcp,good,2025-11-25,only
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1 id:a0
    /// <-- event #1 retry:500
    /// <-- end #1
    /// === wait 1s
    /// --> GET /mcp #2
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     last-event-id: a0
    /// <-- 200 #2 stream
    ///     …
    /// <-- event #2 id:a1
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// ```
    /// ```mcp,bad,2025-11-25,only
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1 id:a0
    /// <-- event #1 retry:500
    /// <-- end #1
    /// === wait 1s
    /// --> POST /mcp #2
    ///     ^^^^ a GET with Last-Event-ID takes up the stream
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/list"}
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
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     last-event-id: a0
    ///     ^^^^^^^^^^^^^^^^^ only a GET takes up a stream
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1 id:a0
    /// <-- event #1 id:a1
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// <-- end #1
    /// ```
    RULE = {
        name: "http/sse-resume-by-get",
        layer: Http,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2025_03_26)
            .intersection(RevisionSet::until(Revision::V2025_11_25)),
        party: Client,
        spec: "basic/transports#resumability-and-redelivery",
        help: "send a GET with the id of the last event in `Last-Event-ID`",
        follows: [rules::http::SSE_RETRY_BEFORE_CLOSE],
        check: Check::Http(&[OnHttp::Request], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Part::Request {
        method: "POST",
        headers,
        ..
    } = transfer.http.part
    else {
        return;
    };
    let Some(message) = transfer
        .message
        .filter(|message| message.kind() == MessageKind::Request)
    else {
        return;
    };
    let http = &session.state.http;
    if http.has_two_endpoints() {
        return;
    }
    if let Some((position, _)) = headers.find("last-event-id") {
        findings.head(
            Place::Header(position),
            "a POST cannot take up a stream, only a GET can",
        );
        return;
    }
    // Another rule reports a repeated id.
    let is_new = message.id().is_some_and(|id| {
        session
            .open_request(Direction::ClientToServer, id)
            .is_none()
    });
    if is_new && http.has_lost(message, session) {
        findings.head(
            Place::RequestLine,
            "the request repeats one whose stream broke off and could be taken up again",
        );
    }
}
