//! `http/lost-stream-new-request`

use crate::rules::prelude::*;

rule! {
    /// A client tries to take up a stream that broke off.
    ///
    /// There is no resumption any more: what was on the stream is lost, and only a new request
    /// brings it back.
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     last-event-id: a0
    ///     ^^^^^^^^^^^^^^^^^ no stream can be taken up
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// ```
    RULE = {
        name: "http/lost-stream-new-request",
        layer: Http,
        level: Error,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Client,
        spec: "changelog#major-changes",
        help: "send the request once more, under a new id and without `Last-Event-ID`",
        check: Check::Http(&[OnHttp::Request], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Part::Request { headers, .. } = transfer.http.part else {
        return;
    };
    // A request with a session id belongs to an earlier revision, whatever the last message named.
    let is_modern =
        headers.get("mcp-session-id").is_none() && !session.state.http.has_two_endpoints();
    if let Some((position, _)) = headers.find("last-event-id").filter(|_| is_modern) {
        findings.head(
            Place::Header(position),
            "the client wants to take up a stream, which this revision does not have",
        );
    }
}
