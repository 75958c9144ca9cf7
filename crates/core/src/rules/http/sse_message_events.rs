//! `http/sse-message-events`

use super::media;
use crate::rules::prelude::*;

rule! {
    /// A message of the server does not come as an event named message on the stream.
    ///
    /// The client waits for messages on the stream, under this name, and reads none elsewhere.
    ///
    /// ```mcp,good,2024-11-05
    /// --> GET /sse #1
    ///     …
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1 name:endpoint
    ///     /messages?session=8b1a9953
    /// --> POST /messages?session=8b1a9953 #2
    ///     …
    ///     {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- 202 #2
    /// <-- event #1
    ///     {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"serverInfo":{"name":"server","version":"1"}}}
    /// ```
    /// ```mcp,bad,2024-11-05
    /// --> GET /sse #1
    ///     …
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1 name:endpoint
    ///     /messages?session=8b1a9953
    /// --> POST /messages?session=8b1a9953 #2
    ///     …
    ///     {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- 200 #2
    ///     …
    ///     {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"serverInfo":{"name":"server","version":"1"}}}
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ belongs on the stream
    /// ```
    /// ```mcp,good,2024-11-05
    /// --> GET /sse #1
    ///     …
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1 name:endpoint
    ///     /messages?session=8b1a9953
    /// --> POST /messages?session=8b1a9953 #2
    ///     …
    ///     {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- 202 #2
    /// <-- event #1
    ///     {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"serverInfo":{"name":"server","version":"1"}}}
    /// ```
    /// ```mcp,bad,2024-11-05
    /// --> GET /sse #1
    ///     …
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1 name:endpoint
    ///     /messages?session=8b1a9953
    /// --> POST /messages?session=8b1a9953 #2
    ///     …
    ///     {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- 202 #2
    /// <-- event #1 name:reply
    ///     ^^^^^ clients look for `message`
    ///     {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"serverInfo":{"name":"server","version":"1"}}}
    /// ```
    RULE = {
        name: "http/sse-message-events",
        layer: Http,
        level: Error,
        revisions: RevisionSet::only(Revision::V2024_11_05),
        party: Server,
        spec: "basic/transports#http-with-sse",
        help: "send every message as an event named `message` on the stream of the session",
        check: Check::Http(&[OnHttp::Response, OnHttp::Event], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    if !session.state.http.has_two_endpoints() {
        return;
    }
    match (transfer.http.part, transfer.message) {
        (Part::Response { status, .. }, Some(message))
            if message.sound && (200..300).contains(&status) =>
        {
            findings.at(
                message.root(),
                "the message comes in the answer to a POST instead of on the stream",
            );
        }
        (Part::Event { .. }, _) if media::hides_message(transfer) => {
            findings.head(
                Place::Event,
                "the event with this message is not named `message`",
            );
        }
        _ => {}
    }
}
