//! `http/sse-no-buffering-header`

use crate::rules::prelude::*;

rule! {
    /// A stream of events lacks the header X-Accel-Buffering: no.
    ///
    /// A proxy in between may keep events back until it has enough of them, and the client sees
    /// nothing for a long time.
    ///
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// <-- end #1
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1 stream
    ///     ^^^ the header is missing
    ///     content-type: text/event-stream
    /// <-- event #1
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// <-- end #1
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// <-- end #1
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1 stream
    ///     content-type: text/event-stream
    ///     x-accel-buffering: yes
    ///     ^^^^^^^^^^^^^^^^^^^^^^ not `no`
    /// <-- event #1
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// <-- end #1
    /// ```
    RULE = {
        name: "http/sse-no-buffering-header",
        layer: Http,
        level: Warning,
        revisions: RevisionSet::since(Revision::V2026_07_28),
        party: Server,
        spec: "basic/transports/streamable-http#receiving-messages",
        help: "send `X-Accel-Buffering: no` with every stream",
        check: Check::Http(&[OnHttp::Response], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let Part::Response {
        status: 200,
        headers,
        streamed: true,
    } = transfer.http.part
    else {
        return;
    };
    // A source without headers shows none.
    if headers.0.is_empty() || session.state.http.streamable(transfer).is_none() {
        return;
    }
    match headers.find("x-accel-buffering") {
        Some((_, value)) if value.trim().eq_ignore_ascii_case("no") => {}
        Some((position, _)) => {
            findings.head(Place::Header(position), "`X-Accel-Buffering` is not `no`");
        }
        None => findings.head(Place::Head, "the stream has no `X-Accel-Buffering: no`"),
    }
}
