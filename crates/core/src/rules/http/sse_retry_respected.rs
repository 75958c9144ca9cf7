//! `http/sse-retry-respected`

use core::time::Duration;

use crate::rules::prelude::*;

rule! {
    /// The client reconnects before the time has passed that the server asked for.
    ///
    /// The server closes connections to save its strength, and a client that is back at once takes
    /// it away again.
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
    /// <-- event #1 retry:5000
    /// <-- end #1
    /// === wait 5s
    /// --> GET /mcp #2
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     last-event-id: a0
    /// <-- 200 #2 stream
    ///     …
    /// <-- event #2 id:a1
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// ```
    /// ```mcp,bad,2025-11-25
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1 id:a0
    /// <-- event #1 retry:5000
    /// <-- end #1
    /// === wait 50ms
    /// --> GET /mcp #2
    ///     ^^^ after 50 ms instead of 5 s
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     last-event-id: a0
    /// <-- 200 #2 stream
    ///     …
    /// <-- event #2 id:a1
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// ```
    RULE = {
        name: "http/sse-retry-respected",
        layer: Http,
        level: Error,
        revisions: RevisionSet::only(Revision::V2025_11_25),
        party: Client,
        spec: "basic/transports#sending-messages-to-the-server",
        help: "wait as many milliseconds as the last `retry` field says",
        check: Check::Http(&[OnHttp::Request], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Part::Request {
        method: "GET",
        headers,
        ..
    } = transfer.http.part
    else {
        return;
    };
    let stream = headers
        .get("last-event-id")
        .and_then(|id| session.state.http.with_event(headers, id));
    let Some((retry, ended)) = stream.and_then(|stream| Some((stream.retry?, stream.ended?)))
    else {
        return;
    };
    let Some(waited) = transfer.now.since(&ended) else {
        return;
    };
    // Timers and recordings are not exact.
    let asked_for = Duration::from_millis(retry)
        .mul_f64(0.9)
        .saturating_sub(TOLERANCE);
    if waited < asked_for {
        findings.head(
            Place::RequestLine,
            "the client is back before the time of the `retry` field has passed",
        );
    }
}

const TOLERANCE: Duration = Duration::from_millis(20);
