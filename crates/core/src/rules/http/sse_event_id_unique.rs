//! `http/sse-event-id-unique`

use crate::rules::prelude::*;

rule! {
    /// Two events of a session have the same id.
    ///
    /// A client that takes up a broken stream names the last event by its id, and the server cannot
    /// tell which one it means.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// --> POST /mcp #2
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":2,"method":"ping"}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1 id:a0
    /// <-- event #1 id:a1
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// <-- end #1
    /// <-- 200 #2 stream
    ///     …
    /// <-- event #2 id:b0
    /// <-- event #2 id:b1
    ///     {"jsonrpc":"2.0","id":2,"result":{}}
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// --> POST /mcp #2
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":2,"method":"ping"}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1 id:a0
    /// <-- event #1 id:a1
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// <-- end #1
    /// <-- 200 #2 stream
    ///     …
    /// <-- event #2 id:b0
    /// <-- event #2 id:a1
    ///     ^^^^^ an event of the first stream has this id
    ///     {"jsonrpc":"2.0","id":2,"result":{}}
    /// ```
    RULE = {
        name: "http/sse-event-id-unique",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_03_26)
            .intersection(RevisionSet::until(Revision::V2025_11_25)),
        party: Server,
        spec: "basic/transports#resumability-and-redelivery",
        help: "make ids unique across all streams of the session, by the name of the stream for instance",
        once: [PerSession],
        check: Check::Http(&[OnHttp::Event], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Part::Event { id: Some(id), .. } = transfer.http.part else {
        return;
    };
    let http = &session.state.http;
    let Some(exchange) = http.streamable(transfer).filter(|_| !id.is_empty()) else {
        return;
    };
    // A stream that resumes another repeats the events that the client missed.
    let stream = http.stream_of(exchange, id);
    let is_repeated = if exchange.resumes {
        stream == transfer.http.exchange
    } else {
        true
    };
    if stream.is_some() && is_repeated {
        findings.head(Place::Event, "another event of the session has the same id");
    }
}
