//! `http/get-sse-or-405`

use super::media;
use crate::rules::prelude::*;

rule! {
    /// A GET is answered neither with a stream of events nor with 405.
    ///
    /// The client cannot tell whether there is a stream to listen on, and may go on asking for one.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// --> GET /mcp #2
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    /// <-- 200 #2 stream
    ///     …
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// --> GET /mcp #2
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    /// <-- 200 #2
    ///     content-type: application/json
    ///     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ not a stream of events
    /// ```
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// --> GET /mcp #2
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    /// <-- 405 #2
    ///     allow: POST
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list"}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// --> GET /mcp #2
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    /// <-- 404 #2
    ///     ^^^ 405 says that there is no stream
    /// ```
    RULE = {
        name: "http/get-sse-or-405",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_03_26)
            .intersection(RevisionSet::until(Revision::V2025_11_25)),
        party: Server,
        spec: "basic/transports#listening-for-messages-from-the-server",
        help: "answer a GET with `Content-Type: text/event-stream`, or with 405 if there is nothing to listen to",
        follows: [rules::http::SESSION_ID_SENT],
        check: Check::Http(&[OnHttp::Response], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Part::Response {
        status, headers, ..
    } = transfer.http.part
    else {
        return;
    };
    let http = &session.state.http;
    let Some(exchange) = http
        .streamable(transfer)
        .filter(|exchange| exchange.listens() && exchange.at_endpoint)
    else {
        return;
    };
    // 404 may also mean that a session is over.
    if status == 404 && !exchange.in_session {
        findings.head(
            Place::Status,
            "the endpoint answers a GET with 404 instead of 405",
        );
    }
    if !(200..300).contains(&status) || headers.0.is_empty() || media::is_faulty(transfer) {
        return;
    }
    match headers.find("content-type") {
        Some((_, value)) if media::is_type(value, media::EVENTS) => {}
        Some((position, _)) => findings.head(
            Place::Header(position),
            "a GET is answered with another type than `text/event-stream`",
        ),
        None => findings.head(Place::Head, "a GET is answered without `Content-Type`"),
    }
}
