//! `http/sse-endpoint-event`

use crate::rules::prelude::*;

rule! {
    /// The first event of the stream does not say where to post messages.
    ///
    /// The client has nowhere to send its messages, and the session never starts.
    ///
    /// ```mcp,good,2024-11-05
    /// --> GET /sse #1
    ///     …
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1 name:endpoint
    ///     /messages?session=8b1a9953
    /// ```
    /// ```mcp,bad,2024-11-05
    /// --> GET /sse #1
    ///     …
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1
    ///     ^^^^^ not an event named `endpoint`
    ///     {"jsonrpc":"2.0","id":"s1","method":"ping"}
    /// ```
    /// ```mcp,good,2024-11-05
    /// --> GET /sse #1
    ///     …
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1 name:endpoint
    ///     /messages?session=8b1a9953
    /// ```
    /// ```mcp,bad,2024-11-05
    /// --> GET /sse #1
    ///     …
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1 name:endpoint
    ///     ^^^^^ no URI
    /// ```
    RULE = {
        name: "http/sse-endpoint-event",
        layer: Http,
        level: Error,
        revisions: RevisionSet::only(Revision::V2024_11_05),
        party: Server,
        spec: "basic/transports#http-with-sse",
        help: "send an event named `endpoint` first, with the URI to post to as its data",
        check: Check::Http(&[OnHttp::Event], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Part::Event { name, .. } = transfer.http.part else {
        return;
    };
    let http = &session.state.http;
    let opens = http
        .exchange(transfer.http)
        .is_some_and(|exchange| exchange.listens() && exchange.events == 0 && !exchange.resumes);
    // A client that has posted before uses Streamable HTTP, whatever revision was agreed on; only
    // that one answers on another stream.
    let answers = transfer
        .message
        .is_some_and(|message| message.request.is_some() && !message.exchange.envelope.is_call());
    if !opens || !(http.is_fresh() || answers) {
        return;
    }
    if name != Some("endpoint") {
        findings.head(
            Place::Event,
            "the first event of the stream is not named `endpoint`",
        );
    } else if transfer.body.is_empty() {
        findings.head(Place::Event, "the event `endpoint` has no URI");
    }
}
