//! `http/sse-post-to-endpoint`

use super::media;
use crate::rules::prelude::*;

rule! {
    /// A client posts a message elsewhere than to the URI of the endpoint event.
    ///
    /// The server knows by this URI to which stream a message belongs, and does not take messages
    /// anywhere else.
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
    /// --> POST /sse #2
    ///          ^^^^ the event names another place
    ///     …
    ///     {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"YYYY-MM-DD","capabilities":{},"clientInfo":{"name":"client","version":"1"}}}
    /// <-- 404 #2
    /// ```
    RULE = {
        name: "http/sse-post-to-endpoint",
        layer: Http,
        level: Error,
        revisions: RevisionSet::only(Revision::V2024_11_05),
        party: Client,
        spec: "basic/transports#http-with-sse",
        help: "post every message to the URI that the `endpoint` event names",
        check: Check::Http(&[OnHttp::Request], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Part::Request {
        method: "POST",
        path,
        ..
    } = transfer.http.part
    else {
        return;
    };
    if media::is_message(transfer) && session.state.http.endpoints.is_unnamed(path) {
        findings.head(
            Place::RequestLine,
            "the message is posted elsewhere than the `endpoint` event says",
        );
    }
}
