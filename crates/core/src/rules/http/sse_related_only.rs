//! `http/sse-related-only`

use crate::rules::prelude::*;
use crate::session::HttpMemory;

rule! {
    /// Before the response the stream of a request carries what belongs to another request.
    ///
    /// The client handles the stream together with its request, and does not look there for the
    /// news of others.
    ///
    /// ```mcp,good,2025-06-18
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"progressToken":"p1"}}}
    /// --> POST /mcp #2
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{"progressToken":"p2"}}}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1 id:a0
    /// <-- event #1 id:a1
    ///     {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p1","progress":1}}
    /// <-- event #1 id:a2
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// <-- end #1
    /// ```
    /// ```mcp,bad,2025-06-18
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"progressToken":"p1"}}}
    /// --> POST /mcp #2
    ///     …
    ///     mcp-protocol-version: YYYY-MM-DD
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{"progressToken":"p2"}}}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1 id:a0
    /// <-- event #1 id:a1
    ///     {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p2","progress":1}}
    ///                                                                                  ^^^^ belongs to request 2
    /// <-- event #1 id:a2
    ///     {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
    /// <-- end #1
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"progressToken":"p1",…}}}
    /// --> POST /mcp #2
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{"progressToken":"p2",…}}}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1
    ///     {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p1","progress":1}}
    /// <-- event #1
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// <-- end #1
    /// ```
    /// ```mcp,bad,2026-07-28
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"progressToken":"p1",…}}}
    /// --> POST /mcp #2
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{"progressToken":"p2",…}}}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1
    ///     {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p2","progress":1}}
    ///                                                                                  ^^^^ belongs to request 2
    /// <-- event #1
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// <-- end #1
    /// ```
    /// ```mcp,good,2026-07-28
    /// === open server:{"tools":{}}
    /// --> POST /mcp #1
    ///     …
    ///     {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{…}}}
    /// --> POST /mcp #2
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{…}}}
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
    /// --> POST /mcp #2
    ///     …
    ///     {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{…}}}
    /// <-- 200 #1 stream
    ///     …
    /// <-- event #1
    ///     {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    ///                           ^ belongs to another POST
    /// <-- event #1
    ///     {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{…}}}
    /// <-- end #1
    /// ```
    RULE = {
        name: "http/sse-related-only",
        layer: Http,
        level: Error,
        recommended: RevisionSet::since(Revision::V2025_03_26)
            .intersection(RevisionSet::until(Revision::V2025_11_25)),
        revisions: RevisionSet::since(Revision::V2025_03_26),
        party: Server,
        spec: "basic/transports/streamable-http#receiving-messages",
        help: "send progress and responses on the stream of the request that they belong to",
        check: Check::Http(&[OnHttp::Event], check),
    }
}

fn check(transfer: &Transfer<'_>, session: &Session, findings: &mut Findings<'_>) {
    let http = &session.state.http;
    let Some(exchange) = http.asking(transfer) else {
        return;
    };
    let is_open = HttpMemory::waits(transfer, session);
    let Some(message) = transfer.message.filter(|message| is_open && message.sound) else {
        return;
    };
    let answered = message.request.and_then(|request| request.sent.exchange);
    if answered.is_some_and(|answered| Some(answered) != transfer.http.exchange) {
        findings.at(
            message.id().unwrap_or(message.root()),
            "the response belongs to a request that was posted elsewhere",
        );
    }
    if message.method() == Some("notifications/progress")
        && let Some(token) = message.param("progressToken")
        && http.is_progress_of_another(exchange, token, session)
    {
        findings.at(
            token,
            "the progress is that of a request that was posted elsewhere",
        );
    }
}
