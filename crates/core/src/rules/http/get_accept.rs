//! `http/get-accept`

use super::media;
use crate::rules::prelude::*;

rule! {
    /// A GET does not list text/event-stream in its Accept header.
    ///
    /// A stream of events is all that a GET is for, and servers answer 406 to a client that does
    /// not ask for one by name.
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
    ///     accept: */*
    ///     ^^^^^^^^^^^ text/event-stream is not named
    /// <-- 200 #2 stream
    ///     …
    /// ```
    RULE = {
        name: "http/get-accept",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2025_03_26)
            .intersection(RevisionSet::until(Revision::V2025_11_25)),
        party: Client,
        spec: "basic/transports#listening-for-messages-from-the-server",
        help: "send `Accept: text/event-stream` with every GET",
        check: Check::Http(&[OnHttp::Request], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Part::Request {
        method: "GET",
        path,
        headers,
    } = transfer.http.part
    else {
        return;
    };
    // A source without headers shows none; other paths are not MCP endpoints.
    let is_judged = !headers.0.is_empty() && session.state.http.is_endpoint(headers, path);
    if !is_judged || media::names(headers, media::EVENTS) {
        return;
    }
    match headers.find("accept") {
        Some((position, _)) => findings.head(
            Place::Header(position),
            "`Accept` does not list `text/event-stream`",
        ),
        None => findings.head(
            Place::Head,
            "there is no `Accept`, which has to list `text/event-stream`",
        ),
    }
}
