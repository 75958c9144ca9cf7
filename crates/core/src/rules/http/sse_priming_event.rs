//! `http/sse-priming-event`

use crate::rules::prelude::*;

rule! {
    /// The stream of a request does not start with an event that has an id and no data.
    ///
    /// Should the connection break before the first message, the client has no id to take the
    /// stream up again with.
    ///
    /// ```mcp,good,2025-11-25
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
    /// ```mcp,bad,2025-11-25
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1
    ///     ^^^^^ the first event has data, and no id
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// <-- end #1
    /// ```
    RULE = {
        name: "http/sse-priming-event",
        layer: Http,
        level: Warning,
        revisions: RevisionSet::only(Revision::V2025_11_25),
        party: Server,
        spec: "basic/transports#sending-messages-to-the-server",
        help: "send an event with an id and empty data as soon as the stream is open",
        check: Check::Http(&[OnHttp::Event], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Part::Event { id, .. } = transfer.http.part else {
        return;
    };
    let http = &session.state.http;
    let is_first = http
        .asking(transfer)
        .is_some_and(|exchange| exchange.events == 0);
    let primes = id.is_some() && transfer.body.is_empty();
    // Reported once: a server without the event never sends it.
    if is_first && !primes && !http.reported_unprimed {
        findings.head(
            Place::Event,
            "the first event of the stream is not one with an id and without data",
        );
    }
}
